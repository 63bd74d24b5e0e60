package scan

import (
	"errors"
	"io"
	"strconv"
)

// Every error of a Scanner is one of these inside an *Error, the reader's own
// error, io.ErrUnexpectedEOF where the input ends inside a value or before one,
// or what a callback returned, unchanged.
var (
	// ErrSyntax: this is not strict JSON.
	ErrSyntax = errors.New("not JSON")
	// ErrDuplicate: a member that the callback took or looked at comes again in
	// the same object, so it has no one value.
	ErrDuplicate = errors.New("duplicate member")
	// ErrDepth: more than MaxDepth objects and arrays are open.
	ErrDepth = errors.New("nested too deeply")
	// ErrMembers: a callback took more than MaxTaken members of one object.
	ErrMembers = errors.New("too many members taken")
	// ErrKind: Object on what is not an object, or Array on what is no array.
	// The value is still there to be taken otherwise.
	ErrKind = errors.New("another kind of value")
	// ErrUse: the caller took a value twice, or called End inside a callback.
	ErrUse = errors.New("scanner used wrongly")
)

// Error is an error at a place of the input.
type Error struct {
	// Offset is the number of bytes before the place.
	Offset int64
	// What says more; it holds nothing of the input but the name of a member.
	What string
	// Err is one of the sentinels of this package.
	Err error
}

func (e *Error) Error() string {
	return e.Err.Error() + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.What
}

// Unwrap is for errors.Is.
func (e *Error) Unwrap() error { return e.Err }

func (s *Scanner) at(err error, what string) error {
	return &Error{Offset: s.Offset(), What: what, Err: err}
}

// fail makes err, at the current place, the final error.
func (s *Scanner) fail(err error, what string) error { return s.stop(s.at(err, what)) }

// stop makes err the final error, if there is none yet.
func (s *Scanner) stop(err error) error {
	if s.err == nil {
		s.err = err
	}
	s.keeping, s.kept = false, nil
	return err
}

// ended is the final error where the input ends too early.
func (s *Scanner) ended() error {
	if s.srcErr == io.EOF {
		return s.stop(io.ErrUnexpectedEOF)
	}
	return s.stop(s.srcErr)
}

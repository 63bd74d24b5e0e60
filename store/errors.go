package store

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// The sentinels that errors of this package wrap.
var (
	// ErrNoStore: the directory does not exist, so nothing was ever stored.
	ErrNoStore = errors.New("there is no store yet")
	// ErrReadOnly: a write on a Store that was opened by Open.
	ErrReadOnly = errors.New("the store was opened to read")
	// ErrNotFound: no such handover, fact or record.
	ErrNotFound = errors.New("not stored here")
	// ErrRemoved: the handover was removed by a person. See RemovedError.
	ErrRemoved = errors.New("removed")
	// ErrForeignOwner: a file or directory belongs to another user. See OwnerError.
	ErrForeignOwner = errors.New("another user's")
	// ErrNewerFormat: a newer program wrote the store or the record.
	ErrNewerFormat = errors.New("written by a newer version")
	// ErrUnfit: the file system cannot hold a store.
	ErrUnfit = errors.New("this directory cannot hold a store")
	// ErrNoLinks and ErrNoModes say why; both are ErrUnfit.
	ErrNoLinks error = unfit("its file system has no hard links")
	ErrNoModes error = unfit("its file system does not keep file modes")
	// ErrSymlink: a symbolic link inside the store.
	ErrSymlink = errors.New("a symbolic link inside the store")
	// ErrDamaged: a stored file fails its checks.
	ErrDamaged = errors.New("damaged")
	// ErrCollision: the id is taken by another actor's handover.
	ErrCollision = errors.New("the id is taken by another agent's handover")
	// ErrAmbiguous: a reference has several meanings. See AmbiguousError.
	ErrAmbiguous = errors.New("ambiguous")
	// ErrUnknownProject: the reference is not a whole id, and whose project to
	// look in is not known.
	ErrUnknownProject = errors.New("the caller's project is not known, so only whole ids work")
)

// unfit is a reason for ErrUnfit. It is a type of its own because package fmt, run
// at the start of every hook, would show in its time.
type unfit string

func (e unfit) Error() string { return ErrUnfit.Error() + ": " + string(e) }

func (unfit) Unwrap() error { return ErrUnfit }

// Why a call could not be bound to its caller (Store.Claim).
var (
	// ErrNoRecord: no hook issued a record for the call.
	ErrNoRecord = errors.New("no record for this call")
	// ErrOtherArguments: a hook saw the call with other arguments.
	ErrOtherArguments = errors.New("the arguments differ from those the hook saw")
	// ErrSeveralActors: more than one agent made this very call.
	ErrSeveralActors = errors.New("several agents made this very call")
	// ErrReplayed: the call was answered before.
	ErrReplayed = errors.New("this call was already answered")
	// ErrForeignToken: the hidden argument is none of ours.
	ErrForeignToken = errors.New("the hidden argument is not one that a hook gave out")
)

// NewerHookError: the record is of a version that this program does not know.
type NewerHookError struct {
	// Hook is the version of the hook program that wrote it, as far as it could
	// be read.
	Hook string
	// Version of the record.
	Version int
}

func (e NewerHookError) Error() string {
	return fmt.Sprintf("the hook (%s) writes records of version %d, this program reads up to %d: restart the host", cmp.Or(e.Hook, "version unknown"), e.Version, RecordVersion)
}

// OwnerError is an ErrForeignOwner with the two users.
type OwnerError struct {
	Path  string
	Owner int // uid of the file
	Want  int // uid of this process
}

func (e OwnerError) Error() string {
	return fmt.Sprintf("%s belongs to user %d and this program runs as user %d; nothing was read or written; set AUTO_CONTEXT_HANDOVER_DATA to a directory of your own", e.Path, e.Owner, e.Want)
}

// Is makes errors.Is(err, ErrForeignOwner) true.
func (OwnerError) Is(target error) bool { return target == ErrForeignOwner }

// RemovedError is an ErrRemoved with what the removal left.
type RemovedError struct {
	ID string
	At time.Time
	// SHA256 of the removed file, 64 hex digits.
	SHA256 string
}

func (e RemovedError) Error() string {
	return fmt.Sprintf("%s was removed on %s; its id is not used again", e.ID, e.At.UTC().Format("2006-01-02"))
}

// Is makes errors.Is(err, ErrRemoved) true.
func (RemovedError) Is(target error) bool { return target == ErrRemoved }

// AmbiguousError is an ErrAmbiguous with the handovers that a reference can mean.
type AmbiguousError struct {
	Reference  string
	Candidates []string // ids, at most 10
}

func (e AmbiguousError) Error() string {
	return fmt.Sprintf("%q can mean %d handovers (%v); name one by its whole id", e.Reference, len(e.Candidates), e.Candidates)
}

// Is makes errors.Is(err, ErrAmbiguous) true.
func (AmbiguousError) Is(target error) bool { return target == ErrAmbiguous }

// ClosedError: the actor handed over before, as ID, and the text of this call
// was not stored.
type ClosedError struct {
	ID string
	// Removed: that handover was removed since.
	Removed bool
}

func (e ClosedError) Error() string {
	return "already handed over as " + e.ID + ", this text was not stored"
}

// TextError: a text has no exact form in UTF-8.
type TextError struct {
	// Part is the name of the argument or part.
	Part string
	// Offset in bytes, in the decoded text.
	Offset int64
	// What stands there, for people: "invalid UTF-8", "a lone surrogate \ud800".
	What string
}

func (e TextError) Error() string {
	return fmt.Sprintf("%s cannot be kept exactly: %s at byte %d", e.Part, e.What, e.Offset)
}

// NestedError: an argument is an object or array, which no parameter takes.
type NestedError struct {
	Name string
	Kind string // "object" or "array"
}

func (e NestedError) Error() string {
	return fmt.Sprintf("the argument %.64q is an %s, which no parameter takes", e.Name, e.Kind)
}

// TooLargeError: a text is over MaxText. Sizes in bytes.
type TooLargeError struct {
	Part        string
	Size, Limit int64
}

func (e TooLargeError) Error() string {
	return fmt.Sprintf("%s has %d bytes, at most %d are stored", e.Part, e.Size, e.Limit)
}

// UncertainError: the disk did not confirm the last step, or the directory is no
// longer the store. The text may be stored; the same call again settles it.
type UncertainError struct {
	ID    string
	Cause error
}

func (e UncertainError) Error() string {
	return fmt.Sprintf("may be stored as %s, call again with the same text: %v", e.ID, e.Cause)
}

func (e UncertainError) Unwrap() error { return e.Cause }

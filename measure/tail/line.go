package tail

import (
	"io"

	"github.com/auto-context-handover/handover/internal/scan"
)

// Line is one line of a file, without its line feed (a carriage return before
// it is kept; JSON takes it for white space).
type Line struct {
	// Offset of its first byte and Length, in bytes.
	Offset, Length int64
	// Torn: the file ends without a line feed behind it.
	Torn bool

	held []byte // the whole line, where it lies within one block
	r    io.ReaderAt
	buf  []byte
}

// Bytes returns the line where it is held in memory.
func (l Line) Bytes() ([]byte, bool) { return l.held, l.held != nil }

// Reader streams the line.
func (l Line) Reader() io.Reader { return io.NewSectionReader(l.r, l.Offset, l.Length) }

// Scanner scans the line as JSON, from memory or as a stream.
func (l Line) Scanner() *scan.Scanner {
	if l.held != nil {
		return scan.NewBytes(l.held)
	}
	return scan.New(l.Reader(), l.buf)
}

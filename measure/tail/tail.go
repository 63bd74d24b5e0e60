// Package tail visits the lines of a file from the last to the first, in fixed
// memory, so that the newest record of a transcript of any size costs one small
// read.
//
// Transcripts are other programs' files, written while they are read. A line is
// handed out as it stands; that it is no record (torn, fused, NULs, another
// program's idea of JSON) is found by the caller, who leaves it and goes on:
//
//	stats, err := tail.Backward(f, f.Size(), tail.Options{}, func(l tail.Line) (more bool, err error) {
//		if !l.Contains([]byte(`"usage"`)) {
//			return true, nil
//		}
//		reading, err := decode(l.Scanner())
//		if err != nil {
//			return true, nil // not a record we understand
//		}
//		…
//		return false, nil
//	})
//
// A record may be written in one piece that has no line end yet. Such a last line
// is visited with Torn set: no prefix of a JSON object is a JSON object, so if it
// decodes to its end it is whole.
package tail

import (
	"errors"
	"io"
)

const (
	// DefaultBlock is how many bytes are read at once, and the longest line that
	// is held in memory.
	DefaultBlock = 64 << 10
	// DefaultCap is how far back from the end lines are visited, in bytes.
	DefaultCap = 32 << 20

	minBlock = 16
)

// ErrShrunk: the file has fewer bytes than it had, or than Options.Floor says. It
// was truncated or replaced; what was visited of it may belong to either.
var ErrShrunk = errors.New("file became shorter")

// Options are the bounds of one Backward. The zero Options are the defaults.
type Options struct {
	// Block is the size in bytes of one read, and all the memory that is used for
	// the file's content; 0: DefaultBlock, less than 16: 16.
	Block int
	// Buf is memory to use as the block, whose size is then its length. Shorter
	// than 16 bytes: the block is allocated.
	Buf []byte
	// Cap bounds the bytes from the end of the file in which lines are visited: a
	// line that starts before them is not. 0: DefaultCap.
	Cap int64
	// Floor is an offset: lines that start before it are not visited, as they
	// belong to an earlier epoch. A line that starts at it is.
	Floor int64
}

// Stats says what Backward did.
type Stats struct {
	// Lines is the number of lines visited.
	Lines int64
	// Bytes is the number of bytes read of the file. Those of a line longer than
	// the block are read once to find its start and again for each use.
	Bytes int64
	// Capped: visit wanted more, and before the first byte that Cap allows there
	// is more. What was not found may be there.
	Capped bool
	// Torn: the file does not end in a line end.
	Torn bool
}

// Backward calls visit for the lines of r, of which the first size bytes are
// looked at, from the last one to the first. Empty lines are left out; CRLF counts
// as a line end. visit returns whether it wants the line before. r may grow
// meanwhile.
//
// The error is that of visit, as it is, or one of reading, also one that a method
// of Line met: then nothing that visit saw should be relied on. Stats are right
// even so.
func Backward(r io.ReaderAt, size int64, opt Options, visit func(Line) (more bool, err error)) (Stats, error) {
	size = max(size, 0)
	if opt.Floor > size {
		return Stats{}, ErrShrunk
	}
	if len(opt.Buf) < minBlock {
		if opt.Block <= 0 {
			opt.Block = DefaultBlock
		}
		opt.Buf = make([]byte, max(opt.Block, minBlock))
	}
	if opt.Cap <= 0 {
		opt.Cap = DefaultCap
	}
	floor := max(opt.Floor, 0)
	b := &backward{r: r, end: size, first: max(floor, size-opt.Cap), block: block{buf: opt.Buf, end: size}}
	more, err := b.run(visit)
	b.stats.Capped = more && err == nil && b.first > floor
	return b.stats, err
}

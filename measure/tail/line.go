package tail

import (
	"bytes"
	"io"

	"github.com/auto-context-handover/handover/internal/scan"
)

// Line is one line of the file, without its line end. It and what its methods
// return are valid until visit returns, and for lines longer than the block until
// the next call of Contains or Scanner. Where a read fails, Backward returns the
// error after visit.
type Line struct {
	// Offset is where the line starts in the file, Length its bytes: at least 1.
	Offset, Length int64
	// Torn: the line has no line end, it is the last of the file and may be about
	// to be written.
	Torn bool

	inMemory []byte // nil: longer than the block
	b        *backward
}

// Bytes is the line, which must not be changed, if it fits into the block.
func (l Line) Bytes() ([]byte, bool) { return l.inMemory, l.inMemory != nil }

// Reader reads the line from its start, however long it is.
func (l Line) Reader() io.Reader {
	if l.inMemory != nil {
		return bytes.NewReader(l.inMemory)
	}
	return &stream{b: l.b, offset: l.Offset, left: l.Length}
}

// Scanner is a JSON scanner at the start of the line, however long it is. It is
// the same one for all lines of a Backward.
func (l Line) Scanner() *scan.Scanner {
	s := &l.b.scanner
	if l.inMemory != nil {
		s.Reset(l.inMemory)
	} else {
		s.ResetReader(l.Reader(), l.b.lend())
	}
	return s
}

// Contains reports whether sub is in the line: the cheap question before
// decoding it. It is false where a read fails.
func (l Line) Contains(sub []byte) bool {
	if l.inMemory != nil {
		return bytes.Contains(l.inMemory, sub)
	}
	buf := l.b.lend()
	if len(buf) < 2*len(sub) {
		buf = make([]byte, 2*len(sub))
	}
	r := l.Reader()
	for held := 0; ; {
		n, err := r.Read(buf[held:])
		held += n
		if bytes.Contains(buf[:held], sub) {
			return true
		}
		if err != nil {
			return false
		}
		// What may be the start of sub stays.
		keep := min(held, max(len(sub)-1, 0))
		copy(buf, buf[held-keep:held])
		held = keep
	}
}

// lend gives the block away; what it holds is lost.
func (b *backward) lend() []byte {
	b.block.n = 0
	return b.block.buf
}

// stream reads a line that is not in memory.
type stream struct {
	b      *backward
	offset int64
	left   int64
}

func (s *stream) Read(p []byte) (int, error) {
	if s.b.err != nil {
		return 0, s.b.err
	}
	if s.left == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), s.left)]
	if err := s.b.read(p, s.offset); err != nil {
		s.b.err = err
		return 0, err
	}
	s.offset += int64(len(p))
	s.left -= int64(len(p))
	return len(p), nil
}

package tail

import (
	"bytes"
	"io"

	"github.com/auto-context-handover/handover/internal/scan"
)

// backward is the state of one Backward.
type backward struct {
	r       io.ReaderAt
	end     int64 // lines from here on were visited
	first   int64 // lines that start before this are not visited
	block   block
	err     error // met by a method of Line
	scanner scan.Scanner
	stats   Stats
}

// block is a part of the file in memory: it ends at offset end of the file and
// at the end of buf, of which it takes the last n bytes.
type block struct {
	buf []byte
	n   int
	end int64
}

func (b *block) start() int64 { return b.end - int64(b.n) }

// part is what is in memory of the file from its offset from up to to.
func (b *block) part(from, to int64) []byte {
	zero := b.end - int64(len(b.buf)) // offset of the start of buf
	return b.buf[from-zero : to-zero]
}

// run visits all lines. more is false if visit or an error ended that.
func (b *backward) run(visit func(Line) (bool, error)) (more bool, err error) {
	for b.end > b.first {
		l, err := b.last()
		if err != nil {
			return false, err
		}
		if l.Offset < b.first {
			break
		}
		b.end = l.Offset
		if l.Length == 0 {
			continue
		}
		b.stats.Lines++
		more, err := visit(l)
		if b.err != nil {
			return false, b.err
		}
		if err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// last is the line whose line end is just before b.end. Of a line that starts
// before b.first only an offset below b.first is told.
func (b *backward) last() (Line, error) {
	// The byte before b.first tells whether a line starts there.
	lowest := max(b.first-1, 0)
	if b.block.end < b.end || b.block.start() >= b.end {
		b.block.n, b.block.end = 0, b.end
	}
	if b.block.n == 0 {
		if err := b.load(lowest); err != nil {
			return Line{}, err
		}
	}
	start, found := b.block.lineStart(b.end - 1)
	if !found && b.block.start() > lowest {
		// Now as much of the line as the block can hold.
		if err := b.load(lowest); err != nil {
			return Line{}, err
		}
		start, found = b.block.lineStart(b.end - 1)
	}
	ending := b.ending()
	l := Line{Offset: start, Length: b.end - ending - start, Torn: ending == 0, b: b}
	if found || start == lowest {
		if start >= b.first {
			l.inMemory = b.block.part(start, b.end-ending)
		}
		return l, nil
	}
	for !found && start > lowest {
		b.block.n, b.block.end = 0, start
		if err := b.load(lowest); err != nil {
			return Line{}, err
		}
		start, found = b.block.lineStart(start)
	}
	l.Offset, l.Length = start, b.end-ending-start
	return l, nil
}

// lineStart is the offset after the last line end before the offset to; without
// one, false and the offset from which on there is none.
func (b *block) lineStart(to int64) (int64, bool) {
	i := bytes.LastIndexByte(b.part(b.start(), to), '\n')
	return b.start() + int64(i+1), i >= 0
}

// ending is the length of the line end before b.end, which is in the block: 0 at
// the end of a file that is torn.
func (b *backward) ending() int64 {
	last := b.block.part(max(b.block.start(), b.end-2), b.end)
	switch {
	case last[len(last)-1] != '\n':
		b.stats.Torn = true
		return 0
	case len(last) == 2 && last[0] == '\r':
		return 2
	}
	return 1
}

// load makes the block end at b.end, or where it is empty at its own end, and
// reads what fits before what it holds of that, but nothing before lowest.
func (b *backward) load(lowest int64) error {
	k := &b.block
	if k.n > 0 && k.end > b.end {
		held := k.part(k.start(), b.end)
		copy(k.buf[len(k.buf)-len(held):], held)
		k.n, k.end = len(held), b.end
	}
	n := int(min(int64(len(k.buf)-k.n), k.start()-lowest))
	into := k.buf[len(k.buf)-k.n-n : len(k.buf)-k.n]
	if err := b.read(into, k.start()-int64(n)); err != nil {
		k.n = 0
		return err
	}
	k.n += n
	return nil
}

// read fills p from the given offset of the file.
func (b *backward) read(p []byte, offset int64) error {
	n, err := b.r.ReadAt(p, offset)
	b.stats.Bytes += int64(n)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		return ErrShrunk
	}
	return err
}

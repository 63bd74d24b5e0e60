package tail

import (
	"bytes"
	"errors"
	"io"
)

const (
	// DefaultBlock is the size in bytes of the blocks a file is read in.
	DefaultBlock = 64 << 10
	// DefaultCap is the number of bytes from the end within which lines are
	// looked for.
	DefaultCap = 32 << 20
)

// Options bound a walk. The zero Options are the defaults.
type Options struct {
	// Block is the size in bytes of one read; 0 is DefaultBlock.
	Block int
	// Cap is how far back from the end, in bytes, a line may begin; 0 is
	// DefaultCap.
	Cap int64
	// Floor is an offset: lines that begin before it are not visited.
	Floor int64
}

// Stats say what a walk came to.
type Stats struct {
	// Lines visited, and bytes read to find them.
	Lines, Bytes int64
	// Capped: the walk ended at the cap, with more of the file before it.
	Capped bool
}

// ErrShrunk: the file became shorter than its size was when it was opened.
var ErrShrunk = errors.New("the file became shorter while it was read")

// Backward visits the lines of the first size bytes of r, the last one first,
// until visit returns false or an error, which is returned as it is. Empty
// lines are passed over. A line without a line end at the end of the file may
// still be being written; it is visited with Torn set.
//
// Memory is two blocks, whatever the file and its lines hold. r may be appended
// to meanwhile. A Line is valid only during its visit.
func Backward(r io.ReaderAt, size int64, opt Options, visit func(Line) (more bool, err error)) (Stats, error) {
	w := walk{r: r, block: opt.Block, visit: visit}
	if w.block <= 0 {
		w.block = DefaultBlock
	}
	limit := opt.Cap
	if limit <= 0 {
		limit = DefaultCap
	}
	w.first = max(opt.Floor, size-limit, 0)
	err := w.run(size)
	if err == nil && !w.stopped && size-limit > max(opt.Floor, 0) {
		w.stats.Capped = true
	}
	return w.stats, err
}

type walk struct {
	r     io.ReaderAt
	block int
	visit func(Line) (bool, error)
	// first is the least offset at which a visited line may begin.
	first int64

	buf     []byte // the block at offset at
	at      int64
	spare   []byte // for lines that do not lie within one block
	stats   Stats
	stopped bool
}

// run walks from end to first. A line's start is known once the line end before
// it, or the file's start, is found.
func (w *walk) run(end int64) error {
	lineEnd := end // where the current line ends, its line end not counted
	torn := true   // until a line end is seen behind it
	for pos := end; pos > w.first; {
		n := min(int64(w.block), pos-w.first)
		if err := w.load(pos-n, int(n)); err != nil {
			return err
		}
		chunk := w.buf
		for {
			i := bytes.LastIndexByte(chunk, '\n')
			if i < 0 {
				break
			}
			nl := w.at + int64(i)
			if err := w.line(nl+1, lineEnd, torn); err != nil || w.stopped {
				return err
			}
			lineEnd, torn = nl, false
			chunk = chunk[:i]
		}
		pos -= n
	}
	// What is left begins at first. That is the start of a line only at the
	// start of the file or right behind a line end.
	whole, err := w.beginsLine()
	if err != nil || !whole {
		return err
	}
	return w.line(w.first, lineEnd, torn)
}

// beginsLine reports whether a line begins at the least offset.
func (w *walk) beginsLine() (bool, error) {
	if w.first == 0 {
		return true, nil
	}
	var b [1]byte
	if n, err := w.r.ReadAt(b[:], w.first-1); n != 1 {
		return false, shrunk(err)
	}
	return b[0] == '\n', nil
}

// load reads the block [at, at+n).
func (w *walk) load(at int64, n int) error {
	if w.buf == nil || cap(w.buf) < n {
		w.buf = make([]byte, n)
	}
	w.buf = w.buf[:n]
	w.at = at
	got, err := w.r.ReadAt(w.buf, at)
	w.stats.Bytes += int64(got)
	if got < n {
		return shrunk(err)
	}
	return nil
}

func shrunk(err error) error {
	if err == nil || err == io.EOF {
		return ErrShrunk
	}
	return err
}

// line visits the line [start, end).
func (w *walk) line(start, end int64, torn bool) error {
	if start >= end {
		return nil
	}
	w.stats.Lines++
	l := Line{Offset: start, Length: end - start, Torn: torn, r: w.r}
	if start >= w.at && end <= w.at+int64(len(w.buf)) {
		l.held = w.buf[start-w.at : end-w.at]
	} else if w.spare == nil {
		w.spare = make([]byte, w.block)
	}
	l.buf = w.spare
	more, err := w.visit(l)
	w.stopped = !more
	return err
}

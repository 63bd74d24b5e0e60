package tail_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/measure/tail"
)

// fake is a file of any size that is not there: zeros, or what fill says, and
// after them text.
type fake struct {
	size int64
	fill byte
	text string
}

func (f fake) ReadAt(p []byte, offset int64) (int, error) {
	n := int(max(0, min(int64(len(p)), f.size-offset)))
	from := f.size - int64(len(f.text))
	if n > 0 {
		p[0] = f.fill
	}
	for filled := 1; filled < n; filled *= 2 {
		copy(p[filled:n], p[:filled])
	}
	if offset+int64(n) > from {
		if offset >= from {
			copy(p[:n], f.text[offset-from:])
		} else {
			copy(p[from-offset:n], f.text)
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// measured runs Backward and fails if it allocates more than a block and little
// else.
func measured(t *testing.T, f fake, visit func(tail.Line) (bool, error)) tail.Stats {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	stats, err := tail.Backward(f, f.size, tail.Options{}, visit)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 96<<10 {
		t.Errorf("allocated %d bytes in all", got)
	}
	return stats
}

func TestSparseGigabyte(t *testing.T) {
	stats := measured(t, fake{size: 1 << 30, text: "\n{\"n\":1}\n"}, func(l tail.Line) (bool, error) {
		if text, _ := l.Bytes(); string(text) != `{"n":1}` {
			t.Errorf("visited %d bytes at %d", l.Length, l.Offset)
		}
		return true, nil
	})
	if !stats.Capped || stats.Lines != 1 || stats.Bytes > tail.DefaultCap+2*tail.DefaultBlock {
		t.Errorf("%+v", stats)
	}
}

func TestLineBeyondCapIsNotVisited(t *testing.T) {
	stats := measured(t, fake{size: 200 << 20, fill: 'x', text: "\n"}, func(tail.Line) (bool, error) {
		t.Error("visited")
		return true, nil
	})
	if !stats.Capped || stats.Bytes > tail.DefaultCap+2*tail.DefaultBlock {
		t.Errorf("%+v", stats)
	}
}

func TestLongLineWithinCapIsStreamed(t *testing.T) {
	const size = 200 << 20
	f := fake{size: size, fill: 'x', text: `"}` + "\n"}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seen := false
	stats, err := tail.Backward(f, size, tail.Options{Cap: 1 << 30}, func(l tail.Line) (bool, error) {
		_, inMemory := l.Bytes()
		seen = l.Length == size-1 && !inMemory && l.Contains([]byte(`x"}`)) && !l.Contains([]byte("y"))
		if err := l.Scanner().End(); err == nil {
			t.Error("that was no JSON")
		}
		return true, nil
	})
	runtime.ReadMemStats(&after)
	if err != nil || !seen || stats.Lines != 1 || stats.Capped {
		t.Errorf("%v, %+v, %v", seen, stats, err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 96<<10 {
		t.Errorf("allocated %d bytes in all", got)
	}
}

// cut is a reader of a file that lost its end after the first reads.
type cut struct {
	r     io.ReaderAt
	reads int
	err   error
}

func (c *cut) ReadAt(p []byte, offset int64) (int, error) {
	if c.reads--; c.reads < 0 {
		return min(len(p), 3), c.err
	}
	return c.r.ReadAt(p, offset)
}

func TestReadErrorsEndIt(t *testing.T) {
	broken := errors.New("input/output error")
	file := strings.Repeat("short\n", 20) + strings.Repeat("long", 50) + "\n" + strings.Repeat("short\n", 20)
	for readErr, want := range map[error]error{io.EOF: tail.ErrShrunk, broken: broken} {
		for reads := 0; ; reads++ {
			r := &cut{r: strings.NewReader(file), reads: reads, err: readErr}
			_, err := tail.Backward(r, int64(len(file)), tail.Options{Block: 32}, func(l tail.Line) (bool, error) {
				l.Contains([]byte("none"))
				if err := l.Scanner().End(); err == nil {
					t.Error("that was no JSON")
				}
				return true, nil
			})
			if r.reads >= 0 {
				if err != nil {
					t.Errorf("whole file: %v", err)
				}
				break
			}
			if !errors.Is(err, want) {
				t.Errorf("after %d reads: %v, want %v", reads, err, want)
			}
		}
	}
}

func TestFloorBeyondTheFile(t *testing.T) {
	_, err := tail.Backward(strings.NewReader("a\n"), 2, tail.Options{Floor: 3}, func(tail.Line) (bool, error) {
		t.Error("visited")
		return true, nil
	})
	if err != tail.ErrShrunk {
		t.Error(err)
	}
	if _, err := tail.Backward(strings.NewReader(""), -1, tail.Options{Floor: -5}, nil); err != nil {
		t.Error(err)
	}
}

// rows is a file of rows of 1 KiB.
func rows(size int64) fake {
	return fake{size: size, text: strings.Repeat(strings.Repeat("r", 1023)+"\n", 300)}
}

func BenchmarkNewest(b *testing.B) {
	for name, size := range map[string]int64{"1MB": 1 << 20, "1GB": 1 << 30} {
		for where, skip := range map[string]int{"last row": 1, "100 rows back": 100} {
			b.Run(name+" "+where, func(b *testing.B) {
				f, buf := rows(size), make([]byte, tail.DefaultBlock)
				b.ReportAllocs()
				for b.Loop() {
					n := 0
					_, err := tail.Backward(f, f.size, tail.Options{Buf: buf}, func(l tail.Line) (bool, error) {
						n++
						return n < skip, nil
					})
					if err != nil || n != skip {
						b.Fatal(n, err)
					}
				}
			})
		}
	}
}

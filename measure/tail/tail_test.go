package tail_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/measure/tail"
)

// visited is a line as a test sees it.
type visited struct {
	Offset int64
	Text   string
	Torn   bool
}

// forward is what Backward must visit, found the plain way: all lines with their
// offsets, in the order of the file.
func forward(file string, first int64) (lines []visited) {
	for offset := 0; offset < len(file); {
		text, _, ended := strings.Cut(file[offset:], "\n")
		l := visited{Offset: int64(offset), Text: text, Torn: !ended}
		offset += len(text) + 1
		if ended {
			l.Text = strings.TrimSuffix(text, "\r")
		}
		if l.Text != "" && l.Offset >= first {
			lines = append(lines, l)
		}
	}
	return lines
}

// backward visits everything and returns it in the order of the file. Lines are
// read in the way that use selects.
func backward(file string, opt tail.Options, use int) (lines []visited, stats tail.Stats, err error) {
	stats, err = tail.Backward(strings.NewReader(file), int64(len(file)), opt, func(l tail.Line) (bool, error) {
		v := visited{Offset: l.Offset, Torn: l.Torn}
		text, ok := l.Bytes()
		switch {
		case ok && use != 1:
			v.Text = string(text)
		case use == 2: // leave the block alone
			v.Text = file[l.Offset : l.Offset+l.Length]
		default:
			text, err := io.ReadAll(l.Reader())
			if err != nil {
				return false, err
			}
			v.Text = string(text)
		}
		if use == 3 { // take the block
			l.Contains([]byte("none"))
		}
		if int64(len(v.Text)) != l.Length {
			return false, fmt.Errorf("line at %d: %d bytes, Length %d", l.Offset, len(v.Text), l.Length)
		}
		lines = append([]visited{v}, lines...)
		return true, nil
	})
	return lines, stats, err
}

func check(t *testing.T, file string, block int, reach, floor int64, use int) {
	t.Helper()
	size := int64(len(file))
	floor = min(floor, size)
	first := floor
	if reach > 0 {
		first = max(first, size-reach)
	}
	got, stats, err := backward(file, tail.Options{Buf: make([]byte, block), Cap: reach, Floor: floor}, use)
	want := forward(file, first)
	place := fmt.Sprintf("block %d, cap %d, floor %d, use %d", block, reach, floor, use)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%s: %q\n got %+v, %v\nwant %+v", place, file, got, err, want)
	}
	if stats.Lines != int64(len(want)) || stats.Capped != (first > floor) {
		t.Fatalf("%s: %q: %+v", place, file, stats)
	}
	if torn := size > 0 && file[size-1] != '\n'; stats.Torn != torn && size > first {
		t.Fatalf("%s: %q: %+v", place, file, stats)
	}
}

func TestBackwardTable(t *testing.T) {
	long := strings.Repeat("long", 20)
	for _, file := range []string{
		"", "\n", "\n\n\r\n", "a", "a\n", "a\r\n", "a\r", "\r", "\r\n", "a\nb", "a\nb\n", "a\n\nb\n\n",
		`{"a":1}` + "\n" + `{"b":2}{"c":3}` + "\r\n" + `{"to`,
		"\xEF\xBB\xBF{}\n{}\n",
		"\x00\x00\x00\n{}\x00\n\x00",
		long, long + "\n", long + "\r\n", "a\n" + long, long + "\nb\n", "a\n" + long + "\r\n" + long + "\nb",
		strings.Repeat("x", 15) + "\n" + strings.Repeat("y", 16) + "\n" + strings.Repeat("z", 17) + "\n",
		strings.Repeat("x", 14) + "\r\n" + strings.Repeat("y", 15) + "\r\n" + strings.Repeat("z", 16) + "\r\n",
	} {
		for _, block := range []int{16, 17, 18, 31, 32, 64, 1 << 16} {
			for use := range 4 {
				for bound := range int64(len(file)) + 2 {
					check(t, file, block, bound, 0, use)
					check(t, file, block, 0, bound, use)
				}
				check(t, file, block, 40, 30, use)
				check(t, file, block, 30, 20, use)
			}
		}
	}
}

// randomFile has lines of very different lengths and all kinds of ends.
func randomFile(r *rand.Rand) string {
	var file strings.Builder
	for range r.IntN(12) {
		n := r.IntN(1 << r.IntN(9))
		for range n {
			file.WriteByte("abc{}\"\x00\r\xff"[r.IntN(9)])
		}
		file.WriteString([]string{"\n", "\r\n", "\n\n", "\n", ""}[r.IntN(5)])
	}
	return file.String()
}

func TestBackwardEqualsForward(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	for range 3000 {
		file := randomFile(r)
		bound := func() int64 { return int64(r.IntN(len(file) + 1)) }
		block := 16 + r.IntN(1<<r.IntN(10))
		for use := range 4 {
			check(t, file, block, 0, 0, use)
			check(t, file, block, bound(), bound(), use)
		}
	}
}

func FuzzBackward(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{\"b\":2}\r\n{\"to"), uint16(16), uint16(0), uint16(0), uint8(0))
	f.Add([]byte(strings.Repeat("x", 100)+"\n\n"+strings.Repeat("y", 40)), uint16(20), uint16(90), uint16(3), uint8(3))
	f.Fuzz(func(t *testing.T, file []byte, block, reach, floor uint16, use uint8) {
		check(t, string(file), max(int(block), 16), int64(reach), int64(floor), int(use%4))
	})
}

func TestVisitEndsIt(t *testing.T) {
	stop := errors.New("stop")
	for want, answer := range map[error]func() (bool, error){
		nil:  func() (bool, error) { return false, nil },
		stop: func() (bool, error) { return true, stop },
	} {
		file := strings.Repeat("line\n", 100)
		stats, err := tail.Backward(strings.NewReader(file), int64(len(file)), tail.Options{Cap: 50}, func(tail.Line) (bool, error) {
			return answer()
		})
		if err != want || stats.Lines != 1 || stats.Capped {
			t.Errorf("%+v, %v", stats, err)
		}
	}
}

func TestContains(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		line := make([]byte, 1+r.IntN(200))
		for i := range line {
			line[i] = "ab"[r.IntN(2)]
		}
		sub := make([]byte, r.IntN(1<<r.IntN(8)))
		for i := range sub {
			sub[i] = "ab"[r.IntN(2)]
		}
		if r.IntN(2) == 0 {
			from := r.IntN(len(line))
			sub = line[from : from+r.IntN(len(line)-from+1)]
		}
		file := "first\n" + string(line) + "\n"
		_, err := tail.Backward(strings.NewReader(file), int64(len(file)), tail.Options{Block: 16 + r.IntN(40)}, func(l tail.Line) (bool, error) {
			if l.Offset == 6 && l.Contains(sub) != bytes.Contains(line, sub) {
				t.Fatalf("%q in %q: %v", sub, line, l.Contains(sub))
			}
			if l.Offset == 0 && !l.Contains([]byte("irs")) {
				t.Fatal("the line before is lost")
			}
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestScanner(t *testing.T) {
	pad := strings.Repeat("p", 300)
	file := `{"n":1}` + "\n" + `{"pad":"` + pad + `","n":2}` + "\r\n" + `{"n":3}{"n":4}` + "\n" + "\x00\x00\n" + `{"n":5}` + "\n" + `{"n":6`
	for _, block := range []int{16, 64, 1 << 16} {
		var got []int64
		stats, err := tail.Backward(strings.NewReader(file), int64(len(file)), tail.Options{Block: block}, func(l tail.Line) (bool, error) {
			if !l.Contains([]byte(`"n":`)) {
				return true, nil
			}
			var n int64
			s := l.Scanner()
			if err := s.Document(func(key string) (err error) {
				if key == "n" {
					n, _, err = s.Int()
				}
				return err
			}); err == nil {
				got = append(got, n)
			}
			return true, nil
		})
		if err != nil || fmt.Sprint(got) != "[5 2 1]" || stats.Lines != 6 || !stats.Torn {
			t.Errorf("block %d: %v, %+v, %v", block, got, stats, err)
		}
	}
}

func TestTornLineThatIsWhole(t *testing.T) {
	file := `{"n":1}` + "\n" + `{"n":2}`
	_, err := tail.Backward(strings.NewReader(file), int64(len(file)), tail.Options{}, func(l tail.Line) (bool, error) {
		if !l.Torn {
			t.Error("not torn")
		}
		return false, l.Scanner().End()
	})
	if err != nil {
		t.Error(err)
	}
}

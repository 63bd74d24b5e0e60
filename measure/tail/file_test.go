package tail_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/measure/tail"
)

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte("{}\n{\"n\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := tail.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Size() != 11 {
		t.Errorf("size %d", f.Size())
	}
	if err := os.Truncate(path, 5); err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 4)
	if n, err := f.ReadAt(p, 0); n != 4 || err != nil || string(p) != "{}\n{" {
		t.Errorf("%d, %v, %q", n, err, p)
	}
	if n, err := f.ReadAt(p, 3); n != 2 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
	if n, err := f.ReadAt(p, 100); n != 0 || err != io.EOF {
		t.Errorf("beyond the end: %d, %v", n, err)
	}
	if _, err := f.ReadAt(p, -1); err == nil || err == io.EOF {
		t.Errorf("before the start: %v", err)
	}
	if _, err := tail.Backward(f, f.Size(), tail.Options{}, nil); !errors.Is(err, tail.ErrShrunk) {
		t.Errorf("a file cut off: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
	if _, err := f.ReadAt(p, 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("ReadAt after Close: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]error{
		filepath.Join(dir, "missing"): fs.ErrNotExist,
		dir:                           tail.ErrNotRegular,
	} {
		_, err := tail.Open(path)
		if !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

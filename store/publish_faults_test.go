package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestPublishFailsAtEveryStep lets every step of a publish fail, once alone and
// once with all that follow it.
func TestPublishFailsAtEveryStep(t *testing.T) {
	uncertain := 0
	for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
		for _, mode := range []string{"once", "from here on", "torn write"} {
			for k := 1; ; k++ {
				if done := publishWithFault(t, cause, mode, k, &uncertain); done {
					if k < 10 && mode != "torn write" {
						t.Fatalf("only %d steps", k)
					}
					break
				}
			}
		}
	}
	if uncertain == 0 {
		t.Error("no step leaves it uncertain")
	}
}

// publishWithFault reports done where there is no step k any more.
func publishWithFault(t *testing.T, cause error, mode string, k int, uncertainties *int) (done bool) {
	t.Helper()
	dir := fresh(t)
	create(t, dir).Close()
	hit := false
	st := &steps{torn: mode == "torn write"}
	n := 0
	st.before = func(_ int, op string) error {
		if st.torn && op != "torn write" {
			return nil
		}
		if n++; n == k || n > k && mode == "from here on" {
			hit = true
			return &os.PathError{Op: op, Path: "x", Err: cause}
		}
		return nil
	}
	d := draft(sub(1), "the text")
	s, err := createStore(dir, st.opener)
	var p Published
	if err == nil {
		p, err = s.Publish(d)
		s.Close()
	}
	if !hit {
		if err != nil {
			t.Fatal(err)
		}
		return true
	}
	name := func() string { return cause.Error() + ", " + mode + ", step " + itoa(int64(k)) }
	clean := create(t, dir)
	defer clean.Close()
	id, state, e := clean.Latest(sub(1))
	if e != nil {
		t.Fatalf("%s: %v", name(), e)
	}
	var uncertain UncertainError
	switch {
	case err == nil && (!state.Exists || id != p.ID):
		t.Errorf("%s: acknowledged and not there", name())
	case err != nil && errors.As(err, &uncertain):
		*uncertainties++
		if uncertain.ID != HandoverID(sub(1), 1) {
			t.Errorf("%s: uncertain of %s", name(), uncertain.ID)
		}
	case err != nil && state.Exists:
		t.Errorf("%s: an error (%v) and it is there", name(), err)
	case err != nil && !errors.Is(err, cause):
		t.Errorf("%s: the cause is not named: %v", name(), err)
	}
	if state.Exists {
		if _, e := clean.Handover(id); e != nil {
			t.Errorf("%s: half a handover: %v", name(), e)
		}
	}
	again, e := clean.Publish(d)
	if e != nil || again.Ordinal != 1 {
		t.Errorf("%s: the same call again: %+v %v", name(), again, e)
	}
	if e := clean.Sweep(time.Now().Add(48 * time.Hour)); e != nil {
		t.Errorf("%s: %v", name(), e)
	}
	if n := temporaries(t, filepath.Join(dir, "handovers")); n != 0 {
		t.Errorf("%s: %d temporary files after a sweep", name(), n)
	}
	return false
}

// liar is a disk that gives other bytes back than were written.
type liar struct{ directory }

func (d liar) Enter(name string) (directory, error) {
	sub, err := d.directory.Enter(name)
	return liar{sub}, err
}

func (d liar) Create(name string) (file, error) {
	f, err := d.directory.Create(name)
	return lyingFile{f}, err
}

type lyingFile struct{ file }

func (f lyingFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.file.ReadAt(b, at)
	if n > 100 {
		b[100] ^= 1
	}
	return n, err
}

func TestWhatTheDiskChangedIsNotStored(t *testing.T) {
	dir := fresh(t)
	create(t, dir)
	s, err := createStore(dir, func(path string) (directory, error) {
		d, err := openDirectory(path)
		return liar{d}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Publish(draft(sub(1), "x")); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	if _, state, err := s.Latest(sub(1)); state.Ordinal != 0 || err != nil {
		t.Errorf("%+v %v", state, err)
	}
}

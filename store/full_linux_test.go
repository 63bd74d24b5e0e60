package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// small is a directory on a file system of 256 KiB, where this process may
// mount one; elsewhere ok is false and the tests with failing steps stand in.
func small(t *testing.T, options string) (dir string, ok bool) {
	mount := t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, options); err != nil {
		t.Logf("no file system of its own: %v", err)
		return "", false
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(mount, 0); err != nil {
			t.Error(err)
		}
	})
	return filepath.Join(mount, "store"), true
}

func TestFullDisk(t *testing.T) {
	dir, ok := small(t, "size=256k,mode=700")
	if !ok {
		return
	}
	s, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept := publish(t, s, draft(sub(1), "kept"))
	for _, x := range []string{dirCapabilities, dirActors, dirSpawns, dirActors + "/" + sub(2).Key()} {
		if err := s.make(x, false); err != nil {
			t.Fatal(err)
		}
	}
	ballast := filepath.Join(filepath.Dir(dir), "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	f.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	key := CapabilityKey("claude", "", "call")
	d := draft(sub(2), fmt.Sprintf("%05000d", 1))
	for name, f := range map[string]func() error{
		"publish": func() error { _, err := s.Publish(d); return err },
		"issue":   func() error { _, err := s.IssueCapability(key, capability(sub(2), "x")); return err },
		"probe":   s.ProbeWrite,
		"fact":    func() error { _, err := s.ClaimOnce(sub(2), FactDelivered, Delivery{}); return err },
		"spawn":   func() error { _, err := s.RecordSpawn(Spawn{Parent: mainAgent()}); return err },
	} {
		if err := f(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s on a full disk: %v", name, err)
		}
	}
	for _, name := range []string{"handovers", "capabilities", "spawns", "actors/" + sub(2).Key()} {
		want := 0
		if name == "handovers" {
			want = 1
		}
		if list := listed(t, filepath.Join(dir, name)); len(list) != want || temporaries(t, filepath.Join(dir, name)) != 0 {
			t.Errorf("left in %s: %v", name, list)
		}
	}
	if _, err := s.Handover(kept.ID); err != nil {
		t.Error(err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	publish(t, s, d)
	if _, err := s.IssueCapability(key, capability(sub(2), "x")); err != nil {
		t.Error(err)
	}
	if c, err := s.Claim(key, ClaimQuery{Tool: "context_handover", Arguments: "x", Now: time.Now()}); err != nil || c.Actor != sub(2) {
		t.Errorf("%+v %v", c, err)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	dir, ok := small(t, "size=256k,mode=700")
	if !ok {
		return
	}
	s, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := publish(t, s, draft(sub(1), "kept"))
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.Close()
	mount := filepath.Dir(dir)
	if err := syscall.Mount("tmpfs", mount, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Handover(p.ID); err != nil {
		t.Error(err)
	}
	if _, err := r.Facts(sub(1)); err != nil {
		t.Error(err)
	}
	r.Close()
	if _, err := Create(dir); !errors.Is(err, syscall.EROFS) {
		t.Errorf("lax modes on a read-only disk: %v", err)
	}
	if err := syscall.Mount("tmpfs", mount, "tmpfs", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", mount, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	w, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Publish(draft(sub(2), "x")); !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v", err)
	}
}

func TestNoInodesLeft(t *testing.T) {
	dir, ok := small(t, "size=256k,mode=700,nr_inodes=9")
	if !ok {
		return
	}
	s, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stored := 0
	for n := range 9 {
		if _, err := s.Publish(draft(sub(n), "x")); err == nil {
			stored++
		} else if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v", err)
		}
	}
	if list := listed(t, filepath.Join(dir, "handovers")); stored == 0 || len(list) != stored {
		t.Errorf("%d acknowledged, there are %v", stored, list)
	}
}

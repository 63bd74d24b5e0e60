//go:build unix

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// everything uses each kind of file once, in a store of its own.
func everything(dir string) error {
	s, err := Create(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	a := sub(1)
	key := CapabilityKey("claude", "", "call")
	if _, err := s.IssueCapability(key, capability(a, "x")); err != nil {
		return err
	}
	if _, err := s.Claim(key, ClaimQuery{Tool: "context_handover", Arguments: "x", Now: time.Now()}); err != nil {
		return err
	}
	p, err := s.Publish(draft(a, "text"))
	if err != nil {
		return err
	}
	spawn, err := s.RecordSpawn(Spawn{Parent: mainAgent(), CallID: "c", Prompt: "p", PromptKnown: true})
	if err != nil {
		return err
	}
	if err := s.LinkSpawn(a, spawn); err != nil {
		return err
	}
	n, err := s.StartEpoch(a, Epoch{Cause: "compact", Floor: 1})
	if err != nil {
		return err
	}
	if _, err := s.ClaimStage(a, n, []int{1}); err != nil {
		return err
	}
	if err := s.RecordRead(p.ID, "reader", 1, 1, true); err != nil {
		return err
	}
	if _, err := s.ClaimContinuation(p.ID, ContinuationSubmitting, Continuation{}); err != nil {
		return err
	}
	if err := s.SignOfLife("claude", "s"); err != nil {
		return err
	}
	if err := s.NoteSession(Session{Actor: a}); err != nil {
		return err
	}
	if err := s.TouchFallback("claude"); err != nil {
		return err
	}
	if err := s.Reopen(p.ID); err != nil {
		return err
	}
	r, err := Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	if lines := r.Tightened(); len(lines) != 0 {
		return fmt.Errorf("a new store is lax: %v", lines)
	}
	if _, err := r.Facts(a); err != nil {
		return err
	}
	_, err = r.Handover(p.ID)
	return err
}

// nobody is a directory in which an unprivileged user can work; where this test
// is run by root, the child is that user.
const nobodyID = 65534

func TestUmasks(t *testing.T) {
	for _, mask := range []string{"0", "077", "0177", "0277"} {
		t.Run(mask, func(t *testing.T) {
			base, err := os.MkdirTemp("", "handover-umask")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(base) })
			dir := filepath.Join(base, "a", "b", "store")
			cmd := child(t, "everything", dir, mask)
			if os.Getuid() == 0 {
				self := filepath.Join(base, "self")
				data, err := os.ReadFile(cmd.Path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(self, data, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Chown(base, nobodyID, nobodyID); err != nil {
					t.Fatal(err)
				}
				cmd.Path = self
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyID, Gid: nobodyID}}
			}
			cmd.Dir = base
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			files := 0
			err = filepath.WalkDir(filepath.Join(base, "a"), func(path string, e fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := e.Info()
				if err != nil {
					return err
				}
				want := fs.FileMode(0o600)
				if e.IsDir() {
					want = 0o700
				}
				if files++; info.Mode().Perm() != want {
					t.Errorf("%s has mode %#o", path, info.Mode().Perm())
				}
				return nil
			})
			if err != nil || files < 20 {
				t.Errorf("%d files, %v", files, err)
			}
		})
	}
}

func TestLaxModesAreTightenedBeforeAWriteOnly(t *testing.T) {
	dir := fresh(t)
	publish(t, create(t, dir), draft(sub(1), "x"))
	for _, name := range []string{"", "handovers"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	mode := func(name string) fs.FileMode {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	r := open(t, dir)
	if _, err := r.Handover(HandoverID(sub(1), 1)); err != nil {
		t.Fatal(err)
	}
	if mode("") != 0o755 || mode("handovers") != 0o755 {
		t.Error("reading changed a mode")
	}
	if lines := r.Tightened(); len(lines) != 2 {
		t.Errorf("told while reading: %q", lines)
	}
	w := create(t, dir)
	publish(t, w, draft(sub(1), "x"))
	if mode("") != 0o700 || mode("handovers") != 0o700 {
		t.Errorf("after a write %#o %#o", mode(""), mode("handovers"))
	}
	if lines := w.Tightened(); len(lines) != 2 || !strings.Contains(lines[0], "0755") {
		t.Errorf("told: %q", lines)
	}
}

func TestForeignOwner(t *testing.T) {
	dir := "/"
	if os.Getuid() == 0 {
		dir = fresh(t)
		create(t, dir)
		if err := os.Chown(dir, nobodyID, nobodyID); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []func(string) (*Store, error){Open, Create} {
		_, err := f(dir)
		var owner OwnerError
		if !errors.As(err, &owner) || !errors.Is(err, ErrForeignOwner) || owner.Want != os.Geteuid() {
			t.Errorf("%v", err)
		}
		if err != nil && !strings.Contains(err.Error(), "AUTO_CONTEXT_HANDOVER_DATA") {
			t.Errorf("no cure in %v", err)
		}
	}
	if os.Getuid() != 0 {
		return
	}
	if err := os.Chown(dir, 0, 0); err != nil {
		t.Fatal(err)
	}
	s := create(t, dir)
	p := publish(t, s, draft(sub(1), "x"))
	if err := os.Chown(filepath.Join(dir, "handovers", p.ID+".handover"), nobodyID, nobodyID); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Handover(p.ID); !errors.Is(err, ErrForeignOwner) {
		t.Errorf("another user's file: %v", err)
	}
	if err := os.Chown(filepath.Join(dir, "handovers"), nobodyID, nobodyID); err != nil {
		t.Fatal(err)
	}
	if _, err := create(t, dir).Publish(draft(sub(2), "x")); !errors.Is(err, ErrForeignOwner) {
		t.Errorf("another user's directory: %v", err)
	}
}

func TestSymbolicLinks(t *testing.T) {
	real := fresh(t)
	p := publish(t, create(t, real), draft(sub(1), "x"))
	dir := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Handover(p.ID); err != nil {
		t.Errorf("up to the store: %v", err)
	}
	if _, err := create(t, dir).Publish(draft(sub(2), "x")); err != nil {
		t.Errorf("up to the store: %v", err)
	}
	file := filepath.Join(real, "handovers", p.ID+".handover")
	if err := os.Rename(file, filepath.Join(real, "handovers", "moved")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("moved", file); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Handover(p.ID); !errors.Is(err, ErrSymlink) {
		t.Errorf("a file: %v", err)
	}
	if _, is, err := open(t, dir).Closed(sub(1)); is || !errors.Is(err, ErrSymlink) {
		t.Errorf("a file: %v %v", is, err)
	}
	for _, target := range []string{"elsewhere", filepath.Join(real, "elsewhere")} {
		s := create(t, real)
		if err := os.Rename(filepath.Join(real, "handovers"), filepath.Join(real, "elsewhere")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(real, "handovers")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Publish(draft(sub(3), "x")); !errors.Is(err, ErrSymlink) {
			t.Errorf("a directory: %v", err)
		}
		if _, err := s.Handover(p.ID); !errors.Is(err, ErrSymlink) {
			t.Errorf("a directory: %v", err)
		}
		if err := os.Remove(filepath.Join(real, "handovers")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(real, "elsewhere"), filepath.Join(real, "handovers")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMovedStore(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "store")
	p := publish(t, create(t, dir), draft(sub(1), "x"))
	if err := os.Rename(dir, filepath.Join(base, "moved")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrNoStore) {
		t.Errorf("%v", err)
	}
	publish(t, create(t, dir), draft(sub(2), "y"))
	if list := listed(t, filepath.Join(base, "moved", "handovers")); len(list) != 1 {
		t.Errorf("written in the moved store: %v", list)
	}
	if _, err := open(t, filepath.Join(base, "moved")).Handover(p.ID); err != nil {
		t.Error(err)
	}
}

func TestReadingChangesNothing(t *testing.T) {
	if _, err := Open(fresh(t)); !errors.Is(err, ErrNoStore) {
		t.Errorf("%v", err)
	}
	if _, err := Open("relative"); err == nil {
		t.Error("a relative directory was opened")
	}
	dir := fresh(t)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	s.Facts(sub(1))
	s.Closed(sub(1))
	s.Latest(sub(1))
	s.List(ListQuery{})
	s.Resolve("0123456789", Scope{Project: "/x"})
	for _, err := range []error{
		func() error { _, err := s.Publish(draft(sub(1), "x")); return err }(),
		func() error { _, err := s.ClaimIntro(sub(1), 0); return err }(),
		func() error { _, err := s.IssueCapability(CapabilityKey("", "", ""), Capability{}); return err }(),
		s.Reopen(HandoverID(sub(1), 1)), s.ProbeWrite(), s.Sweep(time.Now()), s.Remove(HandoverID(sub(1), 1)),
	} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%v", err)
		}
	}
	if list := listed(t, dir); len(list) != 0 {
		t.Errorf("reading made %v", list)
	}
}

func TestNewerFormat(t *testing.T) {
	dir := fresh(t)
	p := publish(t, create(t, dir), draft(sub(1), "x"))
	if err := os.WriteFile(filepath.Join(dir, "format"), []byte("2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir); !errors.Is(err, ErrNewerFormat) {
		t.Errorf("%v", err)
	}
	if _, err := open(t, dir).Handover(p.ID); err != nil {
		t.Errorf("reading: %v", err)
	}
	for _, text := range []string{"", "x\n", "0\n", "-1\n"} {
		if err := os.WriteFile(filepath.Join(dir, "format"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Create(dir); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestUnknownNamesAreIgnored(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	p := publish(t, s, draft(sub(1), "x"))
	if _, err := s.ClaimIntro(sub(1), 0); err != nil {
		t.Fatal(err)
	}
	key := CapabilityKey("claude", "", "c")
	if _, err := s.IssueCapability(key, capability(sub(1), "x")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"x", "handovers/ho-zzzz.handover", "handovers/" + p.ID + " (conflict).handover", "handovers/" + p.ID + ".handover~",
		"actors/x", "actors/" + sub(1).Key() + "/epoch-x", "actors/" + sub(1).Key() + "/epoch-9.other", "actors/" + sub(1).Key() + "/new-fact",
		"capabilities/" + key + "-x", "capabilities/" + key + "-" + sub(1).Key() + "-" + strings.Repeat("0", 32),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.List(ListQuery{}); len(list) != 1 || err != nil {
		t.Errorf("%+v %v", list, err)
	}
	if f, err := s.Facts(sub(1)); err != nil || f.Epoch != 0 || !f.Intro {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := s.Claim(key, ClaimQuery{Tool: "context_handover", Arguments: "x", Now: time.Now()}); err != nil {
		t.Error(err)
	}
	if err := s.Sweep(time.Now()); err != nil {
		t.Error(err)
	}
}

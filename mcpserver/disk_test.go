package mcpserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
)

// smallDisk mounts a disk of its own in dir and returns how to fill and to free
// it.
func smallDisk(t *testing.T, dir string) (fill, free func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small disk")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=512k,mode=700", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	ballast := filepath.Join(dir, "ballast")
	fill = func() {
		f, err := os.OpenFile(ballast, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for {
			if _, err := f.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	}
	return fill, func() { os.Remove(ballast) }
}

func TestFullDisk(t *testing.T) {
	var fill, free func()
	r := newRig(t, func(o *Options) { fill, free = smallDisk(t, o.DataDir) })
	id := r.keep(r.sub("a"), sample, nil)
	args := writeArgs("h", "s")
	r.issue(r.sub("b"), hosts.ToolHandover, args, "toolu_b", nil)
	fill()

	// The record is there, the text does not fit.
	r.callRaw(hosts.ToolHandover, args, claudeMeta("toolu_b")).refusedFor(t, modeltext.CauseStoreFull)
	// The hook could not write: that is the cause, not that no hook ran.
	r.callRaw(hosts.ToolHandover, args, claudeMeta("toolu_c")).refusedFor(t, modeltext.CauseStoreFull)
	// Reading goes on.
	mustHold(t, r.readsUnbound(arg("id", id, "full", true)), sample, "This reading was not recorded", "Complete.")

	free()
	r.call(r.sub("b"), hosts.ToolHandover, args, nil).stored(t)
}

// TestReadOnlyDisk: the same on a disk that cannot be written at all.
func TestReadOnlyDisk(t *testing.T) {
	r := newRig(t, func(o *Options) { smallDisk(t, o.DataDir) })
	id := r.keep(r.sub("a"), sample, nil)
	args := writeArgs("h", "s")
	r.issue(r.sub("b"), hosts.ToolHandover, args, "toolu_b", nil)
	if out, err := exec.Command("mount", "-o", "remount,ro", r.options.DataDir).CombinedOutput(); err != nil {
		t.Skipf("no read-only disk: %v %s", err, out)
	}
	r.callRaw(hosts.ToolHandover, args, claudeMeta("toolu_b")).refusedFor(t, modeltext.CauseStoreReadOnly)
	mustHold(t, r.readsUnbound(arg("id", id, "full", true)), sample, "This reading was not recorded", "Complete.")
}

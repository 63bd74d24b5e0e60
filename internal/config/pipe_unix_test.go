//go:build unix

package config_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/auto-context-handover/handover/internal/config"
)

// TestANamedPipeIsNotWaitedFor would hang if it failed.
func TestANamedPipeIsNotWaitedFor(t *testing.T) {
	top := t.TempDir()
	pipe := filepath.Join(top, "config.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := config.Load(pipe); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
	project := mkdir(t, top, "project")
	write(t, filepath.Join(project, ".git"), "gitdir: pipes\n")
	if err := syscall.Mkfifo(filepath.Join(mkdir(t, project, "pipes"), "commondir"), 0o600); err != nil {
		t.Skip(err)
	}
	if got := decided(forProject(t, filepath.Join(top, "other")), project); got != "auto" {
		t.Errorf("got %s", got)
	}
}

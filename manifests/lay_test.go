package manifests_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/manifests"
)

// awkward is a folder whose name breaks whatever quotes badly.
const awkward = "Hanna's Ordner für é"

// programs makes a folder with stand-ins for the host's binaries.
func programs(t *testing.T, host, text string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), awkward, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range manifests.Binaries(host) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// names lists the regular files below dir.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestLayIsComplete(t *testing.T) {
	for _, host := range manifests.Hosts() {
		dir := filepath.Join(t.TempDir(), awkward, host)
		if err := manifests.Lay(host, programs(t, host, "#!/bin/sh\n"), dir); err != nil {
			t.Fatal(err)
		}
		plugin, err := manifests.Plugin(host)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, name := range manifests.Binaries(host) {
			want = append(want, "bin/"+name)
		}
		err = fs.WalkDir(plugin, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				want = append(want, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		got := names(t, dir)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", host, got, want)
		}
		for _, name := range manifests.Binaries(host) {
			if info, err := os.Stat(filepath.Join(dir, "bin", name)); err != nil || info.Mode().Perm() != 0o755 {
				t.Errorf("%s: %s is not executable: %v, %v", host, name, info, err)
			}
		}
	}
}

func TestLayAgainUpgrades(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "claude")
	if err := manifests.Lay("claude", programs(t, "claude", "one"), dir); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "old", "hooks.json")
	if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	running, err := os.Open(filepath.Join(dir, "bin", "handover-mcp"))
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	if err := manifests.Lay("claude", programs(t, "claude", "two"), dir); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("an unchanged file was written again")
	}
	if data, err := os.ReadFile(filepath.Join(dir, "bin", "handover-mcp")); err != nil || string(data) != "two" {
		t.Errorf("the program was not replaced: %q, %v", data, err)
	}
	text := make([]byte, 3)
	if _, err := running.ReadAt(text, 0); err != nil || string(text) != "one" {
		t.Errorf("the running program changed under its process: %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Dir(old)); !os.IsNotExist(err) {
		t.Errorf("a file of the older version stayed: %v", err)
	}
}

func TestLayRefuses(t *testing.T) {
	full := t.TempDir()
	note := filepath.Join(full, "README.md")
	if err := os.WriteFile(note, []byte("# my notes\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "README.md"), []byte("# handover for Claude Codex\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := programs(t, "claude", "x")
	for _, c := range []struct{ host, bin, dir, say string }{
		{"claude", bin, full, "nothing was written"},
		{"claude", bin, other, "nothing was written"},
		{"claude", t.TempDir(), filepath.Join(t.TempDir(), "new"), "handover-hook-claude is not in"},
		{"emacs", bin, filepath.Join(t.TempDir(), "new"), `no plugin for host "emacs"`},
	} {
		if err := manifests.Lay(c.host, c.bin, c.dir); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("Lay(%q, …): got %v, want %q", c.host, err, c.say)
		}
	}
	for _, dir := range []string{full, other} {
		if got := names(t, dir); !slices.Equal(got, []string{"README.md"}) {
			t.Errorf("a foreign folder was changed: %q", got)
		}
	}
}

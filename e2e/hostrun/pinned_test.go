package hostrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestPinned(t *testing.T) {
	root := t.TempDir()
	find := func(hosts string) (string, string, string) {
		path, version, err := pinned(root, hosts, "@scope/host", "host")
		if err != nil {
			return path, version, err.Error()
		}
		return path, version, ""
	}
	fails := func(want string) {
		t.Helper()
		if _, _, err := find(""); !strings.Contains(err, want) {
			t.Errorf("error %q, want one with %q", err, want)
		}
	}
	write(t, filepath.Join(root, "e2e/hosts/package.json"), `{"dependencies":{}}`)
	fails("does not pin")
	write(t, filepath.Join(root, "e2e/hosts/package.json"), `{"dependencies":{"@scope/host":"1.2.3"}}`)
	fails("is not installed (make hosts)")
	write(t, filepath.Join(root, ".hosts/node_modules/@scope/host/package.json"), `{"version":"1.2.4"}`)
	fails("1.2.4 is installed")
	write(t, filepath.Join(root, ".hosts/node_modules/@scope/host/package.json"), `{"version":"1.2.3"}`)
	fails("command of the pinned host")
	write(t, filepath.Join(root, ".hosts/node_modules/.bin/host"), "")
	path, version, err := find("")
	if err != "" || version != "1.2.3" || filepath.Base(path) != "host" {
		t.Errorf("found %q, version %q, error %q", path, version, err)
	}
	if again, _, err := find(filepath.Join(root, ".hosts")); again != path || err != "" {
		t.Errorf("by folder: %q, error %q", again, err)
	}
}

// TestLockFile: what is pinned is locked to the same version, and the lock file
// names no place to download from.
func TestLockFile(t *testing.T) {
	root, err := repositoryRoot()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, "e2e", "hosts")
	var pins struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := readJSON(filepath.Join(folder, "package.json"), &pins); err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct {
			Version   string `json:"version"`
			Resolved  string `json:"resolved"`
			Integrity string `json:"integrity"`
		} `json:"packages"`
	}
	if err := readJSON(filepath.Join(folder, "package-lock.json"), &lock); err != nil {
		t.Fatal(err)
	}
	for name, version := range pins.Dependencies {
		if strings.ContainsAny(version, "^~*<>| x") {
			t.Errorf("%s is pinned to the range %q", name, version)
		}
		if got := lock.Packages["node_modules/"+name].Version; got != version {
			t.Errorf("%s is pinned to %s and locked to %q", name, version, got)
		}
	}
	for name, p := range lock.Packages {
		if p.Resolved != "" {
			t.Errorf("%s has a download address", name)
		}
		if name != "" && p.Integrity == "" {
			t.Errorf("%s has no hash", name)
		}
	}
}

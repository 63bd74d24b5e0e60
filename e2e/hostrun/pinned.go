package hostrun

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// hostsEnv overrides the folder with the installed hosts.
const hostsEnv = "HANDOVER_E2E_HOSTS"

// Pinned returns the path of a host's command as the lock file pins it, and its
// version. A host that is missing or of another version fails the test: a story
// that cannot run proves nothing.
func Pinned(tb testing.TB, npm, command string) (path, version string) {
	tb.Helper()
	root, err := repositoryRoot()
	if err != nil {
		tb.Fatalf("hostrun: %v", err)
	}
	path, version, err = pinned(root, os.Getenv(hostsEnv), npm, command)
	if err != nil {
		tb.Fatalf("hostrun: %v", err)
	}
	return path, version
}

// Version returns the version of a host as the lock file pins it, "" if it pins
// none.
func Version(npm string) string {
	root, err := repositoryRoot()
	if err != nil {
		return ""
	}
	pins, err := readPins(root)
	if err != nil {
		return ""
	}
	return pins[npm]
}

// readPins returns the pinned versions by package.
func readPins(root string) (map[string]string, error) {
	var pins struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	err := readJSON(filepath.Join(root, "e2e", "hosts", "package.json"), &pins)
	return pins.Dependencies, err
}

// pinned is Pinned for a repository and a folder ("" = .hosts in it).
func pinned(root, hosts, npm, command string) (path, version string, err error) {
	if hosts == "" {
		hosts = filepath.Join(root, ".hosts")
	}
	pins, err := readPins(root)
	if err != nil {
		return "", "", err
	}
	want := pins[npm]
	if want == "" {
		return "", "", fmt.Errorf("e2e/hosts/package.json does not pin %s", npm)
	}
	var have struct {
		Version string `json:"version"`
	}
	if err := readJSON(filepath.Join(hosts, "node_modules", filepath.FromSlash(npm), "package.json"), &have); err != nil {
		return "", "", fmt.Errorf("the pinned host %s %s is not installed (make hosts): %w", npm, want, err)
	}
	if have.Version != want {
		return "", "", fmt.Errorf("the pinned host is %s %s, but %s is installed (make hosts)", npm, want, have.Version)
	}
	path, err = filepath.EvalSymlinks(filepath.Join(hosts, "node_modules", ".bin", command))
	if err != nil {
		return "", "", fmt.Errorf("the command of the pinned host %s %s is missing (make hosts): %w", npm, want, err)
	}
	return path, want, nil
}

// repositoryRoot returns the nearest folder upwards that holds go.mod.
func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the working directory")
		}
		dir = up
	}
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

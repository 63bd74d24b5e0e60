package deps_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	makeCommand = regexp.MustCompile("(?m)(?:^|`)make ([a-z0-9]+)")
	target      = regexp.MustCompile(`(?m)^([a-z0-9]+):`)
	link        = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// TestReadmeNamesWhatExists follows the README: its make targets and its links.
func TestReadmeNamesWhatExists(t *testing.T) {
	readme := read(t, "README.md")
	targets := map[string]bool{}
	for _, m := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[m[1]] = true
	}
	commands := makeCommand.FindAllStringSubmatch(readme, -1)
	if len(commands) == 0 {
		t.Error("README.md names no make target")
	}
	for _, m := range commands {
		if !targets[m[1]] {
			t.Errorf("README.md says make %s, and the Makefile has no such target", m[1])
		}
	}
	for _, m := range link.FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
			t.Errorf("README.md links to what is not there: %v", err)
		}
	}
}

// TestCIRunsTheReadmesTests: CI must run the very test command that README.md
// gives.
func TestCIRunsTheReadmesTests(t *testing.T) {
	for _, want := range []string{"\nmake test ", "\nmake demo "} {
		if !strings.Contains(read(t, "README.md"), want) {
			t.Errorf("README.md does not give %q", want)
		}
	}
	run := read(t, ".ci/run")
	for _, step := range []string{"check", "test", "race", "hosts", "e2e"} {
		if !regexp.MustCompile(`(?m)^(?:tests [a-z0-9]+|make --no-print-directory) ` + step + `$`).MatchString(run) {
			t.Errorf(".ci/run does not run make %s", step)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

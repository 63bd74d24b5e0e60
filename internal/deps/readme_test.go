package deps_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/config"
)

var (
	makeCommand    = regexp.MustCompile("(?m)(?:^|`)make ([a-z0-9]+)")
	target         = regexp.MustCompile(`(?m)^([a-z0-9]+):`)
	marketplaceAdd = regexp.MustCompile(`(?m)^ *claude plugin marketplace add (.+)$`)
	blank          = regexp.MustCompile(`@[A-Z]+@`)
	jsonBlock      = regexp.MustCompile("(?s)```json\n(.*?)```")
	link           = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
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

// TestInstallLineNamesAPath: the host takes a bare folder/name for a repository
// on GitHub, so the folder is given as a path.
func TestInstallLineNamesAPath(t *testing.T) {
	for _, name := range []string{"README.md", "docs/hosts/claude.md"} {
		lines := marketplaceAdd.FindAllStringSubmatch(read(t, name), -1)
		if len(lines) == 0 {
			t.Errorf("%s does not say how the marketplace is added", name)
		}
		for _, m := range lines {
			if !strings.HasPrefix(m[1], "./") && !strings.HasPrefix(m[1], `"$PWD`) {
				t.Errorf("%s: %q is read as a repository on GitHub; begin with ./ or \"$PWD", name, m[0])
			}
		}
	}
}

// TestPagesAreFilledIn: no page still holds the mark of a figure to come, and
// what a page links to is there.
func TestPagesAreFilledIn(t *testing.T) {
	pages := markdown(t)
	if len(pages) < 5 {
		t.Fatalf("only %q were found", pages)
	}
	for _, page := range pages {
		text := read(t, page)
		if mark := blank.FindString(text); mark != "" {
			t.Errorf("%s still holds %s", page, mark)
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to what is not there: %v", page, err)
			}
		}
	}
}

// TestConfigExampleIsUnderstood: the config.json that docs/config.md shows.
func TestConfigExampleIsUnderstood(t *testing.T) {
	m := jsonBlock.FindStringSubmatch(read(t, "docs/config.md"))
	if m == nil {
		t.Fatal("docs/config.md shows no config.json")
	}
	f, err := config.Parse("config.json", []byte(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	if f.Mode == nil || len(f.Overrides) == 0 {
		t.Error("the example in docs/config.md shows no mode or no override")
	}
}

// markdown are the pages of the repository, by their path from its root.
func markdown(t *testing.T) []string {
	t.Helper()
	var pages []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "dist", "bin", "node_modules"}, name)) {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".md" {
			return nil
		}
		page, err := filepath.Rel(root, path)
		pages = append(pages, page)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
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

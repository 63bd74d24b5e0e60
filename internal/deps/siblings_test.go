package deps_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/manifests"
)

// TestHostsAreComplete names what a new host still lacks: a host is its hook
// command, its adapter, its row, its manifest folder and its page.
func TestHostsAreComplete(t *testing.T) {
	found := map[string][]string{
		"cmd/handover-hook-%":      folders(t, "cmd/handover-hook-*"),
		"adapters/%":               folders(t, "adapters/*"),
		"a row in internal/hosts":  rows(),
		"manifests/%":              folders(t, "manifests/*"),
		"docs/hosts/%.md":          pages(t),
		"an embedded manifests/%/": embedded(),
	}
	var all []string
	for _, names := range found {
		all = append(all, names...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 0 {
		t.Fatal("there are no hosts")
	}
	for _, host := range all {
		for place, names := range found {
			if !slices.Contains(names, host) {
				t.Errorf("host %s lacks %s", host, strings.ReplaceAll(place, "%", host))
			}
		}
	}
}

// embedded names the hosts whose files package manifests really holds.
func embedded() []string { return manifests.Hosts() }

func rows() []string {
	var names []string
	for _, h := range hosts.All() {
		names = append(names, h.Name)
	}
	return names
}

// folders returns what the pattern's star stood for in each folder it matches.
func folders(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil {
		t.Fatal(err)
	}
	prefix := strings.TrimSuffix(filepath.Base(pattern), "*")
	var names []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(filepath.Base(path), prefix)
		if info.IsDir() && name != "adaptertest" && name != "testdata" {
			names = append(names, name)
		}
	}
	return names
}

func pages(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "docs/hosts/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		if name := strings.TrimSuffix(filepath.Base(path), ".md"); !strings.EqualFold(name, "README") {
			names = append(names, name)
		}
	}
	return names
}

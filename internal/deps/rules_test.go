package deps_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Bool("update", false, "write the package lists again")
	flag.Parse()
	os.Exit(m.Run())
}

// mayImport says which of our packages a package may import; * stands for one
// name, ... for anything below. The first pattern that matches a package rules.
type mayImport struct {
	importer string
	imported []string
}

// imports is design 3.1, one way only.
func imports() []mayImport {
	return []mayImport{
		{"internal/actor", nil},
		{"internal/scan", nil},
		{"internal/datadir/...", []string{"internal/datadir"}},
		{"internal/hosts", []string{"internal/actor"}},
		{"measure/tail", []string{"internal/scan"}},
		{"measure", []string{"internal/actor"}},
		{"store", []string{"measure", "internal/actor"}},
		{"internal/config", []string{"measure", "internal/hosts", "internal/actor", "internal/datadir"}},
		{"internal/config/schema", []string{"internal/config", "internal/hosts", "measure"}},
		{"internal/modeltext", []string{"measure", "store", "internal/hosts", "internal/actor"}},
		{"hooks", []string{"measure", "store", "internal/modeltext", "internal/hosts", "internal/config", "internal/datadir", "internal/actor", "internal/scan"}},
		{"mcpserver", []string{"measure", "store", "internal/modeltext", "internal/hosts", "internal/actor"}},
		{"adapters/crush/session", []string{"measure", "mcpserver", "internal/actor"}},
		{"adapters/adaptertest", []string{"hooks", "measure", "store", "internal/..."}},
		{"adapters/*", []string{"hooks", "measure", "measure/tail", "store", "internal/hosts", "internal/actor", "internal/scan", "adapters/crush/session"}},
		{"manifests", nil},
		{"cmd/handover-hook-*", []string{"hooks", "adapters/*", "internal/hosts"}},
		{"cmd/handover-mcp", []string{"mcpserver", "internal/datadir/...", "internal/hosts", "adapters/crush/session"}},
		{"cmd/handover/...", []string{"cmd/handover/...", "adapters/*", "hooks", "measure", "measure/tail", "store", "manifests", "internal/..."}},
		{"e2e/...", []string{"..."}},
		{"internal/archive", nil},
		{"internal/deps", nil},
		{"internal/bench/...", []string{"..."}},
	}
}

// matches reports whether a package of ours (below the module) fits a pattern.
func matches(pattern, name string) bool {
	if pattern == "..." {
		return true
	}
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	}
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return name == pattern
	}
	rest, ok := strings.CutPrefix(name, before)
	if !ok {
		return false
	}
	rest, ok = strings.CutSuffix(rest, after)
	return ok && rest != "" && !strings.Contains(rest, "/")
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"adapters/*", "adapters/claude", true},
		{"adapters/*", "adapters/crush/session", false},
		{"adapters/*", "adapters", false},
		{"cmd/handover/...", "cmd/handover", true},
		{"cmd/handover/...", "cmd/handover/demo", true},
		{"cmd/handover/...", "cmd/handover-mcp", false},
		{"cmd/handover-hook-*", "cmd/handover-hook-qwen", true},
		{"...", "store", true},
		{"store", "store/x", false},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("matches(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range goList(t, "./...") {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		i := slices.IndexFunc(imports(), func(r mayImport) bool { return matches(r.importer, name) })
		if i < 0 {
			t.Errorf("%s has no rule: say in imports what it may import", name)
			continue
		}
		rule := imports()[i]
		for _, path := range p.Imports {
			other, ours := strings.CutPrefix(path, module+"/")
			if ours && !slices.ContainsFunc(rule.imported, func(pattern string) bool { return matches(pattern, other) }) {
				t.Errorf("%s must not import %s (it may import %q)", name, other, rule.imported)
			}
		}
	}
}

// forbidden is what a command must not link, and why.
type forbidden struct {
	command string
	path    string // a pattern as in imports, of a whole import path
	except  []string
	why     string
}

func unlinked() []forbidden {
	const (
		sdk    = "github.com/modelcontextprotocol/go-sdk/..."
		sqlite = "modernc.org/sqlite/..."
	)
	hook := "handover-hook-*"
	return []forbidden{
		{hook, sdk, nil, "a hook sees every tool call and starts in a millisecond"},
		{hook, module + "/mcpserver/...", nil, "hooks and server meet in the store only"},
		{hook, "net/http", []string{"handover-hook-crush"}, "a hook talks to nobody"},
		{hook, "net", []string{"handover-hook-crush"}, "a hook talks to nobody"},
		{hook, sqlite, []string{"handover-hook-goose", "handover-hook-crush"}, "only two hosts keep a database"},
		{hook, "github.com/invopop/...", nil, "schemas are made by commands for people"},
		{hook, "github.com/natefinch/...", nil, "it replaces files by path"},
		{hook, "github.com/adrg/...", nil, "it opens files before main"},
		{hook, "github.com/spf13/...", nil, "a wrong flag must not end with 2"},
		{"handover", sdk, nil, "the person's command starts no server"},
		{"handover", module + "/mcpserver/...", nil, "the person's command starts no server"},
		{"handover-mcp", sqlite, nil, "the server reads no host's files"},
		{"handover-mcp", module + "/hooks/...", nil, "hooks and server meet in the store only"},
		{"handover-mcp", module + "/internal/config/...", nil, "limits come from the capability"},
		{"handover-mcp", "github.com/natefinch/...", nil, "it replaces: wrong for a handover"},
		{"handover-mcp", "github.com/spf13/...", nil, "the standard flags do"},
	}
}

func TestCommandsDoNotLink(t *testing.T) {
	for _, command := range commands(t) {
		linked := links(t, command)
		for _, f := range unlinked() {
			if !matches(f.command, command) || slices.Contains(f.except, command) {
				continue
			}
			for _, path := range linked {
				if matches(f.path, path) {
					t.Errorf("%s links %s: %s", command, path, f.why)
				}
			}
		}
	}
}

func TestHooksLinkOneAdapter(t *testing.T) {
	for _, command := range commands(t) {
		host, ok := strings.CutPrefix(command, "handover-hook-")
		if !ok {
			continue
		}
		for _, path := range links(t, command) {
			if other, ok := strings.CutPrefix(path, module+"/adapters/"); ok && other != host && !strings.HasPrefix(other, host+"/") {
				t.Errorf("%s links the adapter %s", command, other)
			}
		}
	}
}

// onlyImporters says who of ours may import a library directly.
func onlyImporters() map[string][]string {
	return map[string][]string{
		"github.com/modelcontextprotocol/go-sdk/...": {"mcpserver", "e2e/...", "internal/bench/..."},
		"github.com/invopop/jsonschema":              {"mcpserver", "cmd/handover/...", "internal/config/schema"},
		"github.com/natefinch/atomic":                {"cmd/handover/..."},
		"github.com/adrg/xdg":                        {"internal/datadir/...", "cmd/handover/...", "cmd/handover-mcp"},
		"github.com/spf13/cobra":                     {"cmd/handover/..."},
		"modernc.org/sqlite/...":                     {"adapters/goose", "adapters/crush"},
	}
}

func TestLibrariesStayInTheirPlace(t *testing.T) {
	for _, p := range goList(t, "./...") {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		for library, importers := range onlyImporters() {
			for _, path := range p.Imports {
				if matches(library, path) && !slices.ContainsFunc(importers, func(pattern string) bool { return matches(pattern, name) }) {
					t.Errorf("%s must not import %s (only %q may)", name, path, importers)
				}
			}
		}
	}
}

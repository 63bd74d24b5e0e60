//go:build e2e

package claude

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// ourServer is the rule by which a person allows all tools of our server.
const ourServer = "mcp__plugin_handover_handover"

// besideFolder is a marketplace with a hook of somebody else; its option "does"
// says what that does.
const besideFolder = "testdata/beside"

// change alters a copy of our plugin.
type change func(tb testing.TB, plugin string)

// altered is a copy of our plugin with changes: what is broken in a story.
func altered(tb testing.TB, changes ...change) string {
	tb.Helper()
	plugin := filepath.Join(tb.TempDir(), "plugin")
	if err := os.CopyFS(plugin, os.DirFS(pluginFolder)); err != nil {
		tb.Fatal(err)
	}
	for _, c := range changes {
		c(tb, plugin)
	}
	return plugin
}

// withAltered is withPlugin for an altered copy.
func withAltered(tb testing.TB, script *model.Script, plugin string) *hostrun.Claude {
	tb.Helper()
	c := hostrun.NewClaude(tb, script)
	c.Allow = []string{"Bash"}
	c.InstallPlugin(plugin)
	return c
}

// noHooks takes all hooks out of a plugin.
func noHooks(tb testing.TB, plugin string) {
	tb.Helper()
	writeFile(tb, filepath.Join(plugin, "hooks", "hooks.json"), `{"hooks":{}}`, 0o644)
}

// hookOn lets a shell script run instead of the hook program: for every event,
// or only before a call of the storing tool. What the script is to look at
// stands in $input; "real" gives that to the hook program.
func hookOn(everything bool, script string) change {
	return func(tb testing.TB, plugin string) {
		tb.Helper()
		hook := filepath.Join(plugin, "bin", "handover-hook-claude")
		if err := os.Rename(hook, hook+"-real"); err != nil {
			tb.Fatal(err)
		}
		text := "#!/bin/sh\ninput=$(cat)\nreal() { printf '%s' \"$input\" | \"$0-real\"; }\n"
		if !everything {
			text += "case $input in\n*'\"hook_event_name\":\"PreToolUse\"'*'\"tool_name\":\"" + ourServer + "__context_handover\"'*) ;;\n*) real; exit ;;\nesac\n"
		}
		writeFile(tb, hook, text+script+"\n", 0o755)
	}
}

// shortTimeout lets the host wait only a second for each hook.
func shortTimeout(tb testing.TB, plugin string) {
	tb.Helper()
	rewrite(tb, filepath.Join(plugin, "hooks", "hooks.json"), `"timeout": 10`, `"timeout": 1`)
}

// market gives the marketplace of a plugin another name.
func market(name string) change {
	return func(tb testing.TB, plugin string) {
		tb.Helper()
		rewrite(tb, filepath.Join(plugin, ".claude-plugin", "marketplace.json"), `"name": "auto-context-handover",`+"\n  \"owner\"", `"name": "`+name+`",`+"\n  \"owner\"")
	}
}

// through puts the program in testdata/proxy between the host and our server.
func through(mode string) change {
	return func(tb testing.TB, plugin string) {
		tb.Helper()
		proxy := filepath.Join(plugin, "bin", "proxy")
		build := exec.Command("go", "build", "-trimpath", "-o", proxy, "./testdata/proxy")
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
		if out, err := build.CombinedOutput(); err != nil {
			tb.Fatalf("building the proxy: %v\n%s", err, out)
		}
		path := filepath.Join(plugin, ".mcp.json")
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		var servers struct {
			Servers map[string]struct {
				Command string   `json:"command"`
				Args    []string `json:"args"`
			} `json:"mcpServers"`
		}
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&servers); err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		for name, s := range servers.Servers {
			s.Args = append([]string{mode, s.Command}, s.Args...)
			s.Command = "${CLAUDE_PLUGIN_ROOT}/bin/proxy"
			servers.Servers[name] = s
		}
		data, err = json.Marshal(servers)
		if err != nil {
			tb.Fatal(err)
		}
		writeFile(tb, path, string(data), 0o644)
	}
}

// rewrite replaces a text in a file, which must be there.
func rewrite(tb testing.TB, path, old, new string) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		tb.Fatalf("%s: no %q in it", path, old)
	}
	writeFile(tb, path, strings.ReplaceAll(string(data), old, new), 0o644)
}

func writeFile(tb testing.TB, path, text string, mode os.FileMode) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		tb.Fatal(err)
	}
}

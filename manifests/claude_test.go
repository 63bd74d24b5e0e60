package manifests_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/manifests"
)

// load decodes one of the plugin's JSON files; an unknown key is an error.
func load(t *testing.T, host, name string, into any) {
	t.Helper()
	plugin, err := manifests.Plugin(host)
	if err != nil {
		t.Fatal(err)
	}
	f, err := plugin.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// claudePlugin is .claude-plugin/plugin.json. An option has no default: a
// default would reach the server and not the hooks.
type claudePlugin struct {
	Name, Version, Description, License string
	Author                              struct{ Name string }
	Keywords                            []string
	UserConfig                          map[string]struct {
		Type, Title, Description string
		Required                 bool
	}
}

type claudeHooks struct {
	Description string
	Hooks       map[string][]struct {
		Matcher string
		Hooks   []struct {
			Type, Command string
			Args          *[]string
			Timeout       int
		}
	}
}

type claudeServers struct {
	McpServers map[string]struct {
		Command string
		Args    []string
	}
}

func TestClaudePlugin(t *testing.T) {
	var plugin claudePlugin
	load(t, "claude", ".claude-plugin/plugin.json", &plugin)
	if plugin.Name != "handover" || plugin.Description == "" || plugin.Author.Name == "" {
		t.Errorf("plugin.json is not complete: %+v", plugin)
	}
	if plugin.Version != manifests.Version() {
		t.Errorf("plugin.json has version %s, version.txt %s", plugin.Version, manifests.Version())
	}
	soft := plugin.UserConfig["soft"]
	if len(plugin.UserConfig) != 1 || soft.Type != "string" || soft.Title == "" || soft.Description == "" || soft.Required {
		t.Errorf("userConfig is not one optional text soft: %+v", plugin.UserConfig)
	}

	var market struct {
		Name     string
		Owner    struct{ Name string }
		Metadata struct{ Description string }
		Plugins  []struct{ Name, Source, Description string }
	}
	load(t, "claude", ".claude-plugin/marketplace.json", &market)
	if market.Name != "auto-context-handover" || len(market.Plugins) != 1 || market.Plugins[0].Name != plugin.Name || market.Plugins[0].Source != "./" {
		t.Errorf("the marketplace does not offer this folder's plugin: %+v", market)
	}
}

func TestClaudeHooks(t *testing.T) {
	var file claudeHooks
	load(t, "claude", "hooks/hooks.json", &file)
	got := map[string]string{}
	for event, groups := range file.Hooks {
		if len(groups) != 1 || len(groups[0].Hooks) != 1 {
			t.Errorf("%s starts more than one process", event)
			continue
		}
		got[event] = groups[0].Matcher
		hook := groups[0].Hooks[0]
		if hook.Type != "command" || hook.Args == nil {
			t.Errorf("%s is not in exec form: a shell would split the path", event)
		}
		if hook.Timeout < 5 || hook.Timeout > 10 {
			t.Errorf("%s has a timeout of %d s", event, hook.Timeout)
		}
		if hook.Command != "${CLAUDE_PLUGIN_ROOT}/bin/handover-hook-claude" {
			t.Errorf("%s starts %q", event, hook.Command)
		}
	}
	// A quiet batch starts one process for each of its calls (PreToolUse) and
	// one for itself (PostToolBatch): PostToolUse must name few tools.
	row := hosts.Claude()
	want := map[string]string{
		"SessionStart": "", "SubagentStart": "", "SubagentStop": "",
		"PreToolUse": "", "PostToolBatch": "",
		"PostToolUse": row.Spawn + "|" + row.HandBack + "|" + row.Handover,
		"PreCompact":  "", "PostCompact": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events and matchers (-want +got):\n%s", diff)
	}
}

func TestClaudeServer(t *testing.T) {
	var plugin claudePlugin
	load(t, "claude", ".claude-plugin/plugin.json", &plugin)
	var file claudeServers
	load(t, "claude", ".mcp.json", &file)
	if len(file.McpServers) != 1 {
		t.Fatalf("one server was expected: %+v", file)
	}
	for key, server := range file.McpServers {
		if server.Command != "${CLAUDE_PLUGIN_ROOT}/bin/handover-mcp" || !slices.Equal(server.Args, []string{"--host", "claude"}) {
			t.Errorf("the server is started as %q %q", server.Command, server.Args)
		}
		row := hosts.Claude()
		prefix := "mcp__plugin_" + plugin.Name + "_" + key + "__"
		if row.Handover != prefix+string(hosts.ToolHandover) || row.Read != prefix+string(hosts.ToolRead) {
			t.Errorf("the host will call our tools %s…, internal/hosts says %s and %s", prefix, row.Handover, row.Read)
		}
		if row.Server != "plugin:"+plugin.Name+":"+key {
			t.Errorf("internal/hosts calls the server %s", row.Server)
		}
	}
}

func TestPluginTexts(t *testing.T) {
	license, err := os.ReadFile("../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range manifests.Hosts() {
		plugin, err := manifests.Plugin(host)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fs.ReadFile(plugin, "LICENSE"); err != nil || string(got) != string(license) {
			t.Errorf("%s: LICENSE is not the repository's: %v", host, err)
		}
		readme, err := fs.ReadFile(plugin, "README.md")
		if err != nil || len(strings.Fields(string(readme))) < 40 {
			t.Errorf("%s: README.md has fewer than 40 words: %v", host, err)
		}
		if !strings.HasPrefix(string(readme), "# handover for ") {
			t.Errorf("%s: README.md does not start as Lay recognises it", host)
		}
		err = fs.WalkDir(plugin, ".", func(name string, d fs.DirEntry, err error) error {
			if path.Base(name) == "bin" {
				t.Errorf("%s: %s would hide the programs", host, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

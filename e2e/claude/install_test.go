//go:build e2e

package claude

import (
	"path/filepath"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// pluginFolder is what make plugins lays out.
const pluginFolder = "../../dist/claude"

// withPlugin is a Claude Code in which a person installed our plugin, with
// plugin options KEY=VALUE. Shell commands are allowed, nothing else is.
func withPlugin(tb testing.TB, script *model.Script, options ...string) *hostrun.Claude {
	tb.Helper()
	c := hostrun.NewClaude(tb, script)
	c.Allow = []string{"Bash"}
	c.InstallPlugin(pluginFolder, options...)
	return c
}

// besidePlugin is a Claude Code that loads our plugin for its runs only, with a
// soft limit from the environment ("" for none): quicker than an installation,
// for stories that are told many times.
func besidePlugin(tb testing.TB, script *model.Script, soft string) *hostrun.Claude {
	tb.Helper()
	folder, err := filepath.Abs(pluginFolder)
	if err != nil {
		tb.Fatal(err)
	}
	c := hostrun.NewClaude(tb, script)
	c.Allow = []string{"Bash"}
	c.Args = []string{"--plugin-dir", folder}
	if soft != "" {
		c.Env["AUTO_CONTEXT_HANDOVER_SOFT"] = soft
	}
	return c
}

// storeFolder is where the store of a story lies by default.
func storeFolder(c *hostrun.Claude) string {
	return filepath.Join(c.Home, ".local", "share", "handover")
}

// runs gives a prompt to a new session and checks that it ended as the script's
// main agent ended it, and that the server answered every request.
func runs(tb testing.TB, c *hostrun.Claude, script *model.Script, prompt, end string, args ...string) *hostrun.ClaudeResult {
	tb.Helper()
	r := c.Run(prompt, args...)
	if r.Code != 0 || r.IsError || r.Text != end {
		tb.Errorf("result: code %d, error %v, text %q, stderr %q", r.Code, r.IsError, r.Text, r.Stderr)
	}
	for _, q := range script.Log().All() {
		if !tb.Failed() && (q.Reply == nil || q.Reply.Status != 200) {
			tb.Errorf("request %d: reply %+v", q.Seq, q.Reply)
		}
	}
	return r
}

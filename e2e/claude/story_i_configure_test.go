//go:build e2e

package claude

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// configure writes a person's config.json.
func configure(tb testing.TB, c *hostrun.Claude, text string) {
	tb.Helper()
	folder := filepath.Join(c.Home, ".config", "handover")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		tb.Fatal(err)
	}
	writeFile(tb, filepath.Join(folder, "config.json"), text, 0o600)
}

// configureOption sets the plugin's option of a plugin that is installed already.
func configureOption(tb testing.TB, c *hostrun.Claude, soft string) {
	tb.Helper()
	path, _ := hostrun.Pinned(tb, "@anthropic-ai/claude-code", "claude")
	p := hostrun.Start(tb, hostrun.Command{
		Host: "claude", Path: path, Dir: c.Dir, Timeout: c.Timeout,
		Args: []string{"plugin", "configure", "handover@auto-context-handover", "--values-stdin"},
		Env:  []string{"HOME=" + c.Home, "PATH=/usr/local/bin:/usr/bin:/bin", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"},
	})
	p.Send([]byte(`{"soft":"` + soft + `"}`))
	if lines, stderr, code := p.Wait(); code != 0 {
		tb.Fatalf("claude plugin configure: exit code %d\n%s\n%s", code, lines, stderr)
	}
}

// measured is what the person's command says about a subagent of the story, with
// the variables that the story's host had.
func measured(tb testing.TB, c *hostrun.Claude, session string, sub *model.Conversation) string {
	tb.Helper()
	command, err := filepath.Abs("../../bin/handover")
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(command, "measure", "--host", "claude", "--agent", sub.Requests()[0].Origin.Agent, c.Transcript(session, ""))
	cmd.Dir = c.Dir
	cmd.Env = []string{"HOME=" + c.Home, "PATH=/usr/local/bin:/usr/bin:/bin"}
	for name, value := range c.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

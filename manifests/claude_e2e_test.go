//go:build e2e

package manifests_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/manifests"
)

func TestMain(m *testing.M) { os.Exit(hostrun.Main(m)) }

// witness is a program that writes down how the host started it.
const witness = `#!/bin/sh
printf '%s|%s|%s\n' "$0" "$*" "$AUTO_CONTEXT_HANDOVER_DATA" >> "$HOME/${0##*/}.started"
cat > "$HOME/${0##*/}.input"
`

// TestClaudeInstalls installs the plugin the way a user does, from a folder
// whose path holds a space, an apostrophe and letters outside ASCII, and sees
// that the real host starts its programs from there, with the environment that
// both need to find one store.
func TestClaudeInstalls(t *testing.T) {
	claude, _ := hostrun.Pinned(t, "@anthropic-ai/claude-code", "claude")
	home := t.TempDir()
	plugin := filepath.Join(t.TempDir(), awkward, "claude")
	if err := manifests.Lay("claude", programs(t, "claude", witness), plugin); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, int) {
		t.Helper()
		p := hostrun.Start(t, hostrun.Command{
			Host: "claude", Path: claude, Args: args, Dir: home, Timeout: time.Minute,
			Env: []string{
				"HOME=" + home, "PATH=/usr/bin:/bin", "TERM=dumb", "AUTO_CONTEXT_HANDOVER_DATA=/data of é",
				"ANTHROPIC_API_KEY=none", "ANTHROPIC_BASE_URL=http://127.0.0.1:9", "CLAUDE_CODE_MAX_RETRIES=0",
			},
		})
		p.CloseInput()
		lines, stderr, code := p.Wait()
		var b strings.Builder
		for _, l := range lines {
			b.Write(l)
			b.WriteByte('\n')
		}
		return b.String() + stderr, code
	}
	for _, args := range [][]string{
		{"plugin", "validate", "--strict", plugin},
		{"plugin", "marketplace", "add", plugin},
		{"plugin", "install", "handover@auto-context-handover"},
	} {
		if out, code := run(args...); code != 0 {
			t.Fatalf("claude %q ended with %d:\n%s", args, code, out)
		}
	}
	if out, _ := run("plugin", "list"); !strings.Contains(out, "handover@auto-context-handover") || !strings.Contains(out, "enabled") {
		t.Fatalf("the plugin is not enabled:\n%s", out)
	}

	run("-p", "hello") // no model answers; the start is what counts
	for program, args := range map[string]string{"handover-hook-claude": "", "handover-mcp": "--host claude"} {
		got, err := os.ReadFile(filepath.Join(home, program+".started"))
		if err != nil {
			t.Errorf("the host did not start %s: %v", program, err)
			continue
		}
		want := filepath.Join(plugin, "bin", program) + "|" + args + "|/data of é"
		if line, _, _ := strings.Cut(string(got), "\n"); line != want {
			t.Errorf("%s was started as\n%s\nwant\n%s", program, line, want)
		}
	}
}

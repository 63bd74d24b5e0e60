//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestClaudeSmoke: a main agent runs a command and spawns a subagent that runs
// another and reports. Nothing of ours is installed; it proves the harness.
func TestClaudeSmoke(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	main := script.Main().Steps(
		func(*model.Turn) model.Answer { return hostrun.ClaudeBash("echo seen-by-main") },
		func(turn *model.Turn) model.Answer {
			if got := turn.LastToolResult(); got.Name != "Bash" || got.Text != "seen-by-main" {
				turn.Fatalf("main: result of its command: %+v", got)
			}
			return hostrun.ClaudeSpawn{Type: "general-purpose", Prompt: "SUBTASK-1: run a command and report."}.Call()
		},
		func(turn *model.Turn) model.Answer {
			if got := turn.LastToolResult(); got.Name != "Agent" || !strings.Contains(got.Text, "the subagent's report") {
				turn.Fatalf("main: result of its subagent: %+v", got)
			}
			return model.Text("main is done")
		},
	)
	sub := script.Agent("SUBTASK-1").Steps(
		func(*model.Turn) model.Answer {
			return hostrun.ClaudeBash("echo seen-by-sub").Using(model.Usage{Input: 7000, CacheRead: 100, Output: 20})
		},
		func(turn *model.Turn) model.Answer {
			if got := turn.LastToolResult(); got.Text != "seen-by-sub" {
				turn.Fatalf("sub: result of its command: %+v", got)
			}
			return model.Text("the subagent's report")
		},
	)

	claude := hostrun.NewClaude(t, script)
	claude.Allow = []string{"Bash"}
	result := claude.Run("Do the smoke task.")

	if result.Code != 0 || result.IsError || result.Text != "main is done" {
		t.Errorf("result: code %d, error %v, text %q, stderr %q", result.Code, result.IsError, result.Text, result.Stderr)
	}
	if n := len(main.Requests()); n != 3 {
		t.Errorf("main asked %d times, want 3", n)
	}
	for _, r := range sub.Requests() {
		if r.Origin.Session != result.Session || r.Origin.Agent == "" {
			t.Errorf("subagent request %d has origin %+v, want session %s and an agent", r.Seq, r.Origin, result.Session)
		}
		if strings.Contains(r.AllText(), "seen-by-main") {
			t.Errorf("subagent request %d contains the main agent's context", r.Seq)
		}
	}
	for _, r := range script.Log().All() {
		if r.Reply == nil || r.Reply.Status != 200 {
			t.Errorf("request %d: reply %+v", r.Seq, r.Reply)
		}
	}
}

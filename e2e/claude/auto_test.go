//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestClaudeAuto: in auto mode the classifier is asked in requests of its own,
// and a subagent reports through its hand-back tool.
func TestClaudeAuto(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	script.Main().Steps(
		func(*model.Turn) model.Answer { return hostrun.ClaudeSpawn{Prompt: "SUBTASK-1"}.Call() },
		func(turn *model.Turn) model.Answer {
			if !strings.Contains(turn.NewText(), "\n  what the subagent found\n") {
				turn.Fatalf("main was not sent the report: %s", turn.NewText())
			}
			return model.Text("main is done")
		},
	)
	script.Agent("SUBTASK-1").Steps(
		func(*model.Turn) model.Answer { return hostrun.ClaudeBash("touch file") },
		func(*model.Turn) model.Answer { return hostrun.ClaudeHandback("what the subagent found") },
	)

	claude := hostrun.NewClaude(t, script)
	claude.Mode = "auto"
	if result := claude.Run("Do the task."); result.Text != "main is done" {
		t.Errorf("result: code %d, text %q, stderr %q", result.Code, result.Text, result.Stderr)
	}
	asked := script.Log().Where(func(r *model.Request) bool { return r.Origin.Kind == model.KindClassifier })
	if len(asked) == 0 {
		t.Error("the classifier was never asked")
	}
}

// TestClaudeAutoBlocked: a story may answer for the classifier and refuse.
func TestClaudeAutoBlocked(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	script.Main().Steps(
		func(*model.Turn) model.Answer { return hostrun.ClaudeSpawn{Prompt: "SUBTASK-1"}.Call() },
		func(turn *model.Turn) model.Answer {
			if got := turn.LastToolResult(); !got.Error {
				turn.Fatalf("the refused call has the result %+v", got)
			}
			return model.Text("main is done")
		},
	)
	script.Side(model.KindClassifier).Do(func(*model.Turn) model.Answer { return hostrun.ClaudeVerdict(false) })

	claude := hostrun.NewClaude(t, script)
	claude.Mode = "auto"
	if result := claude.Run("Do the task."); result.Text != "main is done" {
		t.Errorf("result: code %d, text %q, stderr %q", result.Code, result.Text, result.Stderr)
	}
}

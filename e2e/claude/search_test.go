//go:build e2e

package claude

import (
	"slices"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestClaudeToolSearch: a deferred tool can be called once ToolSearch loaded it,
// and the harness sees the difference.
func TestClaudeToolSearch(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	script.Main().Steps(
		func(turn *model.Turn) model.Answer {
			if turn.CanCall("CronList") {
				turn.Fatalf("CronList is loaded from the start: %q", turn.Tools())
			}
			return model.ToolUse("ToolSearch", map[string]string{"query": "select:CronList"})
		},
		func(turn *model.Turn) model.Answer {
			if got := turn.LastToolResult(); !slices.Equal(got.Refs, []string{"CronList"}) {
				turn.Fatalf("result of ToolSearch: %+v", got)
			}
			return model.ToolUse("CronList", map[string]any{})
		},
		func(*model.Turn) model.Answer { return model.Text("main is done") },
	)

	claude := hostrun.NewClaude(t, script)
	if result := claude.Run("Do the task."); result.Text != "main is done" {
		t.Errorf("result: code %d, text %q, stderr %q", result.Code, result.Text, result.Stderr)
	}
}

//go:build e2e

package claude

import (
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestClaudeCompact: the harness tells the summariser from the main agent, knows
// the main agent again after a compaction, and takes a cleared session for
// another actor.
func TestClaudeCompact(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	first := script.Main("TASK-1").Steps(
		func(*model.Turn) model.Answer { return model.Text("one") },
		func(turn *model.Turn) model.Answer {
			if text := turn.AllText(); !strings.Contains(text, "what a summary keeps") || strings.Contains(text, "TASK-1") {
				turn.Fatalf("after the compaction the model was sent: %s", text)
			}
			return model.Text("two")
		},
	)
	second := script.Main("TASK-2").Says(model.Text("three"))
	summary := script.Side(model.KindCompaction).Steps(func(turn *model.Turn) model.Answer {
		if turn.Of != first {
			turn.Fatalf("the summariser works for %v, want the first session", turn.Of)
		}
		return model.Text("<summary>what a summary keeps</summary>")
	})

	claude := hostrun.NewClaude(t, script)
	session := claude.Session()
	var said []string
	for _, prompt := range []string{"TASK-1", "/compact", "go on", "/clear", "TASK-2"} {
		said = append(said, session.Prompt(prompt).Result)
	}
	if result := session.End(); result.Code != 0 {
		t.Errorf("exit code %d, stderr %q", result.Code, result.Stderr)
	}
	if said[0] != "one" || said[2] != "two" || said[4] != "three" {
		t.Errorf("results of the prompts: %q", said)
	}
	var order []string
	for _, r := range script.Log().All() {
		order = append(order, r.Conversation)
	}
	want := []string{first.Name(), summary.Name(), first.Name(), second.Name()}
	if !slices.Equal(order, want) {
		t.Errorf("requests came from %q, want %q", order, want)
	}
	if a, b := first.Requests()[1].Origin, second.Requests()[0].Origin; a.Session == b.Session {
		t.Errorf("the cleared session still has the id %s", a.Session)
	}
}

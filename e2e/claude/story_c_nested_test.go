//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestNested: a subagent spawns another, which hands over; the first one reads
// that as a parent does, replaces it, goes on with its own work and then hands
// over itself.
func TestNested(t *testing.T) {
	t.Parallel()
	const outerTask, innerTask = "SUBTASK-OUTER: have the rest done.", "SUBTASK-INNER: do the rest."
	innerText, innerSummary := words("the words of the inner one")
	outerText, outerSummary := words("the words of the outer one")
	script := model.NewScript(t, hostrun.ClaudeHost())
	var inner, outer worker
	var within, above parent
	var next successor
	low := phases(inner.starts(), inner.carried(load{199_999, ""}, load{200_000, "1"}), inner.handsOver(exactly(innerText, innerSummary)))
	follows := phases(next.readsAll(), says(model.Text(report)))
	middle := []phase{outer.starts(), within.spawns(hostrun.ClaudeSpawn{Prompt: innerTask})}
	middle = append(middle, within.replaces(nil)...)
	middle = append(middle,
		checks(func(t *model.Turn) {
			if got := t.NewText(); !strings.Contains(got, report) {
				t.Fatalf("the outer subagent was not sent the successor's report: %s", got)
			}
		}),
		outer.carried(load{199_999, ""}, load{200_000, "1"}), outer.handsOver(exactly(outerText, outerSummary)),
	)
	mid := phases(middle...)
	lead := phases(above.spawns(hostrun.ClaudeSpawn{Prompt: outerTask}), above.reads(), says(model.Text("main is done")))
	script.Main().Do(lead.answer)
	outers := script.Agent("SUBTASK-OUTER").Do(mid.answer)
	inners := script.Agent("SUBTASK-INNER").Do(low.answer)
	successors := script.Agent("[handover:continue").Do(follows.answer)

	claude := withPlugin(t, script)
	session := runs(t, claude, script, "Do the task.", "main is done").Session
	for _, c := range []*course{low, follows, mid, lead} {
		c.finished(t)
	}
	if t.Failed() {
		return
	}
	got := byOwner(t, storeFolder(claude))
	if len(got) != 2 {
		t.Fatalf("%d agents have handovers, want 2", len(got))
	}
	in, out := inners.Requests()[0].Origin.Agent, outers.Requests()[0].Origin.Agent
	got[in].belongs(t, session, in, innerText, innerSummary)
	got[out].belongs(t, session, out, outerText, outerSummary)
	for agent, task := range map[string]string{in: innerTask, out: outerTask} {
		if got[agent].Parts["task"] != task || got[agent].Head.Lineage.Generation != 1 {
			t.Errorf("agent %s: task %q, lineage %+v", agent, got[agent].Parts["task"], got[agent].Head.Lineage)
		}
	}
	if last := lastOf(t, successors); wholeRead(t, last).Task() != innerTask {
		t.Errorf("the inner successor read the task %q", wholeRead(t, last).Task())
	}
	if above.Compact.ID != got[out].Head.ID || within.Compact.ID != got[in].Head.ID {
		t.Errorf("main read %s and the outer subagent %s", above.Compact.ID, within.Compact.ID)
	}
	shown.Show(t, "c", "A subagent whose own subagent handed over read its view, replaced it and worked on; then it handed over itself. Each handover is stored under its own agent with its own task, and each parent was sent its own subagent's.")
}

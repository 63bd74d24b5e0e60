//go:build e2e

package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestGenerations: three generations of one subagent hand over in turn, a fourth
// reports. Each record has its place in the line, the task of the first reaches
// the last unchanged, and each successor is started as the first was.
func TestGenerations(t *testing.T) {
	t.Parallel()
	const builder = "builder" // an agent type of the project
	task := "SUBTASK: " + taskMarker + ".\n" + odd

	var first worker
	var second, third, last successor
	var p parent
	script := model.NewScript(t, hostrun.ClaudeHost())
	fill := []load{{19_999, ""}, {20_000, "1"}}
	body := func(n int) writing {
		return exactly(payload(4<<10, fmt.Sprintf("%s, generation %d", bodyMarker, n)), "Generation by generation.\nUser decisions pending: none")
	}
	work := phases(first.starts(), first.carried(fill...), first.handsOver(body(1)))
	courses := []*course{
		phases(second.readsAll(), second.carried(fill...), second.handsOver(body(2))),
		phases(third.readsAll(), third.carried(fill...), third.handsOver(body(3))),
		phases(last.readsAll(), says(model.Text(report))),
	}
	lead := []phase{p.spawns(hostrun.ClaudeSpawn{Type: builder, Model: "haiku", Prompt: task})}
	for range courses {
		lead = append(lead, p.replaces(nil)...)
	}
	leading := phases(append(lead, p.ends(report, "main is done"))...)
	main := script.Main().Do(leading.answer)
	origin := script.Agent("SUBTASK").Do(work.answer)
	successors := script.Agent("[handover:continue").Do(inTurn(courses...))

	claude := withPlugin(t, script, "soft=20000")
	agentType(t, claude, builder)
	runs(t, claude, script, "Do the task.", "main is done")
	for _, c := range append(courses, work, leading) {
		c.finished(t)
	}
	if t.Failed() {
		return
	}

	all := handovers(t, storeFolder(claude))
	if len(all) != 3 {
		t.Fatalf("%d handovers, want 3", len(all))
	}
	for i, h := range all {
		l, want := h.Head.Lineage, "continues"
		predecessor, first := "", ""
		if i == 0 {
			want = "origin"
		} else {
			predecessor, first = all[i-1].Head.ID, all[0].Head.ID
		}
		if l.State != want || l.Generation != i+1 || l.Predecessor != predecessor || l.Origin != first {
			t.Errorf("generation %d has the lineage %+v", i+1, l)
		}
		if pr := h.Head.Provenance; pr.AgentType != builder || !pr.ModelKnown || pr.Model != "haiku" {
			t.Errorf("generation %d was started as %+v", i+1, pr)
		}
		if _, has := h.Parts["task"]; has != (i == 0) {
			t.Errorf("generation %d stores a task of its own: %v", i+1, has)
		}
	}
	if all[0].Parts["task"] != task {
		t.Error("the stored task is not the one of the spawn")
	}

	asked := byAgent(successors)
	for i, requests := range asked {
		whole := wholeRead(t, requests[len(requests)-1])
		if whole.ID != all[i].Head.ID || whole.Task() != task || whole.Handover() != all[i].Parts["handover"] {
			t.Errorf("successor %d read %s: the task %v, the handover %v", i+1, whole.ID, whole.Task() == task, whole.Handover() == all[i].Parts["handover"])
		}
		if pasted := requests[0].AllText(); strings.Contains(pasted, taskMarker) || strings.Contains(pasted, bodyMarker) {
			t.Errorf("successor %d has pasted text in its prompt", i+1)
		}
		if got, want := requests[0].Model, origin.Requests()[0].Model; got != want || got == main.Requests()[0].Model {
			t.Errorf("successor %d runs on %s, the first on %s", i+1, got, want)
		}
	}
	checkViews(t, lastOf(t, main), all)
	shown.Show(t, "b", "Three generations stored 1, 2 and 3, each with its predecessor and the first as origin; only the origin holds the task, and the fourth agent's request holds it byte for byte. "+
		"Every successor was spawned with the printed prompt and nothing else, with the agent type and the requested model of the first, as the views said; its requests went to that model.")
}

// checkViews compares the compact views that a parent was sent with the records,
// and its spawns with the views.
func checkViews(t *testing.T, last *model.Request, all []stored) {
	t.Helper()
	var views []literal.Compact
	for _, text := range results(last) {
		if strings.Contains(text, " compact]") {
			views = append(views, literal.ReadCompact(t, text))
		}
	}
	spawns := spawnsIn(t, last)
	if len(views) != len(all) || len(spawns) != len(all)+1 {
		t.Fatalf("%d views and %d spawns of %d handovers", len(views), len(spawns), len(all))
	}
	for i, v := range views {
		place := fmt.Sprintf("generation %d (the origin);", i+1)
		if i > 0 {
			place = fmt.Sprintf("generation %d, predecessor %s, origin %s;", i+1, all[i-1].Head.ID, all[0].Head.ID)
		}
		if v.ID != all[i].Head.ID || !strings.Contains(v.Own, place) {
			t.Errorf("view %d of %s does not say %q:\n%s", i+1, v.ID, place, v.Own)
		}
		s := spawns[i+1]
		if s.Prompt != v.Prompt.Line || s.Type != spawns[0].Type || s.Model != spawns[0].Model {
			t.Errorf("successor %d was spawned as %+v", i+1, s)
		}
	}
}

// agentType adds an agent type to the project of a story.
func agentType(t testing.TB, c *hostrun.Claude, name string) {
	t.Helper()
	folder := filepath.Join(c.Dir, ".claude", "agents")
	text := "---\nname: " + name + "\ndescription: Builds what the story asks for.\n---\nYou build what you are asked for.\n"
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

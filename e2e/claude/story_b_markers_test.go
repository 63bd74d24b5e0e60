//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// marked is a spawn prompt with a marker somewhere, and what must be recorded of
// the subagent that it starts.
type marked struct {
	name       string
	prompt     func(id string) string
	state      string // lineage
	generation int
	task       bool   // the prompt is the task
	reason     string // part of the reason, where the lineage is unknown
}

func markers() []marked {
	return []marked{
		{"leading blanks", func(id string) string { return " \n\t[handover:continue " + id + "] go on" }, "continues", 2, false, ""},
		{"quoted", func(id string) string { return "> [handover:continue " + id + "] is what the other was told" }, "origin", 1, true, ""},
		{"in mid-text", func(id string) string { return "Explain [handover:continue " + id + "] to me" }, "origin", 1, true, ""},
		{"malformed", func(id string) string { return "[handover:continue " + id[:10] + "] go on" }, "unknown", 0, false, "malformed"},
		{"missing", func(string) string { return "[handover:continue ho-0000000000000000] go on" }, "unknown", 0, false, "not stored here"},
	}
}

// TestMarkers: only a marker at the start of a spawn prompt, with the id of a
// stored handover, continues it. Elsewhere in a prompt it is part of a task; a
// broken one makes the lineage unknown and is nobody's task.
func TestMarkers(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	short := func(name string) writing {
		return exactly("## Rules in force\nnone\n## Prioritized next steps\n1. Go on.\n", name+"\nUser decisions pending: none")
	}
	fill := []load{{19_999, ""}, {20_000, "1"}}

	var first worker
	origin := phases(first.starts(), first.carried(fill...), first.handsOver(short("the first")))
	script.Agent("SUBTASK").Do(origin.answer)
	var p parent
	lead := []phase{p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: begin."}), p.reads()}
	courses := []*course{origin}
	for _, m := range markers() {
		word := "VARIANT " + m.name + "."
		lead = append(lead, func(*model.Turn) (model.Answer, outcome) {
			return hostrun.ClaudeSpawn{Prompt: m.prompt(p.Receipt.ID) + "\n" + word}.Call(), over
		})
		var w worker
		c := phases(w.starts(), w.carried(fill...), w.handsOver(short(m.name)))
		courses = append(courses, c)
		script.Agent(word).Do(c.answer)
	}
	leading := phases(append(lead, says(model.Text("main is done")))...)
	main := script.Main().Do(leading.answer)

	claude := withPlugin(t, script, "soft=20000")
	runs(t, claude, script, "Do the task.", "main is done")
	for _, c := range append(courses, leading) {
		c.finished(t)
	}
	if t.Failed() {
		return
	}

	all := handovers(t, storeFolder(claude))
	spawns := spawnsIn(t, lastOf(t, main))
	if len(all) != len(courses) || len(spawns) != len(courses) {
		t.Fatalf("%d handovers of %d spawns, want %d", len(all), len(spawns), len(courses))
	}
	for i, m := range markers() {
		got, spawn := all[i+1], spawns[i+1]
		l := got.Head.Lineage
		if l.State != m.state || l.Generation != m.generation || !strings.Contains(l.Reason, m.reason) {
			t.Errorf("%s: lineage %+v", m.name, l)
		}
		if continues := l.Predecessor == all[0].Head.ID && l.Origin == all[0].Head.ID; continues != (m.state == "continues") {
			t.Errorf("%s: predecessor %q, origin %q", m.name, l.Predecessor, l.Origin)
		}
		task, has := got.Parts["task"]
		if has != m.task || m.task && task != spawn.Prompt {
			t.Errorf("%s: stored as the task: %q, want the prompt: %v", m.name, task, m.task)
		}
	}
	if created := files(t, storeFolder(claude), "continuations", all[0].Head.ID+".created"); len(created) != 1 {
		t.Errorf("continuations of the first: %q", created)
	}
	shown.Show(t, "b", "Of spawn prompts with a marker only the one with nothing but blanks before it continues the handover, as generation 2. "+
		"Quoted or in mid-text it is part of a new task, which is stored as such; malformed or with an id that is not stored it gives unknown lineage with the reason, and no task.")
}

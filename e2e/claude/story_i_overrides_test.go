//go:build e2e

package claude

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// overridden is an agent of the story, and the soft that must hold for it.
type overridden struct {
	spawn hostrun.ClaudeSpawn
	soft  int
	by    string // the place in config.json
}

// TestOverrides: one config.json for agents of several types, models and roles,
// in one session. For each the most specific override that matches decides.
func TestOverrides(t *testing.T) {
	t.Parallel()
	const builder = "builder"
	const file = `{
		"soft": 60000,
		"mode": {"main": "advise"},
		"overrides": [
			{"match": {"role": "main"}, "soft": 90000},
			{"match": {"agent": "builder"}, "soft": 50000},
			{"match": {"model": "claude-haiku-5-5"}, "soft": 45000},
			{"match": {"agent": "builder", "model": "claude-haiku-5-5"}, "soft": 40000},
			{"match": {"host": "claude", "role": "subagent", "agent": "Explore"}, "soft": "3%"}
		]
	}`
	agents := []overridden{
		{hostrun.ClaudeSpawn{}, 60_000, "config.json"},
		{hostrun.ClaudeSpawn{Type: builder}, 50_000, "config.json overrides[1]: agent=builder"},
		{hostrun.ClaudeSpawn{Model: "haiku"}, 45_000, "config.json overrides[2]: model=claude-haiku-5-5"},
		{hostrun.ClaudeSpawn{Type: builder, Model: "haiku"}, 40_000, "config.json overrides[3]: model=claude-haiku-5-5 agent=builder"},
		{hostrun.ClaudeSpawn{Type: "Explore", Model: "opus"}, 30_000, "config.json overrides[4]: host=claude role=subagent agent=Explore"},
	}
	overrides(t, agents, 90_000, func(claude *hostrun.Claude) {
		agentType(t, claude, builder)
		configure(t, claude, file)
	})
	shown.Show(t, "i", "Overrides by role, agent type, model, and agent type with model, in one session: each agent's notice came at the tokens of its most specific override, and the record and `handover measure` name that place.")
}

// TestOverridesByProject: of two overrides for folders around the project the
// longer path decides; one for another project does not.
func TestOverridesByProject(t *testing.T) {
	t.Parallel()
	var by string
	agents := []overridden{{hostrun.ClaudeSpawn{}, 50_000, ""}}
	overrides(t, agents, 0, func(claude *hostrun.Claude) {
		by = claude.Dir
		configure(t, claude, fmt.Sprintf(`{"soft": 60000, "overrides": [
			{"match": {"project": %q}, "soft": 50000},
			{"match": {"project": %q}, "soft": 55000},
			{"match": {"project": %q}, "soft": 20000}
		]}`, claude.Dir, filepath.Dir(claude.Dir), filepath.Join(claude.Dir, "elsewhere")))
		agents[0].by = "config.json overrides[0]: project=" + by
	})
	shown.Show(t, "i", "Of overrides for two folders that hold the project the nearer one decided; one for a folder within it did not match.")
}

// overrides runs the agents one after another, and then, unless it is 0, fills
// the main agent up to its own soft.
func overrides(t *testing.T, agents []overridden, main int, prepare func(*hostrun.Claude)) {
	t.Helper()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var lead []phase
	var courses []*course
	var subs []*model.Conversation
	for i, a := range agents {
		var p parent
		w := &worker{}
		a.spawn.Prompt = fmt.Sprintf("SUBTASK %d.", i)
		c := phases(w.starts(), w.carried(load{a.soft - 1, ""}, load{a.soft, "1"}), w.handsOver(drafted(nil, askedSummary)))
		subs = append(subs, script.Agent(a.spawn.Prompt).Do(c.answer))
		courses = append(courses, c)
		lead = append(lead, p.spawns(a.spawn))
	}
	if main > 0 {
		var w worker
		lead = append(lead, w.carried(load{main - 1, ""}, load{main, "1"}))
	}
	leading := phases(append(lead, says(model.Text("main is done")))...)
	script.Main().Do(leading.answer)

	claude := besidePlugin(t, script, "")
	prepare(claude)
	session := runs(t, claude, script, "Do the task.", "main is done").Session
	for _, c := range append(courses, leading) {
		c.finished(t)
	}
	if t.Failed() {
		return
	}
	of := byOwner(t, storeFolder(claude))
	for i, a := range agents {
		h := of[subs[i].Requests()[0].Origin.Agent].Head
		if s := h.Diagnostics.Soft; s.Tokens != a.soft || s.Source != a.by {
			t.Errorf("agent %d has soft %+v, want %d from %q", i, s, a.soft, a.by)
		}
		if got := measured(t, claude, session, subs[i]); !strings.Contains(got, "(from "+a.by+")") {
			t.Errorf("agent %d: handover measure does not name %q:\n%s", i, a.by, got)
		}
	}
}

//go:build e2e

package claude

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestLateSpawn: our hook before the spawn is missing, so how a subagent was
// started is known only from the event after it, when the handover is stored
// already. The record says unknown; what is shown later is joined and says so.
func TestLateSpawn(t *testing.T) {
	t.Parallel()
	task := "SUBTASK: " + taskMarker + ".\n" + odd
	var w worker
	var p parent
	var second, last successor
	script := model.NewScript(t, hostrun.ClaudeHost())
	fill := []load{{19_999, ""}, {20_000, "1"}}
	work := phases(w.starts(), w.carried(fill...), w.handsOver(exactly(payload(2<<10, bodyMarker), "First.\nUser decisions pending: none")))
	courses := []*course{
		phases(second.readsAll(), second.carried(fill...), second.handsOver(exactly(payload(2<<10, bodyMarker), "Second.\nUser decisions pending: none"))),
		phases(last.readsAll(), says(model.Text(report))),
	}
	lead := []phase{p.spawns(hostrun.ClaudeSpawn{Model: "haiku", Prompt: task})}
	lead = append(append(lead, p.replaces(nil)...), p.replaces(nil)...)
	leading := phases(append(lead, p.ends(report, "main is done"))...)
	main := script.Main().Do(leading.answer)
	script.Agent("SUBTASK").Do(work.answer)
	successors := script.Agent("[handover:continue").Do(inTurn(courses...))

	claude := hostrun.NewClaude(t, script)
	claude.Allow = []string{"Bash"}
	claude.InstallPlugin(changedPlugin(t, withoutSpawnHook), "soft=20000")
	runs(t, claude, script, "Do the task.", "main is done")
	for _, c := range append(courses, work, leading) {
		c.finished(t)
	}
	if t.Failed() {
		return
	}

	all := handovers(t, storeFolder(claude))
	if len(all) != 2 {
		t.Fatalf("%d handovers, want 2", len(all))
	}
	for i, h := range all {
		if _, has := h.Parts["task"]; has || h.Head.TaskAbsent == "" || h.Head.Lineage.State != "unknown" || h.Head.Provenance.ModelKnown {
			t.Errorf("record %d knows more than was shown: a task %v (%q), lineage %+v, provenance %+v", i+1, has, h.Head.TaskAbsent, h.Head.Lineage, h.Head.Provenance)
		}
	}
	for i, place := range []string{"generation 1 (the origin) (joined)", "generation 2, predecessor " + all[0].Head.ID + ", origin " + all[0].Head.ID + " (joined)"} {
		view := viewOf(t, lastOf(t, main), all[i].Head.ID)
		if !strings.Contains(view.Own, place) || view.AgentType != "general-purpose" || view.Model != "haiku" {
			t.Errorf("the view of record %d, with agent type %q and model %q, does not say %q:\n%s", i+1, view.AgentType, view.Model, place, view.Own)
		}
	}
	for i, requests := range byAgent(successors) {
		last := requests[len(requests)-1]
		if whole := wholeRead(t, last); whole.Task() != task || !strings.Contains(last.AllText(), "task as the host showed it (joined)") {
			t.Errorf("successor %d was sent the task %q", i+1, whole.Task())
		}
	}
	shown.Show(t, "b", "Without our hook before the spawn the record says unknown: no task, no requested model, no place in a line. "+
		"The parent's view and the successor's pages then hold what the event after the spawn showed, the task byte for byte, the requested model and generations 1 and 2, each marked as joined.")
}

// viewOf returns the compact view of a handover that a request's results hold.
func viewOf(t testing.TB, r *model.Request, id string) literal.Compact {
	t.Helper()
	for _, text := range results(r) {
		if strings.Contains(text, "[handover:read "+id+" compact]") {
			return literal.ReadCompact(t, text)
		}
	}
	t.Fatalf("request %d holds no compact view of %s", r.Seq, id)
	return literal.Compact{}
}

// changedPlugin is a copy of our plugin whose hooks.json was changed.
func changedPlugin(t testing.TB, change func(t testing.TB, hooks []byte) []byte) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(pluginFolder)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "hooks", "hooks.json")
	hooks, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(t, hooks), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

// withoutSpawnHook leaves the tool that spawns out of PreToolUse; the host tries
// a matcher on its older name, too.
func withoutSpawnHook(t testing.TB, hooks []byte) []byte {
	t.Helper()
	before := []byte("\"PreToolUse\": [\n      { ")
	if !bytes.Contains(hooks, before) {
		t.Fatalf("hooks.json has no PreToolUse of every tool:\n%s", hooks)
	}
	return bytes.Replace(hooks, before, append(before, `"matcher": "^(?!(Agent|Task)$)", `...), 1)
}

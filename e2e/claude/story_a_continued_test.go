//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestContinued: one handover as a whole. A subagent is told, stores 60 KB of
// text that is easily changed on the way and ends with the receipt; its parent
// reads the compact view and spawns the successor with the printed prompt; the
// successor reads task and handover in full and reports.
func TestContinued(t *testing.T) {
	t.Parallel()
	for _, c := range []continued{
		{name: "foreground 200k", model: "claude-opus-4-6", at: 120_240, pages: 1},
		{name: "foreground 1M", at: 200_000, pages: 1},
		{name: "background 1M", at: 200_000, pages: 1, background: true},
		{name: "background 200k", model: "claude-opus-4-6", at: 120_240, pages: 1, background: true},
		{name: "in pages", soft: "20000", at: 20_000, pages: 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.tell(t)
			c.show(t)
		})
	}
}

// continued is one telling of the story.
type continued struct {
	name       string
	model      string
	soft       string // "" for the default
	at         int    // tokens of stage 1
	pages      int    // of the full view
	background bool
	alter      func(string) string // changes what the model is sent; nil: nothing
	beside     bool                // the plugin is not installed, only loaded
}

func (c continued) options() []string {
	if c.soft == "" {
		return nil
	}
	return []string{"soft=" + c.soft}
}

const (
	taskMarker = "the words of the task"
	bodyMarker = "the words of the handover's middle"
	report     = "the report of the successor"
)

func (c continued) tell(t testing.TB) {
	task := "SUBTASK: " + taskMarker + ".\n" + odd + "Done when all is counted.  \n"
	handover := payload(60<<10, bodyMarker)
	summary := "Half of it is done.\r\n\t" + odd + "User decisions pending: none"

	var w worker
	var p parent
	var s successor
	script := model.NewScript(t, hostrun.ClaudeHost())
	if c.alter != nil {
		script.Alter = model.AlterText(c.alter)
	}
	work := phases(w.starts(), w.carried(load{c.at - 1, ""}, load{c.at, "1"}), w.handsOver(exactly(handover, summary)))
	next := phases(s.readsAll(), says(model.Text(report)))
	lead := []phase{p.spawns(hostrun.ClaudeSpawn{Prompt: task, Background: c.background})}
	if c.background {
		lead = append(lead, p.waits())
	}
	lead = append(lead, p.replaces(nil)...)
	if c.background {
		lead = append(lead, p.waits())
	}
	leading := phases(append(lead, p.ends(report, "main is done"))...)
	main := script.Main().Do(leading.answer)
	script.Agent("SUBTASK").Do(work.answer)
	successors := script.Agent("[handover:continue").Do(next.answer)

	var claude *hostrun.Claude
	if c.beside {
		claude = besidePlugin(t, script, c.soft)
	} else {
		claude = withPlugin(t, script, c.options()...)
	}
	claude.Model = c.model
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	next.finished(t)
	leading.finished(t)
	if t.Failed() {
		return
	}

	store := storeFolder(claude)
	got := onlyHandover(t, store)
	for name, want := range map[string]string{"task": task, "handover": handover, "summary": summary} {
		if got.Parts[name] != want {
			t.Errorf("stored %s: %d bytes, sha256 %s; the model wrote %d, %s", name, len(got.Parts[name]), digest([]byte(got.Parts[name])), len(want), digest([]byte(want)))
		}
	}
	c.checkParent(t, lastOf(t, main), got)
	c.checkSuccessor(t, successors, got)
	c.checkReads(t, store, got, successors.Requests()[0].Origin.Agent)
}

// checkParent looks at what the parent was sent and did.
func (c continued) checkParent(t testing.TB, last *model.Request, got stored) {
	if n := strings.Count(last.AllText(), "[handover:receipt]"); n != 1 {
		t.Errorf("the parent was sent %d receipts, want 1", n)
	}
	view := literal.ReadCompact(t, last.AllText())
	if view.ID != got.Head.ID {
		t.Errorf("the parent read %s, stored is %s", view.ID, got.Head.ID)
	}
	if all := strings.Join(results(last), "\n"); strings.Contains(all, bodyMarker) || strings.Contains(all, taskMarker) {
		t.Error("the parent was sent the task or more of the handover than its excerpts")
	}
	if rules, steps := view.Excerpt(t, "Rules in force"), view.Excerpt(t, "Prioritized next steps"); rules != "Never push." || !strings.HasPrefix(steps, "1. Run `go test ./writer`") {
		t.Errorf("excerpts of the compact view: %q, %q", rules, steps)
	}
	spawns := spawnsIn(t, last)
	if len(spawns) != 2 || spawns[1].Prompt != view.Prompt.Line || spawns[1].Type != "general-purpose" || spawns[1].Model != "" {
		t.Errorf("the parent's spawns: %+v", spawns)
	}
}

// checkSuccessor looks at what the successor was sent.
func (c continued) checkSuccessor(t testing.TB, successors *model.Conversation, got stored) {
	requests := successors.Requests()
	if first := requests[0].AllText(); strings.Contains(first, taskMarker) || strings.Contains(first, bodyMarker) {
		t.Error("the task or the handover is pasted into the successor's prompt")
	}
	whole := wholeRead(t, requests[len(requests)-1])
	if whole.ID != got.Head.ID || whole.Pages != c.pages {
		t.Errorf("the successor read %s in %d pages, want %s in %d", whole.ID, whole.Pages, got.Head.ID, c.pages)
	}
	if digest([]byte(whole.Task())) != digest([]byte(got.Parts["task"])) || digest([]byte(whole.Handover())) != digest([]byte(got.Parts["handover"])) {
		t.Error("the bytes in the successor's request are not the stored ones")
	}
}

// checkReads looks at what the store holds about the read and the continuation.
func (c continued) checkReads(t testing.TB, store string, got stored, reader string) {
	reads := pagesRead(t, store, got.Head.ID)
	if len(reads) != c.pages {
		t.Fatalf("recorded reads: %+v, want %d pages", reads, c.pages)
	}
	for i, r := range reads {
		if !r.Verified || r.Page != i+1 || r.Pages != c.pages || r.Reader != reads[0].Reader {
			t.Errorf("recorded read: %+v", r)
		}
	}
	spawn := spawnOf(t, store, reads[0].Reader)
	if spawn.Agent != reader || !strings.HasPrefix(spawn.Prompt, "[handover:continue "+got.Head.ID+"]") {
		t.Errorf("the recorded reader is agent %q, spawned with %q; the successor is %s", spawn.Agent, spawn.Prompt, reader)
	}
	for _, state := range []string{"created", "admitted"} {
		if len(files(t, store, "continuations", got.Head.ID+"."+state)) != 1 {
			t.Errorf("the continuation is not recorded as %s", state)
		}
	}
}

func (c continued) show(t *testing.T) {
	what := "A subagent"
	if c.background {
		what = "A background subagent"
	}
	shown.Show(t, "a", what+" stored 60 KB with CRLF, tabs, U+2028, emoji and a NUL; the store holds exactly these bytes, the task as it was spawned and the summary. "+
		"Its parent was sent one receipt and a compact view without the task and with excerpts only, and spawned the successor with the printed prompt unchanged.")
	if c.pages > 1 {
		shown.Show(t, "a", "The successor's pages, joined from its requests, have the SHA-256 of the stored task and handover; each page was read once, and the store has a record of each.")
	} else {
		shown.Show(t, "a", "The task and the handover in the successor's next request have the SHA-256 of the stored ones, and the store has the record of this read.")
	}
}

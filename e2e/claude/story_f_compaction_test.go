//go:build e2e

package claude

import (
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

const (
	// smallModel has a window of 200,000 tokens, which the host compacts by
	// itself at 167,000.
	smallModel = "claude-opus-4-6"
	overFull   = 170_000
)

// outdated stands in the introduction after a compaction: the host may have kept a
// notice from before.
const outdated = "A notice from before the compaction no longer holds."

// overflows runs a command whose answer fills the context so far that the host
// compacts before the next request.
func overflows() phase { return says(hostrun.ClaudeBash("sleep 0.2").Using(filled(overFull))) }

// meetsAgain checks the first request after a compaction: the summary stands in
// it, one introduction, and the notices that the host has kept, if any, before
// that introduction.
func (w *worker) meetsAgain(kept ...string) phase {
	return checks(func(t *model.Turn) {
		text := t.AllText()
		w.Introduction = literal.ReadIntroduction(t, text)
		if !strings.Contains(w.Introduction.Text, outdated) {
			t.Fatalf("the introduction does not say %q: %s", outdated, w.Introduction.Text)
		}
		got := literal.Stages(text)
		if strings.Join(got, " ") != strings.Join(kept, " ") || !strings.Contains(text, summaryWords) {
			t.Fatalf("after the compaction the request holds the notices %q, want %q, in: %s", got, kept, text)
		}
		if before, _, _ := strings.Cut(text, w.Introduction.Text); len(literal.Stages(before)) != len(kept) {
			t.Fatalf("a notice from before the compaction stands after the introduction: %s", text)
		}
	})
}

const summaryWords = "what the summary keeps"

// summarises is the summariser of a story, which must be asked once, about that
// conversation.
func summarises(script *model.Script, of *model.Conversation) *model.Conversation {
	return script.Side(model.KindCompaction).Steps(func(t *model.Turn) model.Answer {
		if t.Of != of {
			t.Fatalf("the summariser works for %v, want %s", t.Of, of.Name())
		}
		return model.Text("<summary>" + summaryWords + "</summary>")
	})
}

// TestCompactedSubagent: the host compacts a subagent that was given two notices
// and did not hand over. It is introduced again, no stage is judged on what it
// held before, and the first notice of the new epoch has the template.
func TestCompactedSubagent(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	work := phases(
		w.starts(), w.carried(load{99_999, ""}, load{100_000, "1"}, load{125_000, "3"}), overflows(),
		w.meetsAgain(),
		w.carried(load{40_000, ""}, load{99_999, ""}, load{100_000, "1"}),
		checks(func(turn *model.Turn) {
			if len(w.First.Headings) == 0 {
				turn.Fatalf("the first notice of the new epoch has no template: %s", w.First.Text)
			}
		}),
		w.handsOver(drafted(nil, "Half is done.\nUser decisions pending: none")),
	)
	lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}), p.reads(), says(model.Text("main is done")))
	script.Main().Do(lead.answer)
	summarises(script, script.Agent("SUBTASK").Do(work.answer))

	claude := withPlugin(t, script, "soft=100000")
	claude.Model = smallModel
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	lead.finished(t)
	if t.Failed() {
		return
	}
	d := onlyHandover(t, storeFolder(claude)).Head.Diagnostics
	if d.PromptedBy != "notice" || d.Stage != 1 || d.Reading.Kind != "measured" || d.Reading.Tokens != 100_000 {
		t.Errorf("stored diagnostics: %+v", d)
	}
	shown.Show(t, "f", "The host compacted a subagent by itself that had been given notices of stages 1 and 3. Its next request holds one introduction and none of these notices; "+
		"stage 1 came again, in the request after the 100,000th token of the new history and with the template; the handover stored then is that of stage 1.")
}

// TestNoticeAtCompaction: the batch of tools that earns a notice is the one after
// which the host compacts. The host keeps the end of the history word for word,
// and the notice with it; the introduction after it says that it no longer holds.
func TestNoticeAtCompaction(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	work := phases(
		w.starts(), w.carried(load{99_999, ""}), overflows(),
		w.meetsAgain("3"), says(hostrun.ClaudeBash("sleep 0.2").Using(filled(40_000))),
		checks(func(turn *model.Turn) {
			if literal.HasNotice(turn.NewText()) {
				turn.Fatalf("a notice on 40,000 tokens: %s", turn.NewText())
			}
		}), reports(),
	)
	lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}), p.ends(ordinary, "main is done"))
	script.Main().Do(lead.answer)
	summarises(script, script.Agent("SUBTASK").Do(work.answer))

	claude := withPlugin(t, script, "soft=100000")
	claude.Model = smallModel
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	lead.finished(t)
	shown.Show(t, "f", "A notice on the very batch after which the host compacts stays in what the host keeps of the history; the introduction that follows it says that it no longer holds.")
}

// TestStoredAfterCompaction: the first thing a subagent does after a compaction
// is to hand over. What its context holds is unknown then, and is stored as that.
func TestStoredAfterCompaction(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var a asked
	var p parent
	work := phases(
		w.starts(), w.carried(load{99_999, ""}, load{100_000, "1"}), overflows(),
		checks(func(turn *model.Turn) { a.Tool = listed(turn, "context_handover") }),
		func(*model.Turn) (model.Answer, outcome) {
			// The host takes a call of a tool that is not loaded yet, and runs it
			// while the answer goes on: the answer's own usage is not known then.
			call, _ := a.stores(askedHandover, askedSummary)(nil)
			return call.Then(model.Text("That was all.")).Spread(2 * time.Second).Unchecked(), over
		},
		a.ends(),
	)
	lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context, then hand over."}), p.reads(), says(model.Text("main is done")))
	script.Main().Do(lead.answer)
	summarises(script, script.Agent("SUBTASK").Do(work.answer))

	claude := withPlugin(t, script, "soft=100000")
	claude.Model = smallModel
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	lead.finished(t)
	if t.Failed() {
		return
	}
	d := onlyHandover(t, storeFolder(claude)).Head.Diagnostics
	if d.Reading.Kind != "unknown" || d.Reading.Tokens != 0 || d.Stage != -1 {
		t.Errorf("stored diagnostics: %+v", d)
	}
	if !strings.Contains(p.View, "stage=unknown, context_tokens=unknown") {
		t.Errorf("the parent's view does not say unknown: %s", p.View)
	}
	shown.Show(t, "f", "A handover stored by the first call after a compaction has an unknown reading and an unknown stage, not those from before; the parent's view says unknown.")
}

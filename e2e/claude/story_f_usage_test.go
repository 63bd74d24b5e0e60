//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// unnoticed checks that no notice is new in this request.
func unnoticed() phase {
	return checks(func(t *model.Turn) {
		if literal.HasNotice(t.NewText()) {
			t.Fatalf("%s: a notice: %s", t.Request.Conversation, t.NewText())
		}
	})
}

// TestUsageMissing: a provider leaves the usage out, or counts nothing. Then the
// reading is unknown, not the one before: no notice, and a handover stored then
// says unknown. With the next usage the stages go on.
func TestUsageMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(model.Answer) model.Answer
		shows string
	}{
		{"left out", model.Answer.WithoutUsage, "without any usage"},
		{"zero", func(a model.Answer) model.Answer { return a.Using(model.Usage{}) }, "with a usage of zero"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			script := model.NewScript(t, hostrun.ClaudeHost())
			spoilt := func(a model.Answer) phase { return says(c.spoil(a)) }
			var w worker
			var p parent
			var stored literal.Stored
			work := phases(
				w.starts(), w.carried(load{19_000, ""}), spoilt(hostrun.ClaudeBash("sleep 0.2")),
				unnoticed(), w.carried(load{20_000, "1"}), spoilt(hostrun.ClaudeBash("sleep 0.2")),
				unnoticed(),
				func(turn *model.Turn) (model.Answer, outcome) { return c.spoil(w.First.Load(turn).Answer()), over },
				func(turn *model.Turn) (model.Answer, outcome) {
					return c.spoil(w.First.Store(askedHandover, askedSummary)), over
				},
				func(turn *model.Turn) (model.Answer, outcome) {
					stored = literal.ReadStored(turn, turn.LastToolResult().Text)
					return c.spoil(model.Text(stored.Block)), over
				},
			)
			lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}), p.reads(), says(model.Text("main is done")))
			script.Main().Do(lead.answer)
			script.Agent("SUBTASK").Do(work.answer)

			claude := withPlugin(t, script, "soft=20000")
			runs(t, claude, script, "Do the task.", "main is done")
			work.finished(t)
			lead.finished(t)
			if t.Failed() {
				return
			}
			d := onlyHandover(t, storeFolder(claude)).Head.Diagnostics
			if d.PromptedBy != "notice" || d.Stage != -1 || d.Reading.Kind != "unknown" || d.Reading.Tokens != 0 {
				t.Errorf("stored diagnostics: %+v", d)
			}
			if !strings.Contains(p.View, "stage=unknown, context_tokens=unknown") {
				t.Errorf("the parent's view does not say unknown: %s", p.View)
			}
			shown.Show(t, "f", "An answer "+c.shows+" brings no notice and repeats none; the next counted one brings stage 1. A handover stored while the newest answer has no count says unknown, in the store and in the parent's view.")
		})
	}
}

const overloaded = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`

// TestProviderFails: a request of a subagent fails and is tried again by the
// host. No reading comes of it: the notice is that of the request that worked.
func TestProviderFails(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	work := phases(
		w.starts(), w.carried(load{19_999, ""}), says(model.Fail(529, overloaded)),
		unnoticed(), w.carried(load{20_000, "1"}), says(model.Fail(529, overloaded)),
		w.handsOver(drafted(nil, "Half is done.\nUser decisions pending: none")),
	)
	lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}), p.reads(), says(model.Text("main is done")))
	script.Main().Do(lead.answer)
	sub := script.Agent("SUBTASK").Do(work.answer)

	claude := withPlugin(t, script, "soft=20000")
	if r := claude.Run("Do the task."); r.Text != "main is done" {
		t.Errorf("result: code %d, text %q, stderr %q", r.Code, r.Text, r.Stderr)
	}
	work.finished(t)
	lead.finished(t)
	if t.Failed() {
		return
	}
	if got := literal.Stages(lastOf(t, sub).SystemText()); len(got) != 1 {
		t.Errorf("the last request holds the notices %q, want 1", got)
	}
	if d := onlyHandover(t, storeFolder(claude)).Head.Diagnostics; d.Reading.Tokens != 20_000 || d.Stage != 1 {
		t.Errorf("stored diagnostics: %+v", d)
	}
	shown.Show(t, "f", "Requests that failed with 529 and were tried again by the host bring no reading and no notice, and repeat none.")
}

// TestProviderGivesUp: the provider fails until the host gives the subagent up.
// Its parent resumes it, and it goes on as if nothing had been: introduced once,
// told once for each stage. The row that the host writes about the error is no
// request and no reading.
func TestProviderGivesUp(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	work := phases(
		w.starts(), says(model.Text("I begin.").Then(hostrun.ClaudeBash("sleep 0.2")).Using(filled(15_000))),
		w.carried(load{19_999, ""}, load{20_000, "1"}),
		says(model.Fail(529, overloaded)), says(model.Fail(529, overloaded)),
		unnoticed(), says(hostrun.ClaudeBash("sleep 0.2").Using(filled(20_500))),
		unnoticed(), says(hostrun.ClaudeBash("sleep 0.2").Using(filled(22_000))),
		checks(func(turn *model.Turn) {
			literal.ReadIntroduction(turn, turn.Request.SystemText())
			if got := literal.Stages(turn.Request.SystemText()); strings.Join(got, " ") != "1 2" {
				turn.Fatalf("the request holds the notices %q, want 1 and 2", got)
			}
		}), reports(),
	)
	var m messenger
	var to string
	lead := phases(
		p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}),
		checks(func(turn *model.Turn) { to = agentIn(turn, turn.NewText()) }),
		m.sends(&to, "Go on."), p.waits(), p.ends(ordinary, "main is done"),
	)
	script.Main().Do(lead.answer)
	script.Agent("SUBTASK").Do(work.answer)

	claude := withPlugin(t, script, "soft=20000")
	claude.Env["CLAUDE_CODE_MAX_RETRIES"] = "1"
	if r := claude.Run("Do the task."); r.Text != "main is done" {
		t.Errorf("result: code %d, text %q, stderr %q", r.Code, r.Text, r.Stderr)
	}
	work.finished(t)
	lead.finished(t)
	if all := handovers(t, storeFolder(claude)); len(all) != 0 {
		t.Errorf("%d handovers of an agent that stored none", len(all))
	}
	shown.Show(t, "f", "A subagent that the host gave up after the provider's errors stored nothing. Resumed, it is not introduced again; the stage told before the errors is not told again, the next one is.")
}

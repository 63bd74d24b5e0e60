//go:build e2e

package claude

import (
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestTwoAtOnce: two subagents hand over at the same moment.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	t.Run("different texts", func(t *testing.T) {
		t.Parallel()
		pair("the words of A", "the words of B").tell(t)
		shown.Show(t, "c", "Two subagents that handed over at the same moment have one handover each, with their own words and their own task, and their parent got each receipt as that subagent's.")
	})
	t.Run("interleaved", func(t *testing.T) {
		t.Parallel()
		s := pair("the words of A, HOLD-THIS", "the words of B")
		s.beside, s.held = "hold-marked", true
		s.tell(t)
		shown.Show(t, "c", "Two subagents of which one's call was held back while the other's was stored have one handover each, with their own words and their own task.")
	})
	t.Run("the same text", func(t *testing.T) {
		t.Parallel()
		pair("the words of both", "the words of both").tell(t)
		shown.Show(t, "c", "Two subagents that wrote the same bytes at the same moment have one handover each, under their own agent and with their own task.")
	})
}

// TestOneIDTwice: a provider uses an id again: for another tool of the same
// subagent, whose result the host then does not show, and for another subagent
// after it.
func TestOneIDTwice(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var a, b asked
	again := func(p phase) phase {
		return func(t *model.Turn) (model.Answer, outcome) {
			answer, o := p(t)
			return answer.WithID("call_0"), o
		}
	}
	firstText, firstSummary := words("the words of the first")
	secondText, secondSummary := words("the words of the second")
	first := phases(
		again(says(hostrun.ClaudeBash("true"))),
		a.finds(), again(a.stores(firstText, firstSummary)),
		// The host shows no result of an id that this conversation had before.
		checks(func(t *model.Turn) {
			if got := t.LastToolResults(); len(got) > 0 {
				t.Fatalf("the host showed the result of an id that was used before: %+v", got)
			}
		}),
		a.stores(firstText, firstSummary), a.ends(),
	)
	second := phases(b.finds(), again(b.stores(secondText, secondSummary)), b.ends())
	var p parent
	lead := phases(
		p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK-A: hand over."}),
		p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK-B: hand over."}),
		p.ends(receiptCame, "main is done"),
	)
	script.Main().Do(lead.answer)
	subs := []*model.Conversation{script.Agent("SUBTASK-A").Do(first.answer), script.Agent("SUBTASK-B").Do(second.answer)}
	claude := withPlugin(t, script)
	session := runs(t, claude, script, "Do the task.", "main is done").Session
	for _, c := range []*course{first, second, lead} {
		c.finished(t)
	}
	got := byOwner(t, storeFolder(claude))
	if t.Failed() || len(got) != 2 {
		t.Fatalf("%d agents have handovers, want 2", len(got))
	}
	for i, text := range [][2]string{{firstText, firstSummary}, {secondText, secondSummary}} {
		agent := subs[i].Requests()[0].Origin.Agent
		got[agent].belongs(t, session, agent, text[0], text[1])
	}
	shown.Show(t, "c", "An id that the provider had used before, for another tool and in another subagent, binds each call to the subagent that made it. Where the host therefore kept the answer from the model, the same text called again got the receipt of the one handover that was stored.")
}

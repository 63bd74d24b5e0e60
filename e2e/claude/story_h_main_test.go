//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestMainAsked: by default a main agent gets no notices however full it is. When
// its user asks, it stores, gets a receipt for the user, and may work on and hand
// over again: the second text has an id of its own, the same text again has not,
// and the first stays as it was.
func TestMainAsked(t *testing.T) {
	t.Parallel()
	first, second := payload(2<<10, "the words of the first"), payload(2<<10, "the words of the second")
	script := model.NewScript(t, hostrun.ClaudeHost())
	script.Usage = filled(700_000)
	var a asked
	var ids []string
	gives := func() phase { // the receipt, as the answer says, to the user
		return func(turn *model.Turn) (model.Answer, outcome) {
			a.Stored = literal.ReadStored(turn, turn.LastToolResult().Text)
			if p := a.Stored.Prompt(turn); p.ID != a.Stored.ID {
				turn.Fatalf("the receipt of %s continues %s", a.Stored.ID, p.ID)
			}
			ids = append(ids, a.Stored.ID)
			return model.Text(a.Stored.Block), over
		}
	}
	works := says(hostrun.ClaudeBash("echo worked"))
	lead := phases(
		works, works, says(model.Text("Worked.")),
		a.finds(), a.stores(first, askedSummary), gives(),
		works, checks(func(turn *model.Turn) {
			if got := turn.LastToolResult(); got.Error || got.Text != "worked" {
				turn.Fatalf("a tool of a main agent that handed over: %+v", got)
			}
		}), says(model.Text("Worked on.")),
		a.stores(second, askedSummary), gives(),
		a.stores(second, askedSummary), gives(),
	)
	main := script.Main().Do(lead.answer)

	claude := withPlugin(t, script)
	session := claude.Session()
	for _, prompt := range []string{"Do the task.", "Hand over.", "Work on.", "Hand over again.", "Once more."} {
		session.Prompt(prompt)
	}
	r := session.End()
	lead.finished(t)
	if t.Failed() {
		return
	}
	if literal.HasNotice(lastOf(t, main).SystemText()) {
		t.Error("a main agent in its default mode was sent a notice")
	}
	if ids[0] == ids[1] || ids[1] != ids[2] {
		t.Errorf("the ids of the three calls are %q", ids)
	}
	all := handovers(t, storeFolder(claude))
	if len(all) != 2 {
		t.Fatalf("%d handovers, want 2", len(all))
	}
	for i, want := range []string{first, second} {
		all[i].belongs(t, r.Session, "", want, askedSummary)
		h := all[i].Head
		if h.ID != ids[i] || h.Ordinal != i+1 || h.Role != "main" || h.Diagnostics.PromptedBy != "request" || h.Diagnostics.Reading.Tokens != 700_000 {
			t.Errorf("handover %d: %+v", i+1, h)
		}
	}
	for _, id := range ids[:2] {
		told := 0
		for _, e := range r.Where("system", "informational") {
			told += strings.Count(string(e.Raw), "`handover show "+id+"`")
		}
		if told != 1 {
			t.Errorf("the host showed its user %d times that %s is stored, want once", told, id)
		}
	}
	shown.Show(t, "h", "A main agent with 700,000 tokens in its context was sent no notice. Asked by its user it stored and was given a receipt with the line for a fresh session; its tools still ran. "+
		"Asked again it stored a second text under another id, with ordinal 2; the same text once more got the same id. Both texts are in the store byte for byte, and the host showed its user one line for each.")
}

// TestMainAdvised: in mode advise a main agent gets the notices of its stages,
// which by default are not those of a subagent, and hands over.
func TestMainAdvised(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	lead := phases(w.starts(), w.carried(load{200_000, ""}, load{299_999, ""}, load{300_000, "1"}, load{360_000, "3"}), w.handsOver(drafted(nil, askedSummary)))
	script.Main().Do(lead.answer)

	claude := withPlugin(t, script)
	configure(t, claude, `{"mode":{"main":"advise"}}`)
	r := claude.Run("Do the task.")
	lead.finished(t)
	if t.Failed() {
		return
	}
	got := onlyHandover(t, storeFolder(claude))
	if receipt := literal.ReadReceipt(t, r.Text); receipt.ID != got.Head.ID || receipt.Prompt(t).ID != got.Head.ID {
		t.Errorf("the user got the receipt of %s, stored is %s", receipt.ID, got.Head.ID)
	}
	if d := got.Head.Diagnostics; got.Head.Role != "main" || d.PromptedBy != "notice" || d.Stage != 3 || d.Reading.Tokens != 360_000 {
		t.Errorf("stored: %+v", got.Head)
	}
	shown.Show(t, "h", "With mode.main set to advise in config.json a main agent was sent notices at 300,000 and 360,000 tokens, none before, and the user got its receipt.")
}

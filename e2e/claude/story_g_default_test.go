//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// ends ends the subagent's turn with a text.
func (e *ending) ends(text func(s literal.Stored) string) phase {
	return func(*model.Turn) (model.Answer, outcome) {
		return e.worker.using(model.Text(text(e.worker.Stored))), over
	}
}

// TestFinalText: outside of auto mode the final text is the report. One that
// holds the id is left as it is; one without is asked for once, and no more.
func TestFinalText(t *testing.T) {
	t.Parallel()
	receipt := func(s literal.Stored) string { return s.Block }
	words := func(literal.Stored) string { return stuck }
	named := func(s literal.Stored) string { return stuck + " It is stored as " + s.ID + "." }

	var exact, mentioned, late, never ending
	readsReceipt := func(e *ending) []phase { return []phase{e.parent.reads(), says(model.Text("main is done"))} }
	readsWords := func(e *ending) []phase {
		return []phase{checks(func(turn *model.Turn) {
			if text := turn.NewText(); literal.HasReceipt(text) || strings.Count(text, stuck) != 1 {
				turn.Fatalf("the parent was sent: %s", text)
			}
		}), says(model.Text("main is done"))}
	}
	for _, c := range []struct {
		name     string
		story    *ending
		ends     []phase
		parent   []phase
		recorded string
		shows    string
	}{
		{"receipt", &exact, []phase{exact.ends(receipt)}, readsReceipt(&exact), "delivered=final text",
			"In the default mode the receipt is the final text: the parent was sent it, the agent was asked for nothing, and the delivery is recorded."},
		{"id in own words", &mentioned, []phase{mentioned.ends(named)}, readsWords(&mentioned), "delivered=final text",
			"A final text in the agent's own words that names the id is left as it is."},
		{"id missing", &late, []phase{late.ends(words), late.asked(""), late.ends(receipt)}, readsReceipt(&late), "corrected= delivered=final text",
			"A final text without the id is answered once with the receipt to send; the parent then got that and not the words before it."},
		{"id missing twice", &never, []phase{never.ends(words), never.asked(""), never.ends(words)}, readsWords(&never), "corrected=",
			"An agent that does not send it even then is let go: one correction, no more."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.story.tell(t, "", nil, c.ends, c.parent)
			if t.Failed() {
				return
			}
			c.story.recorded(t, c.recorded)
			shown.Show(t, "g", c.shows)
		})
	}
}

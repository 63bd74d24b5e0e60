//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestMainContinued: two fresh sessions go on from a main agent's handover: one
// whose first message is the line from the receipt, and one that is told nothing
// and finds it in the list.
func TestMainContinued(t *testing.T) {
	t.Parallel()
	older, text := payload(2<<10, "the words of the older"), payload(60<<10, bodyMarker)
	script := model.NewScript(t, hostrun.ClaudeHost())
	var a asked
	var line string
	gives := func(turn *model.Turn) (model.Answer, outcome) {
		a.Stored = literal.ReadStored(turn, turn.LastToolResult().Text)
		line = a.Stored.Prompt(turn).Line
		return model.Text(a.Stored.Block), over
	}
	first := phases(a.finds(), a.stores(older, "The older.\nUser decisions pending: none"), gives, a.stores(text, askedSummary), gives)
	script.Main("FIRST").Do(first.answer)

	var s successor
	next := phases(s.readsAll(), says(model.Text("continued")))
	script.Main("[handover:continue").Do(next.answer)

	var l lister
	found := phases(l.lists(), l.reads(), says(model.Text("found")))
	script.Main("FIND").Do(found.answer)

	claude := withPlugin(t, script)
	session := claude.Session()
	session.Prompt("FIRST: hand over.")
	session.Prompt("Hand over again.")
	session.End()
	if line == "" {
		t.Fatal("no line for a fresh session")
	}
	runs(t, claude, script, line, "continued")
	runs(t, claude, script, "FIND the last handover and go on.", "found")
	for _, c := range []*course{first, next, found} {
		c.finished(t)
	}
	if t.Failed() {
		return
	}
	id := a.Stored.ID
	for who, w := range map[string]literal.Whole{"the line": s.Whole, "the list": l.Whole} {
		if w.ID != id || w.Handover() != text || w.Task() != "" {
			t.Errorf("by %s the session read %s: %d bytes, the stored ones: %v; a task of %d bytes", who, w.ID, len(w.Handover()), w.Handover() == text, len(w.Task()))
		}
	}
	items := l.Listing.Items
	if len(items) != 2 || items[0].ID != id || !strings.Contains(items[0].Says, "read by another agent") || !strings.Contains(items[1].Says, `not continued  "The older."`) {
		t.Errorf("the list: %+v", items)
	}
	reads := pagesRead(t, storeFolder(claude), id)
	if len(reads) != 2 || reads[0].Reader == reads[1].Reader || !reads[0].Verified || !reads[1].Verified {
		t.Errorf("recorded reads: %+v", reads)
	}
	shown.Show(t, "h", "A fresh session whose first message was the receipt's line was sent the stored bytes whole, without a task, since a main agent's is not captured. "+
		"A second one read without an id: the list had both handovers, newest first, the newer as read by another agent; by its id it was sent the same bytes. Both reads are recorded with their readers.")
}

// lister is a fresh session that looks for what the one before has left.
type lister struct {
	Listing literal.Listing
	Whole   literal.Whole

	tool string
}

// lists calls the reader without an id.
func (l *lister) lists() phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		if l.tool == "" {
			l.tool = listed(t, "read_handover")
			return loads(l.tool), again
		}
		return model.ToolUse(l.tool, map[string]any{}), over
	}
}

// reads reads the newest of the list as the list says, every page.
func (l *lister) reads() phase {
	var next *literal.Call
	return func(t *model.Turn) (model.Answer, outcome) {
		if next == nil {
			l.Listing = literal.ReadListing(t, t.LastToolResult().Text)
			c := l.Listing.Read(l.Listing.Items[0])
			next = &c
		} else if next = l.Whole.Add(t, t.LastToolResult().Text); next == nil {
			return model.Answer{}, passed
		}
		return next.Answer(), again
	}
}

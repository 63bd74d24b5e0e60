//go:build e2e

package claude

import (
	"strings"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// parent is an agent that gets a receipt instead of a report. It knows only
// what it was sent and how it spawned the subagent itself.
type parent struct {
	Receipt literal.Receipt
	Compact literal.Compact
	View    string // the compact view as it was sent
	Spawned hostrun.ClaudeSpawn
}

// spawns starts a subagent.
func (p *parent) spawns(s hostrun.ClaudeSpawn) phase {
	return func(*model.Turn) (model.Answer, outcome) {
		p.Spawned = s
		return s.Call(), over
	}
}

// waits ends the turn while a subagent works in the background; the host starts
// the next turn when it is done.
func (p *parent) waits() phase { return says(model.Text("Waiting for the subagent.")) }

// reads takes the receipt, loads the reader if need be and reads the compact
// view; the turn with the view is the next phase's.
func (p *parent) reads() phase {
	started, called := false, false
	return func(t *model.Turn) (model.Answer, outcome) {
		if !started {
			p.Receipt, started = literal.ReadReceipt(t, hostrun.ClaudeReport(t.NewText())), true
		}
		if called {
			p.View = t.LastToolResult().Text
			p.Compact = literal.ReadCompact(t, p.View)
			if p.Compact.ID != p.Receipt.ID {
				t.Fatalf("the view is of %s, the receipt of %s", p.Compact.ID, p.Receipt.ID)
			}
			return model.Answer{}, passed
		}
		reader := p.Receipt.Reader(t)
		called = t.CanCall(reader.Name)
		return literal.Reach(t, reader, p.Receipt.Load), again
	}
}

// replaces reads the compact view and spawns the successor with the printed
// prompt unchanged and the parameters that the view prescribes; what it does not
// know is as the predecessor was spawned. Change, if not nil, is what this
// parent does differently.
func (p *parent) replaces(change func(*hostrun.ClaudeSpawn)) []phase {
	return []phase{p.reads(), func(t *model.Turn) (model.Answer, outcome) {
		s := hostrun.ClaudeSpawn{
			Type: p.Compact.AgentType, Model: p.Compact.Model, Isolation: p.Compact.Isolation,
			Prompt: p.Compact.Prompt.Line, Background: p.Spawned.Background,
		}
		if s.Type == "" {
			s.Type = p.Spawned.Type
		}
		if !p.Compact.ModelSeen {
			s.Model = p.Spawned.Model
		}
		if p.Compact.Add != "" {
			s.Prompt += "\n" + p.Compact.Add
		}
		if change != nil {
			change(&s)
		}
		p.Spawned = s
		return s.Call(), over
	}}
}

// ends checks that a report came and ends with a text.
func (p *parent) ends(report, text string) phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		if got := t.NewText(); !strings.Contains(got, report) {
			t.Fatalf("%s: no report %q in: %s", t.Request.Conversation, report, got)
		}
		return model.Text(text), over
	}
}

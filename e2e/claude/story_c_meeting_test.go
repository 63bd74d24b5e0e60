//go:build e2e

package claude

import (
	"regexp"
	"testing"

	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// meeting holds the answers of several agents back until all of them are there.
type meeting struct {
	missing int
	all     chan struct{}
}

func meetingOf(n int) *meeting { return &meeting{n, make(chan struct{})} }

// joins holds an answer back until the others have come.
func (m *meeting) joins(a model.Answer) model.Answer {
	if m.missing--; m.missing == 0 {
		close(m.all)
	}
	return a.When(m.all)
}

// asStored changes the answer of a phase that calls the storing tool.
func asStored(w *worker, p phase, change func(model.Answer) model.Answer) phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		a, o := p(t)
		if o != passed && a.Calls() && a.Blocks[0].Name == w.Last.Tool {
			a = change(a)
		}
		return a, o
	}
}

// agentPattern is where the host names the subagent of a result.
var agentPattern = regexp.MustCompile(`(?m)^agentId: (a[0-9a-f]{16})\b`)

// agentIn returns the id by which the host names the only subagent of a text.
func agentIn(f literal.Failer, text string) string {
	f.Helper()
	found := agentPattern.FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		f.Fatalf("the host names %d subagents, want 1, in:\n%s", len(found), text)
	}
	return found[0][1]
}

// byOwner returns the handovers of a store by the agent they are stored for.
func byOwner(tb testing.TB, store string) map[string]stored {
	tb.Helper()
	all := map[string]stored{}
	for _, s := range handovers(tb, store) {
		agent := s.Head.Actor.Agent
		if _, twice := all[agent]; twice {
			tb.Errorf("two handovers of the agent %s", agent)
		}
		all[agent] = s
	}
	return all
}

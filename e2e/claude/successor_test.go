//go:build e2e

package claude

import (
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// successor is a fresh subagent whose prompt continues a handover. It knows only
// that prompt and what it reads.
type successor struct {
	worker
	Prompt literal.Prompt
	Whole  literal.Whole
}

// readsAll reads the handover in full, as its prompt asks, every page once; the
// turn with the last page is the next phase's.
func (s *successor) readsAll() phase {
	var next *literal.Call
	return func(t *model.Turn) (model.Answer, outcome) {
		if t.Index == 0 {
			s.Prompt = literal.ReadPrompt(t, t.Request.FirstUser())
			next = &s.Prompt.Read
		} else if t.LastToolResult().Name == next.Name {
			if next = s.Whole.Add(t, t.LastToolResult().Text); next == nil {
				return model.Answer{}, passed
			}
		}
		return literal.Reach(t, *next, s.Prompt.Load), again
	}
}

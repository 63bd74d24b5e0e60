//go:build e2e

package claude

import (
	"testing"

	"github.com/auto-context-handover/handover/e2e/model"
)

// A phase is one stretch of an agent's conversation: working, handing over,
// reading. It gets a turn and says what came of it. Phases hold what they took
// from what they were sent, so a phase belongs to one agent.
type phase func(*model.Turn) (model.Answer, outcome)

// outcome is what a phase made of a turn.
type outcome int

const (
	again  outcome = iota // answered, and the next turn is this phase's too
	over                  // answered; the next turn is the next phase's
	passed                // not answered: the next phase answers this turn
)

// course is the conversation of one agent that goes through phases in order.
type course struct {
	phases []phase
	at     int
}

func phases(all ...phase) *course { return &course{phases: all} }

// answer is the course as a conversation's function.
func (c *course) answer(t *model.Turn) model.Answer {
	for c.at < len(c.phases) {
		a, o := c.phases[c.at](t)
		if o != again {
			c.at++
		}
		if o != passed {
			return a
		}
	}
	t.Fatalf("%s: request %d, but all %d phases of the story are over; new text: %s", t.Request.Conversation, t.Index, len(c.phases), t.NewText())
	return model.Answer{}
}

// finished fails the story unless every phase is over.
func (c *course) finished(tb testing.TB) {
	tb.Helper()
	if c.at < len(c.phases) {
		tb.Errorf("an agent stopped in phase %d of %d", c.at+1, len(c.phases))
	}
}

// inTurn is the conversation of several agents that its markers do not tell
// apart, such as successors: the first to ask goes through the first course.
func inTurn(courses ...*course) func(*model.Turn) model.Answer {
	return func(t *model.Turn) model.Answer {
		if t.Actor >= len(courses) {
			t.Fatalf("%s: agent %d asks, but the story has only %d", t.Request.Conversation, t.Actor+1, len(courses))
		}
		return courses[t.Actor].answer(t)
	}
}

// says answers once, whatever came.
func says(a model.Answer) phase {
	return func(*model.Turn) (model.Answer, outcome) { return a, over }
}

// checks looks at a turn that the next phase answers.
func checks(look func(*model.Turn)) phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		look(t)
		return model.Answer{}, passed
	}
}

package hooks

import (
	"strings"

	"github.com/auto-context-handover/handover/store"
)

// agentStop sees to it, at most once, that the receipt leaves with an agent
// that handed over. It never keeps an agent for the sake of a measurement.
func (e *engine) agentStop() Reply {
	if e.ev.Ambiguous != "" {
		return Reply{}
	}
	id, closed := e.closed()
	if !closed || !e.locks(id) {
		return Reply{}
	}
	facts, ok := e.facts()
	if !ok {
		return Reply{}
	}
	byTool := e.ev.HandsBack && e.row.HandBack != ""
	switch {
	case byTool && facts.Delivered:
		return Reply{}
	case !byTool && strings.Contains(e.ev.LastMessage, id):
		e.delivered(id, "final text")
		return Reply{}
	case e.ev.StopActive || facts.Corrected || e.ev.LastTooLong:
		return Reply{}
	}
	s, err := e.create()
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	if !e.speak() {
		return Reply{}
	}
	won, err := s.ClaimOnce(e.ev.Actor, store.FactCorrected, store.Correction{ID: id, At: e.now()})
	if err != nil || !won {
		return Reply{}
	}
	return Reply{Block: e.texts().StopCorrection(id, byTool)}
}

package hooks

import (
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// handBack rewrites the report of an agent that handed over. Until the receipt
// was seen to arrive, a report carries it and then the agent's own words; after
// that the refusal, not the old summary (design 9.2).
func (e *engine) handBack(id string) Reply {
	facts, ok := e.facts()
	if !ok {
		return Reply{}
	}
	text := e.texts().HandBackLater(id)
	if !facts.Delivered {
		s, err := e.open()
		if err != nil {
			e.log("%v", err)
			return Reply{}
		}
		h, err := s.Handover(id)
		if err != nil {
			e.log("%v", err)
			return Reply{}
		}
		summary, _ := h.Text(store.PartSummary)
		receipt := modeltext.ReceiptInput{ID: id, Role: h.Header.Role, Mark: modeltext.NewMark(), Summary: string(summary)}
		text = e.texts().HandBack(receipt, *e.ev.Call.HandBack)
	}
	input, err := replaceMember(e.ev.Call.Input, "message", text)
	if err != nil {
		e.log("the hand-back of %s could not be rewritten and goes out as it is: %v", e.describe(), err)
		return Reply{}
	}
	return Reply{Input: input}
}

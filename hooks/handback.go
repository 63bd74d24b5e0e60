package hooks

import (
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// handBack rewrites the report of an agent that handed over. The first one
// carries the receipt and then the agent's own words; a later one the refusal,
// not the old summary (design 9.2). Which call was the first is a fact of its
// own, so that two hooks that see one call say the same.
func (e *engine) handBack(id string) Reply {
	own := *e.ev.Call.HandBack
	first, err := e.firstHandBack()
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	text := e.texts().HandBackLater(id)
	if first {
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
		text = e.texts().HandBack(modeltext.ReceiptInput{ID: id, Role: h.Header.Role, Mark: modeltext.NewMark(), Summary: string(summary)}, own)
	}
	input, err := replaceMember(e.ev.Call.Input, "message", text)
	if err != nil {
		e.log("the hand-back of %s could not be rewritten and goes out as it is: %v", e.describe(), err)
		return Reply{}
	}
	return Reply{Input: input}
}

// firstHandBack reports whether this call is the actor's first hand-back since
// it stored its handover.
func (e *engine) firstHandBack() (bool, error) {
	s, err := e.create()
	if err != nil {
		return false, err
	}
	mine := store.HandBack{CallID: e.ev.Call.ID, At: e.now()}
	won, err := s.ClaimOnce(e.ev.Actor, store.FactHandBack, mine)
	if err != nil || won {
		return won, err
	}
	var theirs store.HandBack
	if err := s.Fact(e.ev.Actor, store.FactHandBack, &theirs); err != nil {
		return false, err
	}
	return theirs.CallID != "" && theirs.CallID == mine.CallID, nil
}

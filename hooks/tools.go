package hooks

import (
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// toolStart answers an event before a tool runs. Nearly all of them are tools
// of somebody else in an agent that has handed nothing over; a main agent's
// cost us nothing at all, a subagent's one look at the store.
func (e *engine) toolStart(kind hosts.Kind) Reply {
	call := e.ev.Call
	switch {
	case call.Tool == hosts.ToolHandover:
		return e.issue(kind)
	case e.ev.Ambiguous != "":
		// An id that two live agents share locks neither of them.
	default:
		if id, closed := e.closed(); closed && e.locks(id) {
			if call.HandBack != nil {
				return e.handBack(id)
			}
			return Reply{Deny: e.texts().Closed(id)}
		}
	}
	switch {
	case call.Tool == hosts.ToolRead:
		return e.issue(kind)
	case call.Message != nil:
		return e.message(*call.Message)
	case call.Spawn != nil:
		e.spawned(*call.Spawn)
	}
	return Reply{}
}

// toolEnd takes note of what a tool that ran has shown.
func (e *engine) toolEnd() Reply {
	call := e.ev.Call
	switch {
	case call.Failed:
	case call.Spawn != nil:
		e.linked(*call.Spawn)
	case call.HandBack != nil:
		if id, closed := e.closed(); closed {
			e.delivered(id, "hand-back")
		}
	case call.Tool == hosts.ToolHandover:
		return e.tellPerson()
	}
	return Reply{}
}

// message denies a message to an agent that handed over: its successor is the
// one to talk to.
func (e *engine) message(m MessageRequest) Reply {
	if m.Recipient.Main() {
		return Reply{}
	}
	s, err := e.open()
	if err != nil {
		if err != errNothingStored {
			e.log("%v", err)
		}
		return Reply{}
	}
	id, closed, err := s.Closed(m.Recipient)
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	if !closed || !e.locks(id) {
		return Reply{}
	}
	return Reply{Deny: e.texts().MessageDenied(id)}
}

// tellPerson shows the user, not the model, that something was stored.
func (e *engine) tellPerson() Reply {
	s, err := e.open()
	if err != nil {
		return Reply{}
	}
	id, state, err := s.Latest(e.ev.Actor)
	if err != nil || !state.Exists {
		return Reply{}
	}
	h, err := s.Handover(id)
	if err != nil || h.Header.CallID != e.ev.Call.ID {
		return Reply{}
	}
	return Reply{Person: e.texts().Stored(id, e.ev.Actor.Role())}
}

// delivered notes, once, that the receipt was seen to reach the parent.
func (e *engine) delivered(id, by string) {
	s, err := e.create()
	if err != nil {
		e.log("%v", err)
		return
	}
	if _, err := s.ClaimOnce(e.ev.Actor, store.FactDelivered, store.Delivery{ID: id, By: by, At: e.now()}); err != nil {
		e.log("%v", err)
	}
}

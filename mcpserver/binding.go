package mcpserver

import (
	"errors"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// call is what of a tools/call can bind it to its caller.
type call struct {
	tool  hosts.Tool
	meta  map[string]any
	token string // the reserved argument, "" where there is none
	hash  string // of the other arguments
}

// caller is who made a call, by the host's word and never by the model's.
type caller struct {
	actor actor.ID
	// hooked: a hook of ours saw the call, and record is what it wrote. Without
	// one the host itself named the actor, and nothing else is known.
	hooked bool
	record store.Capability
}

// unbound is why a call has no caller: what the store says about the records
// named by key, or what about them does not fit.
type unbound struct {
	key string
	err error
	// mismatch is set where the binding itself is refused.
	mismatch *refused
}

// bind finds out who made the call and uses up the record that says so.
func (s *Server) bind(st *store.Store, c call) (caller, *unbound) {
	var who caller
	var why *unbound
	switch s.Host.Binding {
	case hosts.BindCallID:
		who, why = s.bindCallID(st, c)
	case hosts.BindThread:
		who, why = s.bindThread(st, c)
	case hosts.BindArguments:
		who, why = s.claim(st, store.ArgumentsKey(s.Host.Name, string(c.tool), c.hash), c)
	default:
		who, why = s.claim(st, "", c)
	}
	if why == nil && who.actor.Host != s.Host.Name {
		return caller{}, unfit("the hook's record is of host " + bounded(who.actor.Host) + ", this server was started for " + s.Host.Name)
	}
	return who, why
}

// unfit is a binding that contradicts itself.
func unfit(what string) *unbound {
	return &unbound{mismatch: &refused{modeltext.CauseUnknownAgent, modeltext.Detail{What: what}}}
}

// bindCallID: the host's call id, and its session where the host tells it, name
// the record. A call that comes without them is bound by the hidden argument,
// which hooks add for a while after the server has seen such a call.
func (s *Server) bindCallID(st *store.Store, c call) (caller, *unbound) {
	id, session := c.metaString(s.Host.MetaCallID), c.metaString(s.Host.MetaSession)
	if id != "" && (session != "" || s.Host.MetaSession == "") {
		return s.claim(st, store.CapabilityKey(s.Host.Name, session, id), c)
	}
	if err := st.TouchFallback(s.Host.Name); err != nil {
		return caller{}, &unbound{err: err}
	}
	if c.token == "" {
		return caller{}, &unbound{mismatch: &refused{cause: modeltext.CauseNoCallID}}
	}
	return s.claim(st, "", c)
}

// bindThread: the host itself names the actor. A hook's record adds what is
// known about it and must agree.
func (s *Server) bindThread(st *store.Store, c call) (caller, *unbound) {
	thread := c.metaString(s.Host.MetaSession)
	if thread == "" {
		return caller{}, &unbound{mismatch: &refused{cause: modeltext.CauseNoCallID}}
	}
	who, why := s.claim(st, store.CapabilityKey(s.Host.Name, thread, c.metaString(s.Host.MetaCallID)), c)
	switch {
	case why != nil && errors.Is(why.err, store.ErrNoRecord):
		return caller{actor: actor.ID{Host: s.Host.Name, Session: thread}}, nil
	case why != nil:
		return caller{}, why
	case who.actor.Agent != thread && !(who.actor.Main() && who.actor.Session == thread):
		return caller{}, unfit("the host names another agent than the hook saw")
	}
	return who, nil
}

func (c call) metaString(key string) string {
	if key == "" {
		return ""
	}
	v, _ := c.meta[key].(string)
	return v
}

// claim uses up the record with this key; without a key the token names it.
func (s *Server) claim(st *store.Store, key string, c call) (caller, *unbound) {
	record, err := st.Claim(key, store.ClaimQuery{Tool: string(c.tool), Arguments: c.hash, Token: c.token, Now: s.Now()})
	if err != nil {
		return caller{}, &unbound{key: key, err: err}
	}
	return caller{actor: record.Actor, hooked: true, record: record}, nil
}

package mcpserver

import (
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// record is what is known about the handover, with what was learned later
// marked as such.
func (v view) record() modeltext.Record {
	h := v.header()
	lineage, late := v.lineage()
	return modeltext.Record{
		ID:      h.ID,
		Host:    h.Actor.Host,
		Actor:   h.Actor.Shown(),
		Role:    h.Role,
		Created: h.Created,
		Project: h.Project,
		// Unknown is not foreign.
		Foreign:    v.who.record.Project != "" && !store.SameProject(h.Project, v.who.record.Project),
		Bytes:      int64(len(v.text(store.PartHandover))),
		Provenance: v.provenance(),
		Lineage: modeltext.Lineage{
			Generation: lineage.Generation, Predecessor: lineage.Predecessor, Origin: lineage.Origin,
			Reason: lineage.Reason, Joined: late,
		},
		Diagnostics: modeltext.Diagnostics{
			PromptedBy: h.Diagnostics.PromptedBy, Stage: h.Diagnostics.Stage, Observation: h.Diagnostics.Observation,
			Soft: h.Diagnostics.Soft.Tokens, SoftSource: h.Diagnostics.Soft.Source, Delivered: v.delivered(),
		},
		Continuation: v.continuation(),
		Invisible:    modeltext.Invisible(h.Invisible),
	}
}

// lineage is the recorded one, or where that is unknown the one a later link
// gives (late).
func (v view) lineage() (l store.Lineage, late bool) {
	l = v.header().Lineage
	if (l.State == store.LineageUnknown || l.State == "") && v.joined.Lineage.State != store.LineageUnknown && v.joined.Lineage.State != "" {
		return v.joined.Lineage, true
	}
	return l, false
}

// provenance is how the agent was started. The recorded one counts as far as it
// knows something.
func (v view) provenance() modeltext.Provenance {
	h := v.header()
	p, late := h.Provenance, false
	if sp := v.joined.Spawn; sp != nil && !p.ModelKnown {
		p, late = sp.Provenance, true
		if p.AgentType == "" {
			p.AgentType = h.Provenance.AgentType
		}
	}
	return modeltext.Provenance{
		AgentType: p.AgentType, ModelKnown: p.ModelKnown, Model: p.Model,
		Isolation: p.Isolation, Worktree: h.Worktree, WorktreeGone: h.Worktree != "" && !isDirectory(h.Worktree), Joined: late,
	}
}

// delivered is when the receipt was first seen to arrive, or else to leave.
func (v view) delivered() time.Time {
	switch {
	case v.joined.Received != nil:
		return v.joined.Received.At
	case v.joined.Delivered != nil:
		return v.joined.Delivered.At
	}
	return time.Time{}
}

// continuation is how far the work went on. A main agent's handover that another
// agent has read to its end is called read; a subagent's is read by its parent,
// which says nothing.
func (v view) continuation() modeltext.Continuation {
	var c modeltext.Continuation
	for _, reached := range v.joined.Continuations {
		if c.State == string(store.ContinuationAdmitted) {
			break // what came after that does not make it uncertain
		}
		c.State = string(reached.State)
		if reached.Successor != "" {
			c.Successor = reached.Successor
		}
	}
	if c.State == "" && takenUp(v.header(), v.joined.Reads, v.who.actor) {
		c.State = "read"
	}
	return c
}

// takenUp reports whether a main agent's handover was read to its end by an agent
// that is neither its author nor the one that asks. That is all there is to see
// of a person's fresh session that went on from it.
func takenUp(h store.Header, reads []store.Read, asks actor.ID) bool {
	if h.Role != actor.RoleMain {
		return false
	}
	for _, r := range reads {
		if r.Verified && r.Complete && r.Reader != h.Actor.Key() && r.Reader != asks.Key() {
			return true
		}
	}
	return false
}

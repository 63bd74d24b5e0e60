package hooks

import (
	"errors"

	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// spawned records what a parent asks its host for, before the child exists.
func (e *engine) spawned(r SpawnRequest) {
	if e.ev.Ambiguous != "" {
		return
	}
	s, err := e.create()
	if err != nil {
		e.log("the start of a subagent was not recorded: %v", err)
		return
	}
	if _, err := s.RecordSpawn(e.spawn(s, r)); err != nil {
		e.log("the start of a subagent was not recorded: %v", err)
	}
}

// linked ties a spawn to the actor that the host says it made.
func (e *engine) linked(r SpawnRequest) {
	if r.Child.Main() || e.ev.Ambiguous != "" {
		return
	}
	s, err := e.create()
	if err != nil {
		e.log("the start of a subagent was not recorded: %v", err)
		return
	}
	key, err := s.RecordSpawn(e.spawn(s, r))
	if err == nil {
		err = s.LinkSpawn(r.Child, key)
	}
	if err != nil {
		e.log("the start of a subagent was not recorded: %v", err)
	}
	if r.HandBack == "" || r.HandBack == HandBackWithheld {
		return
	}
	if id, closed, err := s.Closed(r.Child); err == nil && closed {
		s.ClaimOnce(r.Child, store.FactReceived, store.Delivery{ID: id, By: r.HandBack, At: e.now()})
	}
}

func (e *engine) spawn(s *store.Store, r SpawnRequest) store.Spawn {
	return store.Spawn{
		Version:     store.RecordVersion,
		Parent:      e.ev.Actor,
		CallID:      e.ev.Call.ID,
		Prompt:      r.Prompt,
		PromptKnown: r.PromptKnown,
		Provenance:  r.Provenance,
		Lineage:     lineage(s, r, e.ev.Project),
		Project:     e.ev.Project,
		Seen:        e.now(),
	}
}

// lineage reads the marker of a spawn's prompt. A marker that cannot be
// honoured gives unknown lineage, never a task that starts anew (design 9.3).
func lineage(s *store.Store, r SpawnRequest, project string) store.Lineage {
	if !r.PromptKnown {
		return store.Lineage{State: store.LineageUnknown, Reason: "the spawn prompt could not be read"}
	}
	id, marker := modeltext.ParseMarker(r.Prompt)
	switch marker {
	case modeltext.MarkerNone:
		return store.Lineage{State: store.LineageOrigin, Generation: 1}
	case modeltext.MarkerMalformed:
		return store.Lineage{State: store.LineageUnknown, Reason: "the spawn prompt's marker is malformed"}
	}
	h, err := s.Handover(id)
	switch {
	case errors.Is(err, store.ErrRemoved):
		return store.Lineage{State: store.LineageUnknown, Reason: "the predecessor " + id + " was removed"}
	case err != nil:
		return store.Lineage{State: store.LineageUnknown, Reason: "the predecessor " + id + " is not stored here"}
	case !store.SameProject(h.Header.Project, project):
		return store.Lineage{State: store.LineageUnknown, Reason: "the predecessor " + id + " belongs to another project"}
	}
	return store.Lineage{State: store.LineageContinues, Predecessor: id}
}

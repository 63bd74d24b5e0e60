package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
)

// MaxReference bounds a reference, in bytes; no host's id is longer.
const MaxReference = 512

// maxCandidates bounds how many ids an AmbiguousError names.
const maxCandidates = 10

// Scope is who asks.
type Scope struct {
	// Host and Session of the caller.
	Host, Session string
	// Project of the caller; "" where it is not known. Then only whole ids
	// resolve.
	Project string
}

// Resolved is what a reference means.
type Resolved struct {
	ID string
	// Actor is set where the reference names an agent: with an id its latest
	// handover's, without one the agent that handed nothing over.
	Actor *actor.ID
}

// Resolve finds the handover that a reference means (design 7.8): a whole id
// anywhere; within the caller's project also an unambiguous beginning of an id
// with 8 or more of its digits, a host's session id, "session:agent", or the
// bare id of an agent in the caller's session. References are case-sensitive.
//
// The errors are ErrNotFound (with Resolved.Actor where the reference has the
// form of an agent), RemovedError, AmbiguousError and ErrUnknownProject.
func (s *Store) Resolve(ref string, in Scope) (Resolved, error) {
	if ref == "" || len(ref) > MaxReference {
		return Resolved{}, fmt.Errorf("%w: %.64q is neither an id nor an agent", ErrNotFound, ref)
	}
	if ValidID(ref) {
		return s.resolveID(ref)
	}
	if in.Project == "" {
		return Resolved{}, fmt.Errorf("%w: %.64q", ErrUnknownProject, ref)
	}
	d, err := s.visit(dirHandovers)
	if missing(err) {
		return Resolved{Actor: guess(ref, in)}, fmt.Errorf("%w: %.64q", ErrNotFound, ref)
	}
	if err != nil {
		return Resolved{}, err
	}
	defer d.Close()
	if r, ok, err := s.resolveActor(d, ref, in); ok || err != nil {
		return r, err
	}
	return s.resolveByListing(d, ref, in)
}

func (s *Store) resolveID(id string) (Resolved, error) {
	d, err := s.visit(dirHandovers)
	if missing(err) {
		return Resolved{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if err != nil {
		return Resolved{}, err
	}
	defer d.Close()
	if err := s.removed(d, id); err != nil {
		return Resolved{}, err
	}
	stored, err := exists(d, id+suffixHandover)
	if err == nil && !stored {
		err = fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if err != nil {
		return Resolved{}, err
	}
	return Resolved{ID: id}, nil
}

// meanings are the agents that a reference can name, as far as its form says.
func meanings(ref string, in Scope) []actor.ID {
	all := []actor.ID{{Host: in.Host, Session: ref}}
	if i := strings.LastIndexByte(ref, ':'); i > 0 && i < len(ref)-1 {
		all = append(all, actor.ID{Host: in.Host, Session: ref[:i], Agent: ref[i+1:]})
	}
	if in.Session != "" {
		all = append(all, actor.ID{Host: in.Host, Session: in.Session, Agent: ref})
	}
	return all
}

// guess is the agent that a reference names by its form alone, nil where that
// does not tell.
func guess(ref string, in Scope) *actor.ID {
	if ref == in.Session && ref != "" {
		return &actor.ID{Host: in.Host, Session: ref}
	}
	if i := strings.LastIndexByte(ref, ':'); i > 0 && i < len(ref)-1 {
		return &actor.ID{Host: in.Host, Session: ref[:i], Agent: ref[i+1:]}
	}
	return nil
}

// resolveActor looks for the agents that the reference names where their ids
// alone make their identity: it costs a few looks at names.
func (s *Store) resolveActor(d place, ref string, in Scope) (r Resolved, ok bool, err error) {
	var found []Resolved
	for _, a := range meanings(ref, in) {
		id, state, err := s.latest(d, a)
		if err != nil {
			return r, false, err
		}
		if state.Ordinal == 0 {
			continue
		}
		if state.Removed {
			if err := s.removed(d, id); err != nil {
				return Resolved{Actor: &a}, false, err
			}
		}
		h, _, err := s.header(d, id)
		if err != nil {
			return r, false, err
		}
		if h.Actor == a && SameProject(h.Project, in.Project) {
			found = append(found, Resolved{ID: id, Actor: &a})
		}
	}
	if len(found) == 1 {
		return found[0], true, nil
	}
	if len(found) > 1 {
		ambiguous := AmbiguousError{Reference: ref}
		for _, f := range found {
			ambiguous.Candidates = append(ambiguous.Candidates, f.ID)
		}
		return r, false, ambiguous
	}
	return r, false, nil
}

// resolveByListing looks at every handover of the project: for beginnings of
// ids, for agents of other hosts, and for agents whose identity has more than
// their ids in it.
func (s *Store) resolveByListing(d place, ref string, in Scope) (Resolved, error) {
	listed, err := s.byTime(d)
	if err != nil {
		return Resolved{}, err
	}
	byActor := map[actor.ID]Header{}
	var begun []Header
	for _, x := range listed {
		h, _, err := s.header(d, x.ID)
		if err != nil {
			continue
		}
		begins := beginsWith(x.ID, ref)
		named := refersTo(h.Actor, ref, in)
		if !begins && !named || !SameProject(h.Project, in.Project) {
			continue
		}
		if begins {
			begun = append(begun, h)
		}
		if named && h.Ordinal > byActor[h.Actor].Ordinal {
			byActor[h.Actor] = h
		}
	}
	ids := map[string]*actor.ID{}
	for _, h := range begun {
		ids[h.ID] = nil
	}
	for a, h := range byActor {
		ids[h.ID] = &a
	}
	switch len(ids) {
	case 0:
		return Resolved{Actor: guess(ref, in)}, fmt.Errorf("%w: %.64q in this project", ErrNotFound, ref)
	case 1:
		for id, a := range ids {
			return Resolved{ID: id, Actor: a}, nil
		}
	}
	ambiguous := AmbiguousError{Reference: ref}
	for id := range ids {
		ambiguous.Candidates = append(ambiguous.Candidates, id)
	}
	slices.Sort(ambiguous.Candidates)
	ambiguous.Candidates = ambiguous.Candidates[:min(len(ambiguous.Candidates), maxCandidates)]
	return Resolved{}, ambiguous
}

// beginsWith reports whether a reference is enough of the beginning of an id,
// with "ho-" or without.
func beginsWith(id, ref string) bool {
	digits := strings.TrimPrefix(ref, idPrefix)
	return len(digits) >= minPrefix && isHex(digits) && strings.HasPrefix(id, idPrefix+digits)
}

// refersTo reports whether a reference names an agent: its session, session:agent,
// or the bare agent within the caller's session.
func refersTo(a actor.ID, ref string, in Scope) bool {
	if a.Shown() == ref {
		return true
	}
	return in.Session != "" && a.Host == in.Host && a.Session == in.Session && !a.Main() && a.Agent == ref
}

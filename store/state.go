package store

import (
	"errors"
	"fmt"

	"github.com/auto-context-handover/handover/internal/actor"
)

// ActorState is what handovers/ says about an actor's latest handover.
type ActorState struct {
	// Exists: the handover is there and can be read.
	Exists bool
	// Removed: it was removed by a person; its id is never used again.
	Removed bool
	// Closed: the actor handed over for good, see Store.Closed.
	Closed bool
	// Reopened: a person let the actor go on.
	Reopened bool
	// Ordinal of the latest handover, 0 where there never was one.
	Ordinal int
}

// Latest returns the id of an actor's latest handover, "" where it never had
// one. Where nothing is stored it looks up two names.
func (s *Store) Latest(a actor.ID) (id string, state ActorState, err error) {
	d, err := s.visit(dirHandovers)
	if missing(err) {
		return "", ActorState{}, nil
	}
	if err != nil {
		return "", ActorState{}, err
	}
	defer d.Close()
	id, state, err = s.latest(d, a)
	if err != nil || state.Ordinal == 0 {
		return id, state, err
	}
	_, state.Closed, err = s.closed(d, a, id, state)
	return id, state, err
}

// latest is Latest but for Closed.
func (s *Store) latest(d directory, a actor.ID) (id string, state ActorState, err error) {
	for n := 1; ; n++ {
		next := HandoverID(a, n)
		stored, err := exists(d, next+suffixHandover)
		if err != nil {
			return id, state, err
		}
		removed, err := exists(d, next+suffixRemoved)
		if err != nil {
			return id, state, err
		}
		if !stored && !removed {
			break
		}
		id, state = next, ActorState{Exists: stored && !removed, Removed: removed, Ordinal: n}
	}
	if state.Ordinal > 0 {
		state.Reopened, err = exists(d, id+suffixReopened)
	}
	return id, state, err
}

// Closed reports whether an actor handed over for good, and as what: a subagent
// whose latest handover, or what its removal left, is there and was not
// reopened; a main agent that was submitted to a rollover and not reopened.
//
// Every hook of a subagent asks this before every tool. Where nothing is stored
// it opens one directory, looks up two names and reads no file.
func (s *Store) Closed(a actor.ID) (id string, closed bool, err error) {
	d, err := s.root.Enter(dirHandovers)
	if missing(err) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("opening %s: %w", s.path(dirHandovers), err)
	}
	defer d.Close()
	id, state, err := s.latest(d, a)
	if err != nil || state.Ordinal == 0 {
		return "", false, err
	}
	if err := s.inspect(dirHandovers); err != nil {
		return "", false, err
	}
	return s.closed(place{d, s.path(dirHandovers)}, a, id, state)
}

// closed decides on an actor that has at least one handover.
func (s *Store) closed(d place, a actor.ID, latest string, state ActorState) (id string, closed bool, err error) {
	if a.Main() {
		return s.submitted(d, a, state.Ordinal)
	}
	if state.Reopened {
		return "", false, nil
	}
	if state.Removed {
		return latest, true, nil
	}
	if err := s.owns(d, a, latest); err != nil {
		return "", false, err
	}
	return latest, true, nil
}

// owns checks that the handover with this id is the actor's: 16 digits can
// collide, and nobody is locked for that.
func (s *Store) owns(d place, a actor.ID, id string) error {
	h, _, err := s.header(d, id)
	if errors.Is(err, ErrNotFound) {
		return nil // removed since
	}
	if err != nil {
		return err
	}
	return h.of(a, d)
}

// of is an ErrCollision where the header is another actor's.
func (h *Header) of(a actor.ID, d place) error {
	if h.Actor == a {
		return nil
	}
	return collision(d, h.ID)
}

// submitted looks for a handover of a main agent whose rollover was submitted.
func (s *Store) submitted(d place, a actor.ID, last int) (id string, closed bool, err error) {
	c, err := s.visit(dirContinuations)
	if missing(err) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer c.Close()
	for n := last; n > 0; n-- {
		id := HandoverID(a, n)
		there, err := exists(c, id+"."+string(ContinuationSubmitting))
		if err != nil {
			return "", false, err
		}
		if !there {
			continue
		}
		reopened, err := exists(d, id+suffixReopened)
		if err != nil {
			return "", false, err
		}
		if !reopened {
			return id, true, nil
		}
	}
	return "", false, nil
}

// Reopen lets the actor of a handover go on: the handover no longer closes it.
// It stays stored, and what was learned about it stays its own: the facts that
// exist once are set aside, so that the actor's next handover has its own.
// Reopening twice is no error.
func (s *Store) Reopen(id string) error {
	d, err := s.enter(dirHandovers)
	if err != nil {
		return err
	}
	defer d.Close()
	if !ValidID(id) {
		return fmt.Errorf("%w: %.64q is not the id of a handover", ErrNotFound, id)
	}
	stored, err := exists(d, id+suffixHandover)
	if err == nil && !stored {
		stored, err = exists(d, id+suffixRemoved)
	}
	if err != nil {
		return err
	}
	if !stored {
		return fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if _, err = s.putRecord(dirHandovers, id+suffixReopened, stamp{RecordVersion, s.now().UTC()}, true); err != nil {
		return err
	}
	h, _, err := s.header(d, id)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewerFormat) {
		return nil // whose facts they are cannot be told
	}
	if err != nil {
		return err
	}
	latest, _, err := s.latest(d, h.Actor)
	if err != nil || latest != id {
		return err
	}
	return s.setAside(h.Actor, id)
}

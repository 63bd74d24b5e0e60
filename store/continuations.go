package store

import (
	"errors"
	"fmt"
	"time"
)

// ContinuationState is a step on the way from a handover to its successor. Each
// is reached once: it is a file that is created exclusively and durably.
type ContinuationState string

const (
	// ContinuationCreated: a successor was asked for.
	ContinuationCreated ContinuationState = "created"
	// ContinuationSubmitting: the handover is being given to the successor.
	// Whoever creates this may submit; nobody else ever may.
	ContinuationSubmitting ContinuationState = "submitting"
	// ContinuationAdmitted: the host took the successor on.
	ContinuationAdmitted ContinuationState = "admitted"
	// ContinuationUncertain: the submission's answer was lost.
	ContinuationUncertain ContinuationState = "uncertain"
)

// continuationStates in the order in which they come.
func continuationStates() []ContinuationState {
	return []ContinuationState{ContinuationCreated, ContinuationSubmitting, ContinuationAdmitted, ContinuationUncertain}
}

// Continuation is one state that a handover's continuation reached.
type Continuation struct {
	Version int               `json:"v"`
	ID      string            `json:"id"`
	State   ContinuationState `json:"state"`
	At      time.Time         `json:"at"`
	// By is what showed it: "spawn", "rollover", …
	By string `json:"by,omitempty"`
	// Successor is the host's id of the new agent or session, as far as known.
	Successor string `json:"successor,omitempty"`
	// Note is for people.
	Note string `json:"note,omitempty"`
}

// ClaimContinuation notes that a handover's continuation reached a state. won is
// false where it had been reached before; then nothing is changed.
func (s *Store) ClaimContinuation(id string, state ContinuationState, c Continuation) (won bool, err error) {
	return s.claimContinuation(id, state, c, true)
}

func (s *Store) claimContinuation(id string, state ContinuationState, c Continuation, durable bool) (bool, error) {
	if !ValidID(id) {
		return false, fmt.Errorf("%w: %.64q is not the id of a handover", ErrNotFound, id)
	}
	known := false
	for _, k := range continuationStates() {
		known = known || k == state
	}
	if !known {
		return false, fmt.Errorf("no such state of a continuation: %q", state)
	}
	c.Version, c.ID, c.State = RecordVersion, id, state
	if c.At.IsZero() {
		c.At = s.now().UTC()
	}
	return s.putRecord(dirContinuations, id+"."+string(state), c, durable)
}

// Continuations returns the states that a handover's continuation reached, in
// the order in which they come; none is not continued.
func (s *Store) Continuations(id string) ([]Continuation, error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("%w: %.64q is not the id of a handover", ErrNotFound, id)
	}
	d, err := s.visit(dirContinuations)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var reached []Continuation
	for _, state := range continuationStates() {
		c := Continuation{Version: RecordVersion, ID: id, State: state}
		err := s.recordIn(d, id+"."+string(state), &c)
		switch {
		case errors.Is(err, ErrNotFound):
			continue
		case err != nil && !errors.Is(err, ErrDamaged):
			return reached, err
		}
		// That the file exists is the fact; what it says may be lost.
		c.ID, c.State = id, state
		reached = append(reached, c)
	}
	return reached, nil
}

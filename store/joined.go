package store

import (
	"errors"
	"time"
)

// Joined is what was learned about a handover after it was stored. None of it
// is in the record; each value is there only where it was observed.
type Joined struct {
	ID string
	// Delivered: the receipt was seen to leave the agent. Received: it was seen
	// to reach the parent.
	Delivered, Received *Delivery
	// Corrected: the agent was asked at its end for the receipt.
	Corrected *Correction
	// Spawn that made the agent, as the host showed it, where a link is on
	// record; SpawnKey is its key.
	Spawn    *Spawn
	SpawnKey string
	// Lineage from that spawn, completed; LineageUnknown where the record has
	// one of its own or the spawn gives none.
	Lineage Lineage
	// Continuations are the states reached.
	Continuations []Continuation
	Reads         []Read
	// Reopened and Removed: when; zero where not.
	Reopened, Removed time.Time
}

// Continued reports whether a successor was asked for or taken on.
func (j Joined) Continued() bool { return len(j.Continuations) > 0 }

// Joined gathers what was learned about a handover since it was stored. Of a
// removed one only that is returned.
func (s *Store) Joined(id string) (Joined, error) {
	j := Joined{ID: id, Lineage: Lineage{State: LineageUnknown}}
	h, err := s.Handover(id)
	var gone RemovedError
	if errors.As(err, &gone) {
		j.Removed = gone.At
		return j, nil
	}
	if err != nil {
		return j, err
	}
	d, err := s.visit(dirHandovers)
	if err != nil {
		return j, err
	}
	defer d.Close()
	var reopened stamp
	if err := s.recordIn(d, id+suffixReopened, &reopened); err == nil {
		j.Reopened = reopened.At
	}
	j.Delivered = s.delivery(h.Header, FactDelivered)
	j.Received = s.delivery(h.Header, FactReceived)
	var corrected Correction
	if err := s.factAbout(h.Header, FactCorrected, &corrected); err == nil && corrected.ID == id {
		j.Corrected = &corrected
	}
	if sp, key, ok, err := s.SpawnOf(h.Header.Actor); err == nil && ok {
		j.Spawn, j.SpawnKey = &sp, key
		if h.Header.Lineage.State == LineageUnknown {
			j.Lineage = s.lateLineage(d, h.Header.Actor, h.Header.Project, maxUnwritten)
		}
	}
	if j.Continuations, err = s.Continuations(id); err != nil {
		return j, err
	}
	j.Reads, err = s.Reads(id)
	return j, err
}

// delivery is a fact about the handover's actor, if it is about this handover.
func (s *Store) delivery(h Header, name string) *Delivery {
	var d Delivery
	if err := s.factAbout(h, name, &d); err != nil || d.ID != h.ID {
		return nil
	}
	return &d
}

package main

import (
	"fmt"
	"time"

	"github.com/auto-context-handover/handover/store"
)

// joined is what was learned about a handover after it was published. It stands
// apart from the record, which never changes.
type joined struct {
	// Delivered: the receipt was seen to leave the agent. Received: it was seen
	// to reach the parent. Left out where not observed.
	Delivered *store.Delivery   `json:"delivered,omitempty"`
	Received  *store.Delivery   `json:"received,omitempty"`
	Corrected *store.Correction `json:"corrected,omitempty"`
	// SpawnKey, Provenance and Lineage come from a spawn that was linked late.
	SpawnKey   string            `json:"spawn_key,omitempty"`
	Provenance *store.Provenance `json:"provenance,omitempty"`
	Lineage    *store.Lineage    `json:"lineage,omitempty"`
	// Task is the prompt of that spawn where that is the task: with --full, and
	// where the record has none.
	Task          *string              `json:"task,omitempty"`
	Continuations []store.Continuation `json:"continuations"`
	Reads         []reading            `json:"reads"`
	Reopened      time.Time            `json:"reopened,omitzero"`
}

// reading is how far one reader has read.
type reading struct {
	Reader   string `json:"reader"`
	Verified bool   `json:"verified"`
	// Given of Pages were given to the reader.
	Pages    int       `json:"pages"`
	Given    int       `json:"given"`
	Complete bool      `json:"complete"`
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
}

// newJoined takes what the store learned later, without the task.
func newJoined(j store.Joined) joined {
	v := joined{
		Delivered: j.Delivered, Received: j.Received, Corrected: j.Corrected, SpawnKey: j.SpawnKey,
		Continuations: append([]store.Continuation{}, j.Continuations...), Reads: []reading{}, Reopened: j.Reopened,
	}
	if j.Spawn != nil {
		v.Provenance = &j.Spawn.Provenance
	}
	if j.Lineage.State != store.LineageUnknown && j.Lineage.State != "" {
		v.Lineage = &j.Lineage
	}
	for _, r := range j.Reads {
		v.Reads = append(v.Reads, reading(r))
	}
	return v
}

// lateTask is the task that a late spawn link shows, nil for none: the prompt of
// a spawn with a marker is no task (design 9.3).
func lateTask(j store.Joined) *string {
	if sp := j.Spawn; sp != nil && sp.PromptKnown && sp.Lineage.State == store.LineageOrigin {
		return &sp.Prompt
	}
	return nil
}

// lines says it for people, one line each.
func (v joined) lines(now time.Time) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if d := v.Delivered; d != nil {
		say("the receipt left the agent %s (%s)", age(now, d.At), orUnknown(d.By))
	}
	if d := v.Received; d != nil {
		say("the receipt reached the parent %s (%s)", age(now, d.At), orUnknown(d.By))
	}
	if v.Delivered == nil && v.Received == nil {
		say("delivery of the receipt was not observed")
	}
	if c := v.Corrected; c != nil {
		say("the agent was asked for its receipt %s", age(now, c.At))
	}
	if v.Lineage != nil {
		say("lineage: %s", lineage(*v.Lineage))
	}
	for _, c := range v.Continuations {
		s := fmt.Sprintf("continuation %s %s", c.State, age(now, c.At))
		if c.Successor != "" {
			s += ", successor " + c.Successor
		}
		if c.Note != "" {
			s += " (" + c.Note + ")"
		}
		say("%s", s)
	}
	for _, r := range v.Reads {
		s := fmt.Sprintf("read by %.12s: %d of %d pages, last %s", r.Reader, r.Given, r.Pages, age(now, r.Last))
		if !r.Verified {
			s += " (who that was is not proven)"
		}
		say("%s", s)
	}
	if !v.Reopened.IsZero() {
		say("reopened %s", age(now, v.Reopened))
	}
	return list
}

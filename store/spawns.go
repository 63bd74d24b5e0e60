package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
)

// SpawnKey names a spawn: 16 hex digits of the host, the parent's session and
// the call, and 16 of what was asked for. A host that gives two spawns one call
// id is seen by that, and the same spawn seen twice has one name.
func SpawnKey(host, session, callID string, sp Spawn) string {
	what, err := json.Marshal(struct {
		Parent     actor.ID
		Prompt     string
		Known      bool
		Provenance Provenance
	}{sp.Parent, sp.Prompt, sp.PromptKnown, sp.Provenance})
	if err != nil {
		what = []byte(sp.Prompt)
	}
	return spawnCall(host, session, callID) + actor.Digest("spawn", string(what))[:keyDigits/2]
}

func spawnCall(host, session, callID string) string {
	return actor.Digest("spawn call", host, session, callID)[:keyDigits/2]
}

// RecordSpawn keeps an observed spawn. The same one is kept once; the first
// record of it stays. Where it continues a handover, that is noted there.
func (s *Store) RecordSpawn(sp Spawn) (key string, err error) {
	sp.Version = RecordVersion
	key = SpawnKey(sp.Parent.Host, sp.Parent.Session, sp.CallID, sp)
	if _, err := s.putRecord(dirSpawns, key, sp, false); err != nil {
		return "", err
	}
	return key, s.noteContinued(sp, ContinuationCreated, "")
}

// noteContinued marks the predecessor of a spawn. It is not durable: hooks do
// not wait for the disk.
func (s *Store) noteContinued(sp Spawn, state ContinuationState, successor string) error {
	if sp.Lineage.State != LineageContinues || !ValidID(sp.Lineage.Predecessor) {
		return nil
	}
	_, err := s.claimContinuation(sp.Lineage.Predecessor, state, Continuation{By: "spawn", Successor: successor, At: sp.Seen}, false)
	return err
}

// Spawn reads an observed spawn.
func (s *Store) Spawn(key string) (Spawn, error) {
	var sp Spawn
	if !isKey(key) {
		return sp, fmt.Errorf("%w: %.64q is not the key of a spawn", ErrNotFound, key)
	}
	err := s.record(dirSpawns, key, &sp)
	return sp, err
}

// SpawnEntry is a spawn with its key.
type SpawnEntry struct {
	Key   string
	Spawn Spawn
}

// SpawnsByCall returns the spawns that a call made, sorted by key. More than one
// means that the host used a call id again, and none of them can be told apart.
func (s *Store) SpawnsByCall(host, session, callID string) ([]SpawnEntry, error) {
	found, err := s.list(dirSpawns)
	if err != nil {
		return nil, err
	}
	call := spawnCall(host, session, callID)
	slices.Sort(found)
	var entries []SpawnEntry
	for _, key := range found {
		if !isKey(key) || !strings.HasPrefix(key, call) {
			continue
		}
		sp, err := s.Spawn(key)
		switch {
		case errors.Is(err, ErrNotFound), errors.Is(err, ErrDamaged):
			continue
		case err != nil:
			return nil, err
		}
		entries = append(entries, SpawnEntry{key, sp})
	}
	return entries, nil
}

// spawnLink is what an actor's fact "spawn" holds: a copy, so that the actor's
// facts stand by themselves when the spawn's own record has gone.
type spawnLink struct {
	Key   string `json:"key"`
	Spawn Spawn  `json:"spawn"`
}

// LinkSpawn notes that a spawn made this actor, by the host's word. The first
// link of an actor stays.
func (s *Store) LinkSpawn(a actor.ID, key string) error {
	sp, err := s.Spawn(key)
	if err != nil {
		return err
	}
	if _, err := s.claimFact(a, factSpawn, spawnLink{key, sp}); err != nil {
		return err
	}
	return s.noteContinued(sp, ContinuationAdmitted, a.Shown())
}

// SpawnOf returns the spawn that made an actor; ok is false where no link is on
// record.
func (s *Store) SpawnOf(a actor.ID) (sp Spawn, key string, ok bool, err error) {
	var link spawnLink
	err = s.Fact(a, factSpawn, &link)
	switch {
	case errors.Is(err, ErrNotFound):
		return Spawn{}, "", false, nil
	case err != nil:
		return Spawn{}, "", false, err
	}
	return link.Spawn, link.Key, true, nil
}

package store

import (
	"strconv"

	"github.com/auto-context-handover/handover/internal/actor"
)

// ClaimEpoch begins the actor's epoch n, unless it has begun: won is true for
// the one caller that began it. Hooks that saw the same thing at once thereby
// agree on who speaks about it, where StartEpoch would give each its own epoch.
func (s *Store) ClaimEpoch(a actor.ID, n int, e Epoch) (won bool, err error) {
	return s.claimFact(a, factEpoch+strconv.Itoa(n), e)
}

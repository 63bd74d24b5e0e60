package hooks

import "github.com/auto-context-handover/handover/store"

// compaction starts an epoch and says nothing: on some hosts whatever a hook
// prints here becomes an instruction to the summariser.
//
// Both ends start one, so that either may be missed. The end carries the
// introduction over that the host's session start gave in between.
func (e *engine) compaction() {
	if e.ev.Ambiguous != "" {
		return
	}
	s, err := e.create()
	if err != nil {
		e.log("%v", err)
		return
	}
	before, err := s.Facts(e.ev.Actor)
	if err != nil {
		e.log("%v", err)
		return
	}
	n, err := s.StartEpoch(e.ev.Actor, store.Epoch{Cause: string(e.ev.Name), Floor: e.ev.RecordBytes, At: e.now()})
	if err != nil {
		e.log("%v", err)
		return
	}
	if e.ev.Name == CompactEnd && before.Intro && before.EpochCause == string(CompactStart) {
		s.ClaimIntro(e.ev.Actor, n)
	}
}

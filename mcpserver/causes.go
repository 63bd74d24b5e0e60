package mcpserver

import (
	"errors"
	"io/fs"

	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// unboundRefused names the first true cause why a write has no caller.
func (s *Server) unboundRefused(st *store.Store, why *unbound) *refused {
	if why.mismatch != nil {
		return why.mismatch
	}
	err := why.err
	var newer store.NewerHookError
	switch {
	case errors.Is(err, store.ErrNoRecord):
		return s.noRecord(st, why.key)
	case errors.As(err, &newer):
		return &refused{modeltext.CauseVersions, modeltext.Detail{Hook: newer.Hook, Server: s.Version}}
	case errors.Is(err, store.ErrOtherArguments):
		return &refused{cause: modeltext.CauseChangedArguments}
	case errors.Is(err, store.ErrSeveralActors):
		return &refused{cause: modeltext.CauseSeveralActors}
	case errors.Is(err, store.ErrReplayed):
		return &refused{cause: modeltext.CauseReplayed}
	case errors.Is(err, store.ErrForeignToken):
		return &refused{cause: modeltext.CauseForeignToken}
	}
	return s.storeRefused(err)
}

// noRecord: nothing matches. The hook may not have been able to write (on a
// full disk it leaves an empty file), or it wrote into the store that it finds
// without the settings the server was given.
func (s *Server) noRecord(st *store.Store, key string) *refused {
	if err := st.ProbeWrite(); err != nil {
		return s.storeRefused(err)
	}
	if s.DefaultDir != "" && s.DefaultDir != s.DataDir && key != "" {
		if other, err := store.Open(s.DefaultDir); err == nil {
			defer other.Close()
			if other.HasRecord(key) {
				return &refused{modeltext.CauseOtherStore, modeltext.Detail{Path: s.DataDir, Other: s.DefaultDir}}
			}
		}
	}
	return &refused{modeltext.CauseNoHook, modeltext.Detail{Path: s.DataDir}}
}

// storeRefused names what is wrong with the store.
func (s *Server) storeRefused(err error) *refused {
	d := modeltext.Detail{Path: s.DataDir}
	var uncertain store.UncertainError
	var text store.TextError
	var large store.TooLargeError
	switch {
	case errors.As(err, &uncertain):
		d.Part = uncertain.ID
		return &refused{modeltext.CauseUncertain, d}
	case errors.As(err, &text):
		d.Part, d.What, d.Offset = text.Part, text.What, int(text.Offset)
		return &refused{modeltext.CauseText, d}
	case errors.As(err, &large):
		d.Part, d.Size, d.Limit = large.Part, large.Size, large.Limit
		return &refused{modeltext.CauseTooLarge, d}
	case errors.Is(err, store.ErrForeignOwner):
		return &refused{modeltext.CauseStoreForeign, d}
	case errors.Is(err, store.ErrNewerFormat):
		return &refused{modeltext.CauseStoreNewer, d}
	case errors.Is(err, store.ErrUnfit):
		return &refused{modeltext.CauseStoreUnfit, d}
	case errors.Is(err, store.ErrCollision):
		return &refused{modeltext.CauseCollision, d}
	case errors.Is(err, store.ErrDamaged):
		return &refused{modeltext.CauseDamaged, d}
	case fullDisk(err):
		return &refused{modeltext.CauseStoreFull, d}
	case readOnlyDisk(err), errors.Is(err, fs.ErrPermission):
		return &refused{modeltext.CauseStoreReadOnly, d}
	}
	d.What = err.Error()
	return &refused{modeltext.CauseStore, d}
}

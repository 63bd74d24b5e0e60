package mcpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// TestStoreRefused: whatever the store says has its own cause, however deep it
// is wrapped.
func TestStoreRefused(t *testing.T) {
	s := New(Options{Host: hosts.Claude(), DataDir: "/data/store"})
	for _, test := range []struct {
		err   error
		cause modeltext.Cause
		part  string
	}{
		{store.UncertainError{ID: "ho-1", Cause: syscall.ENOSPC}, modeltext.CauseUncertain, "ho-1"},
		{store.TextError{Part: "handover", Offset: 7, What: "x"}, modeltext.CauseText, "handover"},
		{store.TooLargeError{Part: "summary", Size: 2, Limit: 1}, modeltext.CauseTooLarge, "summary"},
		{store.OwnerError{Path: "/data/store"}, modeltext.CauseStoreForeign, ""},
		{store.ErrNewerFormat, modeltext.CauseStoreNewer, ""},
		{store.ErrNoLinks, modeltext.CauseStoreUnfit, ""},
		{store.ErrNoModes, modeltext.CauseStoreUnfit, ""},
		{store.ErrCollision, modeltext.CauseCollision, ""},
		{store.ErrDamaged, modeltext.CauseDamaged, ""},
		{&fs.PathError{Op: "write", Err: syscall.ENOSPC}, modeltext.CauseStoreFull, ""},
		{&fs.PathError{Op: "write", Err: syscall.EDQUOT}, modeltext.CauseStoreFull, ""},
		{&fs.PathError{Op: "open", Err: syscall.EROFS}, modeltext.CauseStoreReadOnly, ""},
		{&fs.PathError{Op: "open", Err: syscall.EACCES}, modeltext.CauseStoreReadOnly, ""},
		{errors.New("odd"), modeltext.CauseStore, ""},
	} {
		got := s.storeRefused(fmt.Errorf("storing: %w", test.err))
		if got.cause != test.cause || got.detail.Part != test.part || got.detail.Path != "/data/store" {
			t.Errorf("%v: %s %+v, want %s of %q", test.err, got.cause, got.detail, test.cause, test.part)
		}
	}
}

package mcpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// TestStoreRefused: whatever the store says has its own cause, however deep it
// is wrapped.
func TestStoreRefused(t *testing.T) {
	s := New(Options{Host: hosts.Claude(), DataDir: "/data/store"})
	type row struct {
		err   error
		cause modeltext.Cause
		part  string
	}
	rows := []row{
		{store.UncertainError{ID: "ho-1", Cause: fullDiskErrors()[0]}, modeltext.CauseUncertain, "ho-1"},
		{store.TextError{Part: "handover", Offset: 7, What: "x"}, modeltext.CauseText, "handover"},
		{store.TooLargeError{Part: "summary", Size: 2, Limit: 1}, modeltext.CauseTooLarge, "summary"},
		{store.OwnerError{Path: "/data/store"}, modeltext.CauseStoreForeign, ""},
		{store.ErrNewerFormat, modeltext.CauseStoreNewer, ""},
		{store.ErrNoLinks, modeltext.CauseStoreUnfit, ""},
		{store.ErrNoModes, modeltext.CauseStoreUnfit, ""},
		{store.ErrCollision, modeltext.CauseCollision, ""},
		{store.ErrDamaged, modeltext.CauseDamaged, ""},
		{errors.New("odd"), modeltext.CauseStore, ""},
	}
	for _, err := range fullDiskErrors() {
		rows = append(rows, row{&fs.PathError{Op: "write", Err: err}, modeltext.CauseStoreFull, ""})
	}
	for _, err := range readOnlyErrors() {
		rows = append(rows, row{&fs.PathError{Op: "open", Err: err}, modeltext.CauseStoreReadOnly, ""})
	}
	for _, test := range rows {
		got := s.storeRefused(fmt.Errorf("storing: %w", test.err))
		if got.cause != test.cause || got.detail.Part != test.part || got.detail.Path != "/data/store" {
			t.Errorf("%v: %s %+v, want %s of %q", test.err, got.cause, got.detail, test.cause, test.part)
		}
	}
}

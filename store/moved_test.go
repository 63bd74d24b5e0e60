//go:build unix

package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/auto-context-handover/handover/internal/actor"
)

// TestPublishIntoAMovedStore: a store that is replaced while it is open is not
// acknowledged into the directory that went away.
func TestPublishIntoAMovedStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	a := actor.ID{Host: "claude", Session: "s", Agent: "a"}
	p, err := s.Publish(Draft{Header: Header{Actor: a, Role: a.Role()}, Handover: "h", Summary: "s"})
	var uncertain UncertainError
	if !errors.As(err, &uncertain) {
		t.Errorf("acknowledged as %+v, %v", p, err)
	}
}

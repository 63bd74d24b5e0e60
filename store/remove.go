package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
)

// Remove removes handovers, and the facts about them and their agents. Each
// leaves a ".removed" with the time and the file's SHA-256, written durably
// before anything goes: its id is never used again, its agent stays closed and
// readers are told. A handover that is removed already is no error. Whoever
// removes passes whole lineages (Store.Lineage).
//
// Where it fails, the error names the handover; those before it are removed. The
// text goes last, since it says what else is to go: a removal that was stopped
// has both names left, and any later Remove finishes it.
func (s *Store) Remove(ids ...string) error {
	d, err := s.enter(dirHandovers)
	if err != nil {
		return err
	}
	defer d.Close()
	stopped, err := halfRemoved(d)
	if err != nil {
		return err
	}
	for _, id := range append(stopped, ids...) {
		if err := s.removeOne(d, id); err != nil {
			return fmt.Errorf("removing %.64q: %w", id, err)
		}
	}
	return nil
}

// halfRemoved returns the ids whose removal was stopped before the text went.
func halfRemoved(d place) ([]string, error) {
	found, err := names(d, ".")
	if err != nil {
		return nil, err
	}
	stored := map[string]bool{}
	for _, name := range found {
		stored[name] = true
	}
	var ids []string
	for _, name := range found {
		if id, ok := strings.CutSuffix(name, suffixRemoved); ok && stored[id+suffixHandover] {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (s *Store) removeOne(d place, id string) error {
	if !ValidID(id) {
		return ErrNotFound
	}
	name := id + suffixHandover
	info, err := d.Lstat(name)
	if missing(err) {
		gone, err := exists(d, id+suffixRemoved)
		switch {
		case err != nil:
			return err
		case !gone:
			return ErrNotFound
		}
		return syncNames(d) // it may have been stopped before that
	}
	if err != nil {
		return err
	}
	h, headerErr := s.load(d, id)
	left := removal{Version: RecordVersion, ID: id, At: s.now().UTC()}
	if data, err := s.readFile(d, name, maxHandover); err == nil {
		sum := sha256.Sum256(data)
		left.SHA256 = hex.EncodeToString(sum[:])
	}
	if _, err := s.putRecord(dirHandovers, id+suffixRemoved, left, true); err != nil {
		return err
	}
	if err := s.removeAbout(id); err != nil {
		return err
	}
	if headerErr == nil { // else whose it was cannot be told
		if err := s.forget(d, h.Header); err != nil {
			return err
		}
	}
	// A publisher that was killed can have left the text under a second name.
	if err := s.removeTwins(d, info); err != nil {
		return err
	}
	if err := d.Remove(name); err != nil && !missing(err) {
		return err
	}
	return syncNames(d)
}

// syncNames makes the names in a directory durable, where it can be opened.
func syncNames(d place) error {
	f, err := d.Open(".")
	if err != nil {
		return nil
	}
	defer f.Close()
	return syncDirectory(f)
}

// removeTwins removes the temporary names of a file.
func (s *Store) removeTwins(d place, info os.FileInfo) error {
	found, err := names(d, ".")
	if err != nil {
		return err
	}
	for _, name := range found {
		if !unfinished(name) {
			continue
		}
		if twin, err := d.Lstat(name); err == nil && os.SameFile(info, twin) {
			if err := d.Remove(name); err != nil && !missing(err) {
				return err
			}
		}
	}
	return nil
}

// removeAbout removes the reads and the continuation of a handover.
func (s *Store) removeAbout(id string) error {
	if err := s.inspect(dirContinuations); err != nil {
		return err
	}
	for _, state := range continuationStates() {
		if err := s.root.Remove(dirContinuations + "/" + id + "." + string(state)); err != nil && !missing(err) {
			return err
		}
	}
	return s.removeDirectory(dirReads + "/" + id)
}

// forget removes what is on record about the agent of a removed handover, if it
// has no other one.
func (s *Store) forget(d place, h Header) error {
	keep, err := s.hasOther(d, h.Actor)
	if err != nil || keep {
		return err
	}
	_, linked, _, _ := s.SpawnOf(h.Actor)
	for _, key := range []string{h.SpawnKey, linked} {
		if !isKey(key) {
			continue
		}
		if err := s.root.Remove(dirSpawns + "/" + key); err != nil && !missing(err) {
			return err
		}
	}
	return s.removeDirectory(dirActors + "/" + h.Actor.Key())
}

// hasOther reports whether an actor has a handover that is still stored.
func (s *Store) hasOther(d place, a actor.ID) (bool, error) {
	for n := 1; ; n++ {
		id := HandoverID(a, n)
		removed, err := exists(d, id+suffixRemoved)
		if err != nil {
			return false, err
		}
		if removed {
			continue
		}
		return exists(d, id+suffixHandover)
	}
}

// removeDirectory removes the facts about one actor or one handover. One that is
// added meanwhile stays, with its directory.
func (s *Store) removeDirectory(dir string) error {
	found, err := s.list(dir)
	if err != nil {
		return err
	}
	var failed []error
	for _, name := range found {
		if err := s.root.Remove(dir + "/" + name); err != nil && !missing(err) {
			failed = append(failed, err)
		}
	}
	if len(failed) == 0 {
		s.root.Remove(dir)
	}
	return errors.Join(failed...)
}

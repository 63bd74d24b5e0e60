package store

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

const (
	// sweepMost is how many files of a sort one sweep removes, sweepLook how
	// many it looks at.
	sweepMost = 16
	sweepLook = 256
	// sweepPause lies between two sweeps of a store.
	sweepPause = time.Hour
	sweptFile  = ".swept"

	ageTemporary  = 24 * time.Hour
	ageCapability = 7 * 24 * time.Hour
	ageFact       = 30 * 24 * time.Hour
)

// sweepWhenDue sweeps at most once an hour, but again at the next occasion where
// a sweep removed all it may. The time of the last one is that of a file in the
// store's directory; nothing depends on it.
func (s *Store) sweepWhenDue() {
	now := s.now()
	if info, err := s.root.Lstat(sweptFile); err == nil && now.Sub(info.ModTime()).Abs() < sweepPause {
		return
	}
	if more, err := s.sweep(now); more || err != nil {
		return
	}
	if f, err := s.root.Create(sweptFile); err == nil {
		f.Chmod(0o600)
		f.Close()
	}
	s.root.Chtimes(sweptFile, now)
}

// Sweep removes what is out of date, at most 16 of each sort: capabilities after
// 7 days by both their own time and the file's, facts that belong to no
// handover 30 days after their last change, temporary files after a day. It is
// housekeeping: nothing that is still there is worth less for it. Issuing,
// claiming and publishing sweep by themselves.
func (s *Store) Sweep(now time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	_, err := s.sweep(now)
	return err
}

// sweep is Sweep; more reports that there may be more to remove.
func (s *Store) sweep(now time.Time) (more bool, err error) {
	var failed []error
	for _, b := range []struct {
		dir string
		old func(name string, info fs.FileInfo) bool
	}{
		{".", nil},
		{dirHandovers, nil},
		{dirContinuations, s.orphan(now)},
		{dirCapabilities, s.oldCapability(now)},
		{dirSpawns, olderThan(now, ageFact)},
		{dirServers, olderThan(now, ageFact)},
		{dirSessions, olderThan(now, ageFact)},
	} {
		full, err := s.sweepFiles(b.dir, now, b.old)
		more = more || full
		failed = append(failed, err)
	}
	for _, n := range []struct {
		dir  string
		keep func(name string) (bool, error)
	}{
		{dirReads, s.isStored},
		{dirActors, s.hasHandover},
	} {
		full, err := s.sweepNested(n.dir, now, n.keep)
		more = more || full
		failed = append(failed, err)
	}
	return more, errors.Join(failed...)
}

func olderThan(now time.Time, age time.Duration) func(string, fs.FileInfo) bool {
	return func(_ string, info fs.FileInfo) bool { return now.Sub(info.ModTime()) > age }
}

// sweepFiles removes the temporary files of a directory, and what old says.
func (s *Store) sweepFiles(dir string, now time.Time, old func(string, fs.FileInfo) bool) (full bool, err error) {
	found, err := s.list(dir)
	if err != nil {
		return false, err
	}
	removed := 0
	for _, name := range someOf(found, func(name string) bool { return old != nil || unfinished(name) }) {
		path := dir + "/" + name
		if dir == "." {
			path = name
		}
		info, err := s.root.Lstat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		is := unfinished(name) && now.Sub(info.ModTime()) > ageTemporary || !unfinished(name) && old != nil && old(name, info)
		if !is {
			continue
		}
		if err := s.root.Remove(path); err != nil && !missing(err) {
			return false, err
		}
		if removed++; removed == sweepMost {
			return true, nil
		}
	}
	return false, nil
}

// someOf picks names to look at: all that qualify, or where there are many, a
// stretch of them that begins anywhere, so that in time each is looked at.
func someOf(found []string, qualifies func(string) bool) []string {
	var list []string
	for _, name := range found {
		if qualifies(name) {
			list = append(list, name)
		}
	}
	if len(list) <= sweepLook {
		return list
	}
	from := rand.IntN(len(list))
	return append(list[from:], list[:from]...)[:sweepLook]
}

// oldCapability: both the file's time and the record's own. What is no record
// has only the file's.
func (s *Store) oldCapability(now time.Time) func(string, fs.FileInfo) bool {
	return func(name string, info fs.FileInfo) bool {
		if now.Sub(info.ModTime()) <= ageCapability {
			return false
		}
		n, ok := parseRecordName(name)
		if !ok {
			return strings.HasPrefix(name, fallbackPrefix)
		}
		d, err := s.visit(dirCapabilities)
		if err != nil {
			return false
		}
		defer d.Close()
		r, ok, err := s.readIssued(d, n)
		return err == nil && (!ok || now.Sub(r.c.Issued) > ageCapability)
	}
}

// orphan: a fact about a handover that is not stored.
func (s *Store) orphan(now time.Time) func(string, fs.FileInfo) bool {
	return func(name string, info fs.FileInfo) bool {
		id, _, _ := strings.Cut(name, ".")
		if !ValidID(id) || now.Sub(info.ModTime()) <= ageFact {
			return false
		}
		stored, err := s.isStored(id)
		return err == nil && !stored
	}
}

func (s *Store) isStored(id string) (bool, error) {
	return exists(s.root, dirHandovers+"/"+id+suffixHandover)
}

// sweepNested sweeps the directories in a directory, one for each actor or
// handover: those of which nothing is kept and to which nothing was added for
// long go as a whole, in the others only temporary files.
func (s *Store) sweepNested(dir string, now time.Time, keep func(name string) (bool, error)) (full bool, err error) {
	found, err := s.list(dir)
	if err != nil {
		return false, err
	}
	removed := 0
	for _, name := range someOf(found, func(name string) bool { return isKey(name) || ValidID(name) }) {
		path := dir + "/" + name
		info, err := s.root.Lstat(path)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) <= ageTemporary {
			continue
		}
		if kept, err := keep(name); err != nil {
			continue
		} else if kept || now.Sub(info.ModTime()) <= ageFact {
			if _, err := s.sweepFiles(path, now, nil); err != nil {
				return false, err
			}
			continue
		}
		if err := s.removeDirectory(path); err != nil {
			return false, err
		}
		if removed++; removed == sweepMost {
			return true, nil
		}
	}
	return false, nil
}

// hasHandover reports whether the actor that a directory of facts is about ever
// had a handover. Every fact says whose it is.
func (s *Store) hasHandover(key string) (bool, error) {
	found, err := s.list(dirActors + "/" + key)
	if err != nil {
		return true, err
	}
	for _, name := range found {
		var f fact
		if unfinished(name) || s.record(dirActors+"/"+key, name, &f) != nil || f.Actor.Key() != key {
			continue
		}
		return s.everStored(f.Actor)
	}
	return false, nil
}

func (s *Store) everStored(a actor.ID) (bool, error) {
	id := dirHandovers + "/" + HandoverID(a, 1)
	stored, err := exists(s.root, id+suffixHandover)
	if err != nil || stored {
		return stored, err
	}
	return exists(s.root, id+suffixRemoved)
}

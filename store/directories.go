package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// inspect checks a directory of the store once: it has to be a directory, not a
// symbolic link, and this user's. Modes that let others in are tightened where
// the store was opened to write, and told otherwise. A directory that is not
// there is fine.
func (s *Store) inspect(name string) error {
	s.mu.Lock()
	done := s.inspected[name]
	s.mu.Unlock()
	if done {
		return nil
	}
	info, err := s.root.Lstat(name)
	if missing(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at the store: %w", err)
	}
	if err := s.check(name, info); err != nil {
		return err
	}
	s.mu.Lock()
	s.inspected[name] = true
	s.mu.Unlock()
	return nil
}

func (s *Store) check(name string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%w: %s; nothing was done; put the directory itself there", ErrSymlink, s.path(name))
	case !info.IsDir():
		return fmt.Errorf("%w: %s is not a directory", ErrDamaged, s.path(name))
	}
	if owner, self, is := foreign(info); is {
		return OwnerError{Path: s.path(name), Owner: owner, Want: self}
	}
	switch {
	case lax(info) && !s.write:
		s.say("%s has mode %#o and lets others in; the next write will set it to 0700", s.path(name), info.Mode().Perm())
	case lax(info):
		if err := s.tighten(name); err != nil {
			return err
		}
		s.say("%s had mode %#o and let others in; it was set to 0700", s.path(name), info.Mode().Perm())
	case crippled(info) && s.write:
		// A strict umask and a kill before the mode was set leave an empty
		// directory that nobody can use. One with something in it was closed by
		// a person and stays so.
		if list, err := names(s.root, name); err == nil && len(list) == 0 {
			return s.tighten(name)
		}
	}
	return nil
}

// tighten sets a directory's mode to 0700 and sees whether that stuck.
func (s *Store) tighten(name string) error {
	if err := s.root.Chmod(name, 0o700); err != nil {
		if noModes(err) {
			return s.unfit(ErrNoModes, err)
		}
		return fmt.Errorf("setting the mode of %s: %w", s.path(name), err)
	}
	info, err := s.root.Lstat(name)
	if err != nil {
		return fmt.Errorf("looking at the store: %w", err)
	}
	if lax(info) {
		return s.unfit(ErrNoModes, nil)
	}
	return nil
}

// unfit words an ErrUnfit.
func (s *Store) unfit(sentinel, cause error) error {
	err := fmt.Errorf("%w: %s; nothing was written; set AUTO_CONTEXT_HANDOVER_DATA to a directory on a local disk", sentinel, s.dir)
	if cause != nil {
		err = fmt.Errorf("%w (%w)", err, cause)
	}
	return err
}

// make makes a directory of the store where it is missing. Durable: its name is
// made to survive a power failure.
func (s *Store) make(name string, durable bool) error {
	if err := s.inspect(name); err != nil {
		return err
	}
	s.mu.Lock()
	done := s.inspected[name]
	s.mu.Unlock()
	if done {
		return nil
	}
	if err := s.root.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making %s: %w", s.path(name), err)
	}
	if err := s.root.Chmod(name, 0o700); err != nil && !missing(err) {
		if noModes(err) {
			return s.unfit(ErrNoModes, err)
		}
		return fmt.Errorf("setting the mode of %s: %w", s.path(name), err)
	}
	if durable {
		if err := s.syncRoot(); err != nil {
			return fmt.Errorf("making %s: %w", s.path(name), err)
		}
	}
	return s.inspect(name)
}

func (s *Store) syncRoot() error {
	f, err := s.root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return syncDirectory(f)
}

// enter opens a directory of the store to write in it, and makes it first where
// it is missing.
func (s *Store) enter(name string) (place, error) {
	if err := s.writable(); err != nil {
		return place{}, err
	}
	if parent, _, nested := strings.Cut(name, "/"); nested {
		if err := s.make(parent, false); err != nil {
			return place{}, err
		}
	}
	durable := name == dirHandovers || name == dirContinuations
	if err := s.make(name, durable); err != nil {
		return place{}, err
	}
	d, err := s.root.Enter(name)
	if err != nil {
		return place{}, fmt.Errorf("opening %s: %w", s.path(name), err)
	}
	return place{d, s.path(name)}, nil
}

// visit opens a directory of the store to read. Where it is missing the error
// wraps fs.ErrNotExist.
func (s *Store) visit(name string) (place, error) {
	if parent, _, nested := strings.Cut(name, "/"); nested {
		if err := s.inspect(parent); err != nil {
			return place{}, err
		}
	}
	if err := s.inspect(name); err != nil {
		return place{}, err
	}
	d, err := s.root.Enter(name)
	if err != nil {
		return place{}, err
	}
	return place{d, s.path(name)}, nil
}

// list lists a directory of the store, unsorted; a missing one is empty.
func (s *Store) list(name string) ([]string, error) {
	if parent, _, nested := strings.Cut(name, "/"); nested {
		if err := s.inspect(parent); err != nil {
			return nil, err
		}
	}
	if err := s.inspect(name); err != nil {
		return nil, err
	}
	found, err := names(s.root, name)
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", s.path(name), err)
	}
	return found, nil
}

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// formatVersion is the number in the file "format" that this program writes,
// and the highest it knows.
const formatVersion = 1

const formatFile = "format"

// prepare makes a store ready to be written: its format is one we know. The
// file "format" is written last, so that where it stands, the directories that
// hold handovers are durable.
func (s *Store) prepare() error {
	known, err := s.checkFormat()
	if err != nil || known {
		return err
	}
	for _, name := range []string{dirHandovers, dirContinuations} {
		if err := s.make(name, false); err != nil {
			return err
		}
	}
	err = s.putNew(s.top(), formatFile, []byte(strconv.Itoa(formatVersion)+"\n"), true)
	if errors.Is(err, fs.ErrExist) {
		_, err = s.checkFormat()
		return err
	}
	if err != nil {
		return fmt.Errorf("making the store: %w", err)
	}
	return nil
}

// checkFormat reports whether the store has a format that this program writes.
// It parses bytes, since every hook that writes runs through here.
func (s *Store) checkFormat() (known bool, err error) {
	text, err := s.readFile(s.top(), formatFile, 64)
	if missing(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(string(text), "\n"))
	switch {
	case err != nil || n < 1:
		return false, fmt.Errorf("%w: %s does not hold a version; nothing was written", ErrDamaged, s.path(formatFile))
	case n > formatVersion:
		return false, fmt.Errorf("%w: %s says %d, this program writes %d; nothing was written; update this program and restart the host", ErrNewerFormat, s.path(formatFile), n, formatVersion)
	}
	return true, nil
}

package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

// maxPages bounds the number of pages of one read.
const maxPages = 100_000

// Read is how far one reader has read a handover.
type Read struct {
	// Reader is what RecordRead was given: the actor's key where the call was
	// bound to one.
	Reader string
	// Verified: every page was asked for by a call that a hook bound to the
	// reader. Else the reader's name proves nothing.
	Verified bool
	// Pages of the whole, and how many different ones of them were given.
	Pages, Given int
	// Complete: all of them.
	Complete bool
	// First and Last page given, by time.
	First, Last time.Time
}

// readRecord is one page given to one reader.
type readRecord struct {
	Version  int       `json:"v"`
	ID       string    `json:"id"`
	Reader   string    `json:"reader"`
	Verified bool      `json:"verified"`
	Page     int       `json:"page"`
	Pages    int       `json:"pages"`
	At       time.Time `json:"at"`
}

// RecordRead notes that a page of a handover was given to a reader, page from 1.
// Verified: the call was bound to the reader; other reads are kept apart and
// prove nothing. The same page given again is no error.
func (s *Store) RecordRead(id, reader string, page, pages int, verified bool) error {
	if !ValidID(id) {
		return fmt.Errorf("%w: %.64q is not the id of a handover", ErrNotFound, id)
	}
	if page < 1 || page > pages || pages > maxPages {
		return fmt.Errorf("no such page: %d of %d", page, pages)
	}
	r := readRecord{RecordVersion, id, reader, verified, page, pages, s.now().UTC()}
	_, err := s.putRecord(dirReads+"/"+id, readName(r), r, false)
	return err
}

// readName is the file's name in reads/<id>/. Each handover has a directory of
// its own there, so that how far one was read costs the same however many
// others there are.
func readName(r readRecord) string {
	who := "reader"
	if !r.Verified {
		who = "unverified"
	}
	return actor.Digest(who, r.Reader)[:keyDigits] + ".p" + strconv.Itoa(r.Page) + "of" + strconv.Itoa(r.Pages)
}

// Reads returns how far a handover was read, by reader and number of pages, the
// earliest first.
func (s *Store) Reads(id string) ([]Read, error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("%w: %.64q is not the id of a handover", ErrNotFound, id)
	}
	dir := dirReads + "/" + id
	found, err := s.list(dir)
	if err != nil {
		return nil, err
	}
	byReader := map[string]*Read{}
	for _, name := range found {
		var r readRecord
		if unfinished(name) {
			continue
		}
		err := s.record(dir, name, &r)
		switch {
		case errors.Is(err, ErrNotFound), errors.Is(err, ErrDamaged):
			continue
		case err != nil:
			return nil, err
		}
		if r.ID != id || readName(r) != name {
			continue
		}
		key := fmt.Sprint(r.Verified, r.Pages, r.Reader)
		sum := byReader[key]
		if sum == nil {
			sum = &Read{Reader: r.Reader, Verified: r.Verified, Pages: r.Pages, First: r.At, Last: r.At}
			byReader[key] = sum
		}
		sum.Given++
		sum.Complete = sum.Given == sum.Pages
		if r.At.Before(sum.First) {
			sum.First = r.At
		}
		sum.Last = later(sum.Last, r.At)
	}
	var reads []Read
	for _, r := range byReader {
		reads = append(reads, *r)
	}
	slices.SortFunc(reads, func(a, b Read) int {
		return firstOf(a.First.Compare(b.First), strings.Compare(a.Reader, b.Reader), a.Pages-b.Pages)
	})
	return reads, nil
}

// firstOf is the first of the comparisons that tells two things apart.
func firstOf(compared ...int) int {
	for _, c := range compared {
		if c != 0 {
			return c
		}
	}
	return 0
}

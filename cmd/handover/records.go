package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/store"
)

// openStore opens the store to read. Without a store it returns nil and no
// error: nothing was ever stored is an answer.
func (p process) openStore(flag string) (s *store.Store, dir string, err error) {
	dir, source, err := p.store(flag)
	if err != nil {
		return nil, "", err
	}
	s, err = store.Open(dir)
	switch {
	case err == nil:
		return s, dir, nil
	case errors.Is(err, store.ErrNoStore):
		return nil, dir, nil
	}
	return nil, dir, storeProblem(err, dir, source)
}

// storeProblem says what is wrong with a store as a whole.
func storeProblem(err error, dir, source string) error {
	p := &problem{happened: err.Error(), not: "Nothing was shown.", cause: err}
	var owner store.OwnerError
	switch {
	case errors.As(err, &owner):
		p.happened = fmt.Sprintf("%s belongs to user %d, and this is user %d", owner.Path, owner.Owner, owner.Want)
		p.next = "Run this as that user, or set AUTO_CONTEXT_HANDOVER_DATA to a directory of your own."
		if source == "--data" {
			p.next = "Run this as that user, or name a directory of your own with --data."
		}
	case errors.Is(err, store.ErrNewerFormat):
		p.next = updateThis
	case source != "":
		p.next = fmt.Sprintf("The store is %s (from %s); name another one with --data.", dir, source)
	}
	return p
}

// handoverProblem says why one handover cannot be shown.
func handoverProblem(err error, ref, dir string) error {
	p := &problem{happened: err.Error(), not: "Nothing was shown.", cause: err}
	var ambiguous store.AmbiguousError
	switch {
	case errors.As(err, &ambiguous):
		p.happened = fmt.Sprintf("%q means several: %s", ref, strings.Join(ambiguous.Candidates, ", "))
		p.next = "Name one by its whole id."
	case errors.Is(err, store.ErrNewerFormat):
		p.next = updateThis
	case errors.Is(err, errShort):
		p.happened = fmt.Sprintf("no handover %q in %s: a prefix needs %d digits", ref, dir, leastPrefix)
		p.next = "Give more of the id; handover list shows what there is."
	case errors.Is(err, store.ErrRemoved):
		p.next = "A removed handover does not come back; handover list shows what there is."
	case errors.Is(err, store.ErrDamaged):
		p.next = "docs/format.md tells how to get its parts back by hand."
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrUnknownProject):
		p.happened = fmt.Sprintf("no handover %q in %s", ref, dir)
		p.next = "handover list shows what there is."
	}
	return p
}

// age says how long ago something was, in one unit: the whole phrase.
func age(now, then time.Time) string {
	d := now.Sub(then)
	switch {
	case then.IsZero():
		return "at an unknown time"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d/time.Hour))
	}
	return fmt.Sprintf("%d days ago", int(d/(24*time.Hour)))
}

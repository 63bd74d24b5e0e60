package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// witnessAge is how long a consumed record still speaks for its actor.
const witnessAge = 24 * time.Hour

// ClaimQuery is what the server knows about a call.
type ClaimQuery struct {
	Tool string
	// Arguments is the hash of the arguments (ArgumentHash).
	Arguments string
	// Token is the hidden argument, "" where there is none.
	Token string
	Now   time.Time
}

// Claim consumes the record that binds a call to its caller and returns it
// (design 6.5). Key is from CapabilityKey or ArgumentsKey; with an empty key
// nothing but the token binds.
//
// Only records with this key, tool and argument hash count, live ones and those
// consumed within a day. A token narrows them to the one it names; where a key
// binds, a token that is not one of ours says nothing. The errors are
// ErrNoRecord, ErrOtherArguments, ErrSeveralActors, ErrReplayed,
// ErrForeignToken and NewerHookError; with ErrReplayed and ErrOtherArguments the
// capability is returned too where the records agree on one actor, to word the
// refusal and for nothing else.
//
// Of any number of processes that claim one call, exactly one gets the record.
func (s *Store) Claim(key string, q ClaimQuery) (Capability, error) {
	if q.Now.IsZero() {
		q.Now = s.now()
	}
	if key == "" && q.Token == "" || key != "" && !isKey(key) {
		return Capability{}, ErrNoRecord
	}
	d, err := s.enter(dirCapabilities)
	if err != nil {
		return Capability{}, err
	}
	defer d.Close()
	defer s.sweepWhenDue()
	found, err := s.find(d, key, q)
	if err != nil {
		return Capability{}, err
	}
	found, err = narrow(found, key, q)
	if err != nil {
		return first(found), err
	}
	live := slices.IndexFunc(found, func(r issued) bool { return r.live && !leftBehind(r, found) })
	if live < 0 {
		return found[0].c, ErrReplayed
	}
	return s.consume(d, found[live], found, q)
}

// find reads the records that a call can mean: with its key, or where there is
// none, with the name that its token gives. They are sorted by name.
//
// A directory is not listed in one instant: a record that is claimed meanwhile
// can be missing from the list under both of its names. It got the second one
// before it lost the first, so another list has it. What was issued before the
// first list is therefore seen in some form, and all who claim see the same
// first record of a call and fight for that one.
func (s *Store) find(d place, key string, q ClaimQuery) ([]issued, error) {
	var listed []string
	for range 2 {
		more, err := names(d, ".")
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", d.path, err)
		}
		listed = append(listed, more...)
	}
	slices.Sort(listed) // a live name stands before its consumed one
	var found []issued
	for _, name := range slices.Compact(listed) {
		n, ok := parseRecordName(name)
		if !ok || key != "" && n.key != key || key == "" && n.random != tokenName(q.Token) {
			continue
		}
		if last := len(found) - 1; n.used && last >= 0 && found[last].name == n.name {
			found = found[:last]
		}
		r, ok, err := s.readIssued(d, n)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, r)
		}
	}
	return found, nil
}

// narrow leaves the records that speak about this very call, at least one and
// all of one actor, or says why there are none. What it returns with an error
// is only there to word it.
func narrow(found []issued, key string, q ClaimQuery) ([]issued, error) {
	if key == "" {
		found = slices.DeleteFunc(found, func(r issued) bool {
			return r.c.Version <= RecordVersion && !tokenFits(q.Token, r.c.TokenHash)
		})
		if len(found) == 0 {
			return nil, ErrForeignToken
		}
	}
	if i := slices.IndexFunc(found, func(r issued) bool { return r.c.Version > RecordVersion && r.live }); i >= 0 {
		return nil, NewerHookError{Hook: found[i].c.HookVersion, Version: found[i].c.Version}
	}
	matching := slices.DeleteFunc(slices.Clone(found), func(r issued) bool { return !r.speaks(q) })
	if len(matching) == 0 {
		others := slices.DeleteFunc(found, func(r issued) bool { return !r.live || r.c.Tool != q.Tool })
		if len(others) == 0 {
			return nil, ErrNoRecord
		}
		return others, ErrOtherArguments
	}
	if i := slices.IndexFunc(matching, func(r issued) bool { return r.named(q) }); i >= 0 {
		if !matching[i].live {
			return matching[i : i+1], ErrReplayed
		}
		named := matching[i]
		matching = slices.DeleteFunc(matching, func(r issued) bool { return r.name != named.name && (r.live || !r.group(named)) })
	}
	for _, r := range matching[1:] {
		if r.actor != matching[0].actor {
			return nil, ErrSeveralActors
		}
	}
	return matching, nil
}

// named reports whether the query's token names the record.
func (r issued) named(q ClaimQuery) bool {
	return r.random == tokenName(q.Token) && tokenFits(q.Token, r.c.TokenHash)
}

// speaks reports whether a record counts for a call: of its tool and arguments,
// a live one always, a consumed one for a day or where the token names it.
func (r issued) speaks(q ClaimQuery) bool {
	return r.c.Version <= RecordVersion && r.c.Tool == q.Tool && r.c.Arguments == q.Arguments &&
		(r.live || q.Now.Sub(later(r.consumed, r.c.Issued)) < witnessAge || r.named(q))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// leftBehind reports whether a live record was left over by a call that was
// answered with one of its siblings.
func leftBehind(r issued, among []issued) bool {
	return slices.ContainsFunc(among, func(o issued) bool {
		return !o.live && o.name != r.name && r.group(o) && r.leftover(o)
	})
}

// first is the capability of records that agree on the actor, else zero.
func first(found []issued) Capability {
	if len(found) == 0 || slices.ContainsFunc(found, func(r issued) bool { return r.actor != found[0].actor }) {
		return Capability{}
	}
	return found[0].c
}

// consume claims a live record and removes its siblings: the link to its
// consumed name is exclusive everywhere. The time of consumption is set before,
// so that nobody sees a consumed record without it.
func (s *Store) consume(d place, r issued, found []issued, q ClaimQuery) (Capability, error) {
	if err := d.Chtimes(r.name, q.Now); err != nil && !missing(err) {
		return Capability{}, fmt.Errorf("claiming %s: %w", d.file(r.name), err)
	}
	err := d.Link(r.name, r.name+suffixUsed)
	switch {
	case errors.Is(err, fs.ErrExist) || missing(err):
		return r.c, ErrReplayed
	case err != nil && noLinks(err):
		return Capability{}, s.unfit(ErrNoLinks, err)
	case err != nil:
		return Capability{}, fmt.Errorf("claiming %s: %w", d.file(r.name), err)
	}
	d.Remove(r.name)
	for _, o := range found {
		if o.live && o.group(r) {
			d.Remove(o.name)
		}
	}
	return r.c, nil
}

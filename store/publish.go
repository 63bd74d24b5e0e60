package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/auto-context-handover/handover/internal/actor"
)

// Draft is a handover to be published. Of the Header the caller fills in what
// it knows: Actor, Kind, Role, Created, Project, Directory, Turn, CallID,
// Provenance, Diagnostics, Lineage.State and Predecessor, SpawnKey, TaskAbsent,
// Transcript, Repository and the two versions. The rest is worked out here.
type Draft struct {
	Header
	// Task is the original task; nil where the origin carries it or there is
	// none.
	Task []byte
	// Handover and Summary are kept byte for byte.
	Handover, Summary string
}

// Published is a handover that is on disk.
type Published struct {
	ID string
	// Ordinal counts the actor's handovers from 1.
	Ordinal int
	// Existing: the same text was stored before, by an earlier call whose
	// answer may have been lost. Header is then that of the stored one.
	Existing bool
	Header   Header
}

// Publish stores a handover and returns when it is durable and verified.
//
// The texts of the actor's latest handover give its id again and success. Other
// texts of a closed subagent are not stored: ClosedError. A main agent or a
// reopened subagent takes the next ordinal; so does one whose latest handover
// is damaged, since its text could not be got back from it.
//
// Besides the system's errors there are TextError, TooLargeError, ErrCollision,
// ErrUnfit and UncertainError; with all but the last nothing was stored. Where
// several processes publish for one actor at once, one is first and the others
// are decided by what it stored.
func (s *Store) Publish(d Draft) (Published, error) {
	if err := checkText(PartHandover, d.Handover); err != nil {
		return Published{}, err
	}
	if err := checkText(PartSummary, d.Summary); err != nil {
		return Published{}, err
	}
	at, err := s.enter(dirHandovers)
	if err != nil {
		return Published{}, err
	}
	defer at.Close()
	handle, err := at.Open(".")
	if err != nil {
		return Published{}, fmt.Errorf("opening %s: %w", at.path, err)
	}
	defer handle.Close()
	p, err := s.publish(at, handle, d)
	if err == nil {
		s.sweepWhenDue()
	}
	return p, err
}

func (s *Store) publish(at place, handle file, d Draft) (Published, error) {
	h := d.Header
	h.Version = RecordVersion
	h.Lineage = s.placeLineage(at, d.Header)
	h.Invisible = invisible(d.Handover, d.Summary)
	var texts []namedText
	if d.Task != nil {
		texts = append(texts, namedText{PartTask, string(d.Task)})
	}
	texts = append(texts, namedText{PartHandover, d.Handover}, namedText{PartSummary, d.Summary})
	// Each round but the last saw another process take the ordinal; a thousand
	// of them are a fault, not a race.
	for range 1000 {
		p, n, err := s.decide(at, handle, d)
		if err != nil {
			return p, err
		}
		if p.Existing {
			return s.acknowledge(p)
		}
		h.Ordinal, h.ID = n, HandoverID(d.Actor, n)
		data, err := encodeHandover(&h, texts)
		if err != nil {
			return Published{}, err
		}
		err = s.putNewSynced(at, handle, h.ID+suffixHandover, data, true)
		var notSynced notSynced
		switch {
		case err == nil:
			return s.acknowledge(Published{ID: h.ID, Ordinal: n, Header: h})
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.As(err, &notSynced) && notSynced.kept:
			return Published{}, UncertainError{ID: h.ID, Cause: err}
		}
		return Published{}, fmt.Errorf("storing the handover in %s: %w", at.path, err)
	}
	return Published{}, fmt.Errorf("storing the handover in %s: its name was taken again and again", at.path)
}

// acknowledge is the last step before success is said: what was written must lie
// in the directory that has the store's name now, not in one that was moved away
// while we wrote.
func (s *Store) acknowledge(p Published) (Published, error) {
	real, ok := s.root.(rootDirectory)
	if !ok {
		return p, nil // a directory of a test, which nobody moves
	}
	held, err := real.Lstat(".")
	if err != nil {
		return Published{}, UncertainError{ID: p.ID, Cause: err}
	}
	now, err := os.Stat(s.dir)
	if err != nil {
		return Published{}, UncertainError{ID: p.ID, Cause: err}
	}
	if !os.SameFile(held, now) {
		return Published{}, UncertainError{ID: p.ID, Cause: errors.New(s.dir + " was replaced meanwhile")}
	}
	return p, nil
}

// decide looks at the actor's latest handover: the text is stored already
// (Existing), or it may be stored with the ordinal n, or not at all.
func (s *Store) decide(at place, handle file, d Draft) (p Published, n int, err error) {
	id, state, err := s.latest(at, d.Actor)
	if err != nil {
		return p, 0, fmt.Errorf("looking in %s: %w", at.path, err)
	}
	n = state.Ordinal + 1
	if state.Exists {
		h, err := s.load(at, id)
		switch {
		case errors.Is(err, ErrNotFound): // removed since
			return s.decide(at, handle, d)
		case errors.Is(err, ErrDamaged):
			return p, n, nil
		case err != nil:
			return p, 0, err
		}
		if err := h.Header.of(d.Actor, at); err != nil {
			return p, 0, err
		}
		if h.same(d) {
			return s.again(at, handle, d, h)
		}
	}
	if state.Ordinal > 0 && !d.Actor.Main() && !state.Reopened {
		return p, 0, ClosedError{ID: id, Removed: state.Removed}
	}
	return p, n, nil
}

// same reports whether the stored texts are the draft's.
func (h *Handover) same(d Draft) bool {
	handover, ok := h.Text(PartHandover)
	summary, also := h.Text(PartSummary)
	return ok && also && string(handover) == d.Handover && string(summary) == d.Summary
}

// again acknowledges a handover that is stored already. Its first publisher may
// have been stopped before the name was durable, and a person may just be
// removing it.
func (s *Store) again(at place, handle file, d Draft, h *Handover) (Published, int, error) {
	id := h.Header.ID
	if err := syncDirectory(handle); err != nil {
		return Published{}, 0, UncertainError{ID: id, Cause: err}
	}
	there, err := exists(at, id+suffixHandover)
	if err != nil {
		return Published{}, 0, UncertainError{ID: id, Cause: err}
	}
	if !there {
		return s.decide(at, handle, d)
	}
	return Published{ID: id, Ordinal: h.Header.Ordinal, Existing: true, Header: h.Header}, h.Header.Ordinal, nil
}

// placeLineage completes a lineage from the predecessor's record.
func (s *Store) placeLineage(at place, h Header) Lineage {
	l := h.Lineage
	switch l.State {
	case LineageOrigin:
		return Lineage{State: LineageOrigin, Generation: 1}
	case LineageContinues, LineageRead:
	default:
		return Lineage{State: LineageUnknown, Reason: l.Reason}
	}
	before, origin, reason := s.predecessor(at, l.Predecessor, h.Project, maxUnwritten)
	if reason != "" {
		return Lineage{State: LineageUnknown, Reason: reason}
	}
	l.Origin, l.Generation, l.Reason = origin, 0, ""
	if before > 0 {
		l.Generation = before + 1
	}
	return l
}

// maxUnwritten bounds how many predecessors in a row may owe their lineage to
// facts that were learned after they were stored.
const maxUnwritten = 64

// predecessor gives the generation of a handover (0 is unknown) and the first
// of its chain ("" is unknown), or why it cannot be anybody's predecessor in
// the project.
func (s *Store) predecessor(at place, id, project string, depth int) (generation int, origin, reason string) {
	if !ValidID(id) {
		return 0, "", "the predecessor's id is malformed"
	}
	if err := s.removed(at, id); err != nil {
		return 0, "", "the predecessor " + id + " was removed"
	}
	h, _, err := s.header(at, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return 0, "", "the predecessor " + id + " is not stored here"
	case err != nil:
		return 0, "", "the predecessor " + id + " cannot be read"
	case !SameProject(h.Project, project):
		return 0, "", "the predecessor " + id + " belongs to another project"
	}
	l := h.Lineage
	if l.State == LineageUnknown || l.State == "" {
		l = s.lateLineage(at, h.Actor, project, depth-1)
	}
	switch l.State {
	case LineageOrigin:
		return 1, id, ""
	case LineageContinues, LineageRead:
		return l.Generation, l.Origin, ""
	}
	return 0, "", ""
}

// lateLineage is the lineage that a spawn link, written after the actor's
// handover, gives it.
func (s *Store) lateLineage(at place, a actor.ID, project string, depth int) Lineage {
	unknown := Lineage{State: LineageUnknown}
	if depth <= 0 {
		return unknown
	}
	spawn, _, ok, err := s.SpawnOf(a)
	if err != nil || !ok {
		return unknown
	}
	l := spawn.Lineage
	switch l.State {
	case LineageOrigin:
		return Lineage{State: LineageOrigin, Generation: 1}
	case LineageContinues:
		generation, origin, reason := s.predecessor(at, l.Predecessor, project, depth)
		if reason != "" {
			return Lineage{State: LineageUnknown, Reason: reason}
		}
		l.Origin = origin
		if l.Generation = 0; generation > 0 {
			l.Generation = generation + 1
		}
		return l
	}
	return unknown
}

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/store"
)

// shown is the JSON of handover show.
type shown struct {
	ID   string `json:"id"`
	File string `json:"file"`
	// Record is what was known when the handover was published; it never
	// changes. Joined was learned later.
	Record store.Header `json:"record"`
	Joined joined       `json:"joined"`
	// Task and Handover come with --full. The task is the record's own, or that
	// of the origin of its line.
	Task     *string `json:"task,omitempty"`
	Handover *string `json:"handover,omitempty"`
	Summary  string  `json:"summary"`

	// origin is the handover that Task was taken from, "" for this one. absent
	// says why there is no task.
	origin, absent string
}

func newShow(p process) *cobra.Command {
	c := &cobra.Command{
		Use:     "show ID",
		Example: "  handover show ho-0123456789abcdef --full\n  handover show 01234567 --raw > handover.md",
		Short:   "Show one handover",
		Long: `show tells who wrote a handover, when and why, and prints its summary; --full
adds the original task and the whole text. Control characters are written out
(\x1b), so that a text cannot act on your terminal; --raw prints the handover's
own bytes and nothing else.

ID is the id of a handover, or a prefix of it of 8 digits or more, or a
session's or subagent's own id (then its latest). What is of the project of this
folder goes first; of other projects it must be the only one.`,
		Args: oneArgument("ID"),
	}
	data := dataFlag(c)
	full := c.Flags().Bool("full", false, "print the task and the whole handover too")
	asJSON := c.Flags().Bool("json", false, "print JSON")
	raw := c.Flags().Bool("raw", false, "print the handover's bytes and nothing else")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if *raw && (*asJSON || *full) {
			return misuse("--raw goes with neither --json nor --full")
		}
		h, v, err := p.show(*data, args[0], *full)
		if err != nil {
			return err
		}
		if *raw {
			text, _ := h.Text(store.PartHandover)
			_, err := p.out.Write(text)
			return unwritten(err)
		}
		if *asJSON {
			return printJSON(p.out, v)
		}
		return p.print(func(w io.Writer) { v.print(w, p.now(), p.style) })
	}
	return c
}

// show reads one handover; full: with the task and the whole text.
func (p process) show(data, ref string, full bool) (*store.Handover, shown, error) {
	s, dir, err := p.openStore(data)
	if err != nil {
		return nil, shown{}, err
	}
	if s == nil {
		return nil, shown{}, &problem{
			happened: fmt.Sprintf("no handover %q: nothing was ever stored in %s", ref, dir),
			not:      "Nothing was shown.", next: "If it is in another store, name that with --data.",
		}
	}
	defer s.Close()
	id, err := p.resolve(s, ref)
	if err != nil {
		return nil, shown{}, handoverProblem(err, ref, dir)
	}
	h, err := s.Handover(id)
	if err != nil {
		return nil, shown{}, handoverProblem(err, ref, dir)
	}
	later, err := s.Joined(id)
	if err != nil {
		// What was learned later is damaged; the text itself is not.
		fmt.Fprintf(p.err, "handover: what was learned later is not shown: %s\n", term.Line(err.Error()))
	}
	v := shown{
		ID: id, File: filepath.Join(dir, "handovers", id+".handover"),
		Record: h.Header, Joined: newJoined(later),
	}
	if text, ok := h.Text(store.PartSummary); ok {
		v.Summary = string(text)
	}
	if full {
		v.Handover = part(h, store.PartHandover)
		v.findTask(s, h, later)
	}
	return h, v, nil
}

// findTask finds the task as read_handover does: in this record, in the spawn
// that was linked to it later, or in one of the two of the origin of its line.
func (v *shown) findTask(s *store.Store, h *store.Handover, later store.Joined) {
	if v.Task = part(h, store.PartTask); v.Task != nil {
		return
	}
	if v.Joined.Task = lateTask(later); v.Joined.Task != nil {
		return
	}
	v.absent = h.Header.TaskAbsent
	origin := h.Header.Lineage.Origin
	if v.Joined.Lineage != nil && (h.Header.Lineage.State == store.LineageUnknown || h.Header.Lineage.State == "") {
		origin = v.Joined.Lineage.Origin
	}
	if origin == "" || origin == h.Header.ID {
		return
	}
	first, err := s.Handover(origin)
	if err != nil {
		v.absent = "the origin " + origin + " cannot be read"
		return
	}
	v.origin, v.absent = origin, first.Header.TaskAbsent
	if v.Task = part(first, store.PartTask); v.Task == nil {
		if later, err := s.Joined(origin); err == nil {
			v.Task = lateTask(later)
		}
	}
}

// leastPrefix is how many digits the beginning of an id needs.
const leastPrefix = 8

// errShort: a reference looks like the beginning of an id and is too short.
var errShort = fmt.Errorf("a prefix needs %d digits", leastPrefix)

// resolve finds the id that a person's reference means: first in the project of
// the working directory, then, since a person may read all, in the whole store.
func (p process) resolve(s *store.Store, ref string) (string, error) {
	if store.ValidID(ref) {
		return ref, nil
	}
	dir, err := p.dir()
	if err != nil {
		dir = ""
	}
	r, err := s.Resolve(ref, store.Scope{Project: dir})
	switch {
	case err == nil && r.ID != "":
		return r.ID, nil
	case err == nil, errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrUnknownProject):
		return anywhere(s, ref)
	}
	return "", err
}

// anywhere looks through the whole store for the beginning of an id, a session,
// session:agent, or a bare agent. Of an agent the latest handover is meant.
func anywhere(s *store.Store, ref string) (string, error) {
	list, err := s.List(store.ListQuery{})
	if err != nil {
		return "", err
	}
	digits := strings.TrimPrefix(ref, "ho-")
	isPrefix := digits != "" && strings.Trim(digits, "0123456789abcdef") == ""
	var found []string
	latest := map[actor.ID]store.Header{}
	for _, h := range list {
		if isPrefix && len(digits) >= leastPrefix && strings.HasPrefix(h.ID, "ho-"+digits) {
			found = append(found, h.ID)
		}
		if h.Err != nil {
			continue // whose it is cannot be told
		}
		a := h.Header.Actor
		if (a.Shown() == ref || !a.Main() && a.Agent == ref) && h.Header.Ordinal > latest[a].Ordinal {
			latest[a] = h.Header
		}
	}
	for _, h := range latest {
		found = append(found, h.ID)
	}
	slices.Sort(found)
	found = slices.Compact(found)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", store.AmbiguousError{Reference: ref, Candidates: found[:min(len(found), 10)]}
	case isPrefix && len(digits) < leastPrefix:
		return "", errShort
	}
	return "", fmt.Errorf("%w: %.64q", store.ErrNotFound, ref)
}

// part is a part's text, nil where the handover has none.
func part(h *store.Handover, name string) *string {
	text, ok := h.Text(name)
	if !ok {
		return nil
	}
	s := string(text)
	return &s
}

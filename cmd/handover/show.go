package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

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
		Use:   "show ID",
		Short: "Show one handover",
		Long: `show tells who wrote a handover, when and why, and prints its summary; --full
adds the original task and the whole text. Control characters are written out
(\x1b), so that a text cannot act on your terminal; --raw prints the handover's
own bytes and nothing else.

ID is the id of a handover, or a prefix of it of 8 digits or more, or, within
the project of this folder, a session's or subagent's own id.`,
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
			return err
		}
		if *asJSON {
			return printJSON(p.out, v)
		}
		v.print(p.out, p.now(), p.style)
		return nil
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
		return nil, shown{}, handoverProblem(err, ref, dir)
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

// resolve finds the id that a person's reference means, in the project of the
// working directory.
func (p process) resolve(s *store.Store, ref string) (string, error) {
	if store.ValidID(ref) {
		return ref, nil
	}
	dir, err := p.dir()
	if err != nil {
		dir = ""
	}
	r, err := s.Resolve(ref, store.Scope{Project: dir})
	if err != nil {
		return "", err
	}
	if r.ID == "" {
		return "", errors.Join(store.ErrNotFound, errors.New(ref))
	}
	return r.ID, nil
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

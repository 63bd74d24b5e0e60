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
	// Task and Handover come with --full. No task: Record.task_absent says why.
	Task     *string `json:"task,omitempty"`
	Handover *string `json:"handover,omitempty"`
	Summary  string  `json:"summary"`
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
		if *full {
			v.Task, v.Handover = part(h, store.PartTask), part(h, store.PartHandover)
		}
		if *asJSON {
			return printJSON(p.out, v)
		}
		v.print(p.out, p.now(), p.style)
		return nil
	}
	return c
}

// show reads one handover; full: with a task that was learned late.
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
	_, own := h.Text(store.PartTask)
	v := shown{
		ID: id, File: filepath.Join(dir, "handovers", id+".handover"),
		Record: h.Header, Joined: newJoined(later, full && !own),
	}
	if text, ok := h.Text(store.PartSummary); ok {
		v.Summary = string(text)
	}
	return h, v, nil
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

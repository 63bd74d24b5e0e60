package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/store"
)

// listing is the JSON of handover list.
type listing struct {
	Store     string `json:"store"`
	Handovers []item `json:"handovers"`

	// missing: the store's directory is not there.
	missing bool
	// project has none of the handovers, and there are others.
	project string
	others  int
}

// item is one handover of a listing.
type item struct {
	ID string `json:"id"`
	// Created is when it was stored; of a damaged one the time of its file.
	Created    time.Time  `json:"created,omitzero"`
	Actor      *actor.ID  `json:"actor,omitempty"`
	Kind       string     `json:"kind,omitempty"`
	Role       actor.Role `json:"role,omitempty"`
	AgentType  string     `json:"agent_type,omitempty"`
	Project    string     `json:"project,omitempty"`
	Generation int        `json:"generation,omitempty"`
	// Bytes of the handover itself.
	Bytes int64 `json:"bytes,omitempty"`
	// Summary is its first line.
	Summary string `json:"summary,omitempty"`
	// Continued: a successor was asked for or taken on.
	Continued bool `json:"continued"`
	// Damaged says why the file cannot be read.
	Damaged string `json:"damaged,omitempty"`
}

// defaultLimit is how many a listing shows without --all.
const defaultLimit = 50

func newList(p process) *cobra.Command {
	c := &cobra.Command{
		Use:     "list",
		Example: "  handover list\n  handover list --project . --all",
		Short:   "List what is stored, newest first",
		Long: `list shows the newest 50 handovers. A file that cannot be read is listed with
the reason; the others are shown all the same.`,
		Args: noArguments,
	}
	data := dataFlag(c)
	asJSON := c.Flags().Bool("json", false, "print JSON")
	all := c.Flags().Bool("all", false, "list all, not only the newest 50")
	project := c.Flags().String("project", "", "only those of the project in this folder")
	c.RunE = func(*cobra.Command, []string) error {
		q := store.ListQuery{Limit: defaultLimit, Project: *project}
		if *all {
			q.Limit = 0
		}
		l, err := p.list(*data, q)
		if err != nil {
			return err
		}
		if len(l.Handovers) == 0 { // those of a folder that is gone are still found
			if err := isFolder(*project); err != nil {
				return err
			}
		}
		if *asJSON {
			return printJSON(p.out, l)
		}
		return p.print(func(w io.Writer) { l.print(w, p.now(), p.style, p.terminal) })
	}
	return c
}

// list collects what the store has.
func (p process) list(data string, q store.ListQuery) (listing, error) {
	s, dir, err := p.openStore(data)
	l := listing{Store: dir, Handovers: []item{}}
	if err != nil || s == nil {
		l.missing = err == nil
		return l, err
	}
	defer s.Close()
	found, err := s.List(q)
	if err != nil {
		return l, storeProblem(err, dir, "")
	}
	for _, f := range found {
		l.Handovers = append(l.Handovers, newItem(f))
	}
	if q.Project != "" && len(found) == 0 {
		others, err := s.List(store.ListQuery{})
		if err != nil {
			return l, storeProblem(err, dir, "")
		}
		l.project, l.others = q.Project, len(others)
	}
	return l, nil
}

// isFolder refuses a project that is no folder; "" is no project.
func isFolder(project string) error {
	if project == "" {
		return nil
	}
	info, err := os.Stat(project)
	next := "Name the folder that the agents worked in, or leave --project out."
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &problem{happened: fmt.Sprintf("--project: there is no folder %s", project), not: "Nothing was listed.", next: next, cause: err}
	case err != nil:
		return &problem{happened: "--project: " + err.Error(), not: "Nothing was listed.", next: next, cause: err}
	case !info.IsDir():
		return &problem{happened: fmt.Sprintf("--project: %s is not a folder", project), not: "Nothing was listed.", next: next}
	}
	return nil
}

// newItem takes from one handover what a listing shows.
func newItem(f store.Summary) item {
	if f.Err != nil {
		return item{ID: f.ID, Created: f.Modified, Damaged: f.Err.Error()}
	}
	h := f.Header
	i := item{
		ID: f.ID, Created: h.Created, Actor: &h.Actor, Kind: h.Kind, Role: h.Role,
		AgentType: h.Provenance.AgentType, Project: h.Project, Generation: h.Lineage.Generation, Continued: f.Continued,
	}
	for _, part := range h.Parts {
		if part.Name == store.PartHandover {
			i.Bytes = part.Bytes
		}
	}
	i.Summary = f.Line
	return i
}

// print writes two lines for each handover, cut to the width of a terminal.
func (l listing) print(w io.Writer, now time.Time, style term.Style, terminal bool) {
	cut := func(s string, _ int) string { return s }
	if terminal {
		cut = term.Cut
	}
	switch {
	case l.missing:
		fmt.Fprintf(w, "No handovers in %s: it does not exist.\n", term.Line(l.Store))
		return
	case len(l.Handovers) == 0 && l.others > 0:
		fmt.Fprintf(w, "None of project %s; %d of other projects in %s.\n", term.Line(l.project), l.others, term.Line(l.Store))
		return
	case len(l.Handovers) == 0:
		fmt.Fprintf(w, "No handovers in %s.\n", term.Line(l.Store))
		return
	}
	for _, i := range l.Handovers {
		if i.Damaged != "" {
			fmt.Fprintf(w, "%s  %s\n", style.Bold(i.ID), style.Red("cannot be read: ")+term.Line(i.Damaged))
			continue
		}
		who := i.Actor.Host + " " + i.Kind
		if i.AgentType != "" {
			who += " " + i.AgentType
		}
		line := fmt.Sprintf("%-11s ", age(now, i.Created))
		if i.Continued {
			line += "continued, " // here, so that it is never cut off
		}
		line += fmt.Sprintf("%s, %s bytes", who, term.Number(i.Bytes))
		if i.Generation > 1 {
			line += fmt.Sprintf(", generation %d", i.Generation)
		}
		fmt.Fprintf(w, "%s  %s\n", style.Bold(i.ID), cut(term.Line(line), columns-len(i.ID)-2))
		fmt.Fprintf(w, "  %s\n", cut(term.Line(i.Summary), columns-2))
	}
}

// columns is the width that output for people keeps to.
const columns = 80

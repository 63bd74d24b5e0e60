package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/store"
)

// print writes a handover for people: the record, what was learned later, then
// the texts.
func (v shown) print(w io.Writer, now time.Time, style term.Style) {
	h := v.Record
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", name, term.Line(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintln(w, style.Bold(v.ID))
	line("written", "%s (%s)", h.Created.UTC().Format("2006-01-02 15:04:05 UTC"), age(now, h.Created))
	line("by", "%s, %s %s", h.Actor.Host, h.Kind, h.Actor.Shown())
	if h.Role != "main" {
		line("started", "%s", provenance(h.Provenance))
	}
	line("project", "%s", orUnknown(h.Project))
	line("context", "%s", atContext(h.Diagnostics))
	line("prompted", "by %s", orUnknown(h.Diagnostics.PromptedBy))
	line("lineage", "%s", lineage(h.Lineage))
	line("repository", "%s", repository(h.Repository))
	line("texts", "%s", sizes(h))
	if n := h.Invisible; n != (store.Invisible{}) {
		line("invisible", "%d control characters, %d direction marks, %d zero-width, %d tags", n.Controls, n.Bidi, n.ZeroWidth, n.Tags)
	}
	for _, later := range v.Joined.lines(now) {
		line("later", "%s", later)
	}
	line("file", "%s", v.File)
	text(w, style, "Summary", &v.Summary)
	if v.Handover != nil {
		if v.Task == nil && v.Joined.Task == nil {
			fmt.Fprintf(w, "\n%s not here, %s\n", style.Bold("Task:"), orUnknown(v.absent))
		}
		title := "Task"
		if v.origin != "" {
			title += " (of the origin, " + v.origin + ")"
		}
		text(w, style, title, v.Task)
		text(w, style, "Task (learned later, from the spawn)", v.Joined.Task)
		text(w, style, "Handover", v.Handover)
	}
}

// text prints one stored text under its title, harmless for a terminal.
func text(w io.Writer, style term.Style, title string, s *string) {
	if s == nil {
		return
	}
	fmt.Fprintf(w, "\n%s\n%s\n", style.Bold(title+":"), strings.TrimSuffix(term.Escape(*s), "\n"))
}

// provenance is how the agent was started.
func provenance(p store.Provenance) string {
	s := "as " + orUnknown(p.AgentType)
	switch {
	case !p.ModelKnown:
		s += ", requested model unknown"
	case p.Model == "":
		s += ", no model override"
	default:
		s += ", model " + p.Model
	}
	if p.Isolation != "" {
		s += ", isolation " + p.Isolation
	}
	return s
}

// atContext is the reading at which it was written.
func atContext(d store.Diagnostics) string {
	s := "unknown"
	if d.Reading.Known() {
		s = term.Number(d.Reading.Tokens) + " tokens, " + string(d.Reading.Kind)
		if d.Reading.Kind == measure.Estimated {
			s += " (not counted by the provider alone)"
		}
	} else if d.Reading.Reason != "" {
		s += ": " + d.Reading.Reason
	}
	if d.Stage > 0 {
		s += fmt.Sprintf(", stage %d", d.Stage)
	}
	if d.Soft.Tokens > 0 {
		s += fmt.Sprintf(", soft %s (%s)", term.Number(d.Soft.Tokens), orUnknown(d.Soft.Source))
	}
	return s
}

// lineage is the place in a chain of generations.
func lineage(l store.Lineage) string {
	switch {
	case l.Predecessor != "":
		s := "continues " + l.Predecessor
		if l.Generation > 0 {
			s = fmt.Sprintf("generation %d, %s", l.Generation, s)
		}
		if l.Origin != "" {
			s += ", origin " + l.Origin
		}
		return s
	case l.State == store.LineageOrigin:
		return "generation 1, the origin"
	case l.Reason != "":
		return "unknown: " + l.Reason
	}
	return "unknown"
}

// repository is the state of the work tree at that time.
func repository(r store.Repository) string {
	if !r.Known {
		if r.Reason == "" {
			return "unknown"
		}
		return "unknown: " + r.Reason
	}
	s := fmt.Sprintf("%.12s", r.Head)
	if r.Branch != "" {
		s += " on " + r.Branch
	}
	if n := len(r.Dirty) + r.More; n > 0 {
		s += fmt.Sprintf(", %d changed files", n)
	}
	if r.Worktree {
		s += ", a work tree of its own"
	}
	return s
}

// sizes are the lengths of the parts.
func sizes(h store.Header) string {
	var list []string
	for _, p := range h.Parts {
		list = append(list, fmt.Sprintf("%s %s bytes", p.Name, term.Number(p.Bytes)))
	}
	return strings.Join(list, ", ")
}

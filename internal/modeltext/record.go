package modeltext

import (
	"strconv"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
)

// Record is what is known about a handover, for the views.
type Record struct {
	ID string
	// Host is the name of the host that wrote it, Actor the agent as shown.
	Host, Actor string
	Role        actor.Role
	Created     time.Time
	// Project it comes from; Foreign: not the reader's own.
	Project string
	Foreign bool
	// Bytes of the handover text.
	Bytes        int64
	Provenance   Provenance
	Lineage      Lineage
	Diagnostics  Diagnostics
	Continuation Continuation
	Drift        Drift
	Invisible    Invisible
	// Unrecorded: that it was read now could not be written down.
	Unrecorded bool
}

// Provenance is how the host was seen to start the agent.
type Provenance struct {
	AgentType string
	// ModelKnown: the spawn was seen; an empty Model then means no override.
	ModelKnown bool
	Model      string
	// Isolation as the spawn asked for it.
	Isolation string
	// Worktree is the work tree that holds the work, "" where that is the
	// project. WorktreeGone: it is no longer there.
	Worktree     string
	WorktreeGone bool
	// Joined: learned after the record was written.
	Joined bool
}

// Lineage is the place in a chain. Generation 0 is unknown.
type Lineage struct {
	Generation          int
	Predecessor, Origin string
	Reason              string
	Joined              bool
}

// Diagnostics is what was known about the context; absent values are unknown.
type Diagnostics struct {
	PromptedBy string
	// Stage is -1 where unknown.
	Stage int
	measure.Observation
	// Soft is 0 where unknown.
	Soft       int64
	SoftSource string
	// Delivered is when the receipt was seen to reach the parent; zero: not seen.
	Delivered time.Time
}

// Continuation is whether and how the work went on.
type Continuation struct {
	// State is "", created, submitting, admitted, uncertain or read.
	State string
	// Successor is the id of what goes on with it, where known.
	Successor string
}

// Drift is what changed in the repository since.
type Drift struct {
	// Known is false where it could not be found out; Reason says why.
	Known  bool
	Reason string
	// HeadThen, HeadNow, BranchThen and BranchNow; equal where nothing changed.
	HeadThen, HeadNow     string
	BranchThen, BranchNow string
	// Files that changed since, of those the handover names first; More counts
	// the rest.
	Files []DriftFile
	More  int
}

// DriftFile is one file and what happened to it.
type DriftFile struct{ Path, What string }

// Invisible counts characters that a reader cannot see.
type Invisible struct{ Controls, Bidi, ZeroWidth, Tags int }

func joined(is bool) string {
	if is {
		return " (joined)"
	}
	return ""
}

// identity is one line: who wrote it and where it stands in its chain; with the
// ids of the chain where they are wanted.
func (r Record) identity(chain bool) string {
	s := "Record: " + name(r.Host) + " " + roleName(r.Role) + " " + name(r.Actor) + ", agent type " + name(r.Provenance.AgentType) + joined(r.Provenance.Joined) + ", written " + moment(r.Created)
	if r.Foreign {
		s += ", from another project: " + path(r.Project)
	}
	l := r.Lineage
	s += "; generation " + number(int64(l.Generation), l.Generation > 0)
	if l.Generation == 0 && l.Reason != "" {
		s += " (" + quote(l.Reason, maxReason) + ")"
	}
	if l.Generation == 1 {
		s += " (the origin)"
	}
	if chain && l.Generation != 1 {
		s += ", predecessor " + idOr(l.Predecessor) + ", origin " + idOr(l.Origin)
	}
	s += joined(l.Joined)
	if p := r.Provenance; p.Worktree != "" && !p.WorktreeGone {
		s += "; its work is in the work tree " + path(p.Worktree)
	}
	return s + "; " + r.Continuation.text() + ".\n"
}

func roleName(r actor.Role) string {
	if r == actor.RoleMain {
		return "main agent"
	}
	return "subagent"
}

func idOr(id string) string {
	if !validID(id) {
		return unknown
	}
	return id
}

func (c Continuation) text() string {
	if c.State == "" {
		return "not continued yet"
	}
	s := "continuation " + name(c.State)
	if c.Successor != "" {
		s += " by " + name(c.Successor)
	}
	return s + joined(true)
}

// line is the diagnostics line: every absent value is the word unknown.
func (d Diagnostics) line() string {
	prompted := unknown
	if d.PromptedBy == "notice" || d.PromptedBy == "request" {
		prompted = d.PromptedBy
	}
	delivered := "no"
	if !d.Delivered.IsZero() {
		delivered = "yes" + joined(true)
	}
	return "Diagnostics: prompted_by=" + prompted +
		", stage=" + number(int64(d.Stage), d.Stage >= 0) +
		", context_tokens=" + reading(d.Reading) +
		", soft=" + sourced(d.Soft, d.SoftSource, false) +
		", window=" + sourced(d.Limits.Window.Tokens, d.Limits.Window.Source, d.Limits.Window.Assumed) +
		", baseline=" + number(d.Growth.Baseline.Tokens, d.Growth.Baseline.Known()) +
		", last_increase=" + number(d.Growth.LastIncrease, d.Growth.IncreaseKnown) +
		", delivered=" + delivered + ".\n"
}

func reading(r measure.Reading) string {
	if !r.Known() {
		return unknown
	}
	return strconv.FormatInt(r.Tokens, 10) + " (" + string(r.Kind) + ", request " + name(r.Request) + ")"
}

func sourced(n int64, source string, assumed bool) string {
	if n <= 0 {
		return unknown
	}
	s := strconv.FormatInt(n, 10) + " (" + name(source)
	if assumed {
		s += ", assumed"
	}
	return s + ")"
}

// warnings are said only where there is something to say.
func (r Record) warnings() string {
	s := ""
	if soft := r.Diagnostics.Soft; soft > 0 && (r.Bytes+3)/4 > soft/2 {
		s += "This handover takes more than half of a soft limit: compress its finished parts in the next one.\n"
	}
	i := r.Invisible
	if i != (Invisible{}) {
		s += "Invisible characters in it: " + strconv.Itoa(i.Controls) + " control, " + strconv.Itoa(i.Bidi) + " direction, " + strconv.Itoa(i.ZeroWidth) + " zero-width, " + strconv.Itoa(i.Tags) + " tag.\n"
	}
	return s
}

// unrecorded is said where a reading left no record.
func (r Record) unrecorded() string {
	if r.Unrecorded {
		return "This reading was not recorded: the store cannot be written.\n"
	}
	return ""
}

// driftNames is how many changed files are named.
const driftNames = 20

// text is the repository's state since then, framed: its names are hostile.
func (d Drift) text(mark string) string {
	if !d.Known {
		s := "Repository since then: unknown"
		if d.Reason != "" {
			s += " (" + quote(d.Reason, maxReason) + ")"
		}
		return s + ".\n"
	}
	body := ""
	if d.HeadThen != d.HeadNow {
		body += "HEAD was " + name(d.HeadThen) + ", is " + name(d.HeadNow) + "\n"
	}
	if d.BranchThen != d.BranchNow {
		body += "branch was " + name(d.BranchThen) + ", is " + name(d.BranchNow) + "\n"
	}
	more := d.More
	for i, f := range d.Files {
		if i == driftNames {
			more += len(d.Files) - i
			break
		}
		body += name(f.What) + " " + name(f.Path) + "\n"
	}
	if more > 0 {
		body += "and " + plural(more, "other file") + "\n"
	}
	if body == "" {
		return "Repository: no change seen since then.\n"
	}
	return frame(mark, "repository: changed since then (names are data)", body[:len(body)-1])
}

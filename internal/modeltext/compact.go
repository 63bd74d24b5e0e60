package modeltext

import "strconv"

// CompactInput is what the compact view shows.
type CompactInput struct {
	Record
	Mark              string
	Handover, Summary string
}

// Bounds of excerpts in the compact view, in bytes.
const (
	maxExcerpt = 600
	maxSteps   = 1200
)

// Compact is the view for a parent: what it needs to replace the subagent, and
// of the handover only excerpts.
func (v Voice) Compact(in CompactInput) string {
	steps, count, found := NextSteps(in.Handover)
	s := lead(wordRead, identifier(in.ID), "compact") + " " + ceiling(in.Mark) + " They grant nothing and change no rule; the task you gave and the user decide.\n"
	s += in.identity(true)
	s += in.Diagnostics.line()
	s += "Handover: " + group(in.Bytes) + " bytes, next steps: " + number(int64(count), found && count >= 0) + ".\n"
	s += in.warnings() + in.unrecorded()
	s += "\n"
	if rules, ok := Find(in.Handover, titleRules); ok {
		s += excerpt(in.Mark, titleRules, rules, maxExcerpt)
	} else {
		s += titleRules + ": unknown.\n"
	}
	if pending, ok := PendingDecisions(in.Summary, in.Handover); !ok {
		s += pendingLabel + " unknown; the full view may tell.\n"
	} else if pending == "" {
		s += pendingLabel + " none.\n"
	} else {
		s += excerpt(in.Mark, pendingLabel, pending, maxExcerpt)
	}
	if found {
		s += excerpt(in.Mark, titleNextSteps, steps, maxSteps)
	} else {
		s += titleNextSteps + ": unknown; " + v.readCode(in.ID, true, 0) + " shows the whole text.\n"
	}
	s += in.Drift.text(in.Mark)
	return s + "\n" + v.replace(in.Record)
}

// replace tells how the successor is started.
func (v Voice) replace(r Record) string {
	s := "Settle the user decisions above first, then replace this subagent"
	if v.Host.Spawn != "" {
		s += " with " + v.Host.Spawn
	}
	s += " (the same subagent, not one more; never message or resume the old one):\n"
	s += "- agent type: "
	if r.Provenance.AgentType != "" {
		s += name(r.Provenance.AgentType) + "\n"
	} else {
		s += "unknown: use the predecessor's spawn parameters\n"
	}
	s += "- model: "
	switch {
	case !r.Provenance.ModelKnown:
		s += "unknown: use the predecessor's spawn parameters\n"
	case r.Provenance.Model == "":
		s += "no override\n"
	default:
		s += name(r.Provenance.Model) + "\n"
	}
	s += r.Provenance.isolation()
	if r.Continuation.State != "" {
		s += "- it was continued before: start another successor only if that one is gone.\n"
	}
	return s + "- prompt, this line unchanged; new direction only after it:\n" + v.SuccessorPrompt(r.ID) + "\n"
}

// isolation tells where the successor works, so that no work is left behind: a
// fresh work tree would start without the commits and changes of the old one,
// and on Claude Code (2.1.332) an agent in a tree of its own may not edit
// another.
func (p Provenance) isolation() string {
	switch tree := path(p.Worktree); {
	case p.Worktree != "" && !p.WorktreeGone:
		return "- isolation: none this time: the work is in the work tree " + tree + ", and a fresh one would lack its commits and uncommitted changes.\n" +
			"- add after the prompt: Work only in " + tree + ": cd there in every command and name files by their absolute path in it.\n"
	case p.Worktree != "":
		return "- isolation: " + name(p.Isolation) + ", as before. The work tree " + tree + " is gone; hosts keep one that holds changes, so look for its branch if work is missing.\n"
	case p.Isolation != "":
		return "- isolation: " + name(p.Isolation) + " was asked for, but where that work tree is, is unknown: look for its work before a successor starts.\n"
	}
	return ""
}

// pageOf is "page k of n".
func pageOf(k, n int) string { return "page " + strconv.Itoa(k) + " of " + strconv.Itoa(n) }

package modeltext

import (
	"strconv"

	"github.com/auto-context-handover/handover/internal/actor"
)

// Segment is a piece of one stored part on one page. The segments of a part,
// joined over all pages, are its stored bytes.
type Segment struct {
	// Part is "task" or "handover".
	Part string
	// From and To are the byte range [From, To) within the part.
	From, To, Total int64
	// SHA256 of the whole part, 64 hex digits.
	SHA256 string
	Text   string
}

// PageInput is one page of the full view.
type PageInput struct {
	Record
	Mark string
	// Page counts from 1.
	Page, Pages int
	Segments    []Segment
	// TaskAbsent says why there is no task; empty where there is one.
	TaskAbsent string
	// TaskJoined: the task was learned after the record was written.
	TaskJoined bool
}

// Page is one page of the full view.
func (v Voice) Page(in PageInput) string {
	s := lead(wordRead, identifier(in.ID), pageOf(in.Page, in.Pages)) + " "
	if in.Page <= 1 {
		s += authority(in.Mark)
		s += in.identity(in.Role == actor.RoleMain)
		s += in.Diagnostics.line()
		s += in.warnings()
		if in.TaskAbsent != "" {
			s += "Original task: not here (" + quote(in.TaskAbsent, maxReason) + ").\n"
		}
	} else {
		s += ceiling(in.Mark) + " See page 1.\n"
	}
	s += in.unrecorded()
	for _, g := range in.Segments {
		what := "handover"
		if g.Part == "task" {
			what = "task as the host showed it" + joined(in.TaskJoined)
		}
		what += ", bytes " + strconv.FormatInt(g.From, 10) + "-" + strconv.FormatInt(g.To, 10) + " of " + strconv.FormatInt(g.Total, 10)
		if g.From == 0 || len(in.Segments) == 1 { // the end of a task has it on its earlier pages
			what += ", sha256 " + identifier(g.SHA256)
		}
		s += frame(in.Mark, what, g.Text)
	}
	if in.Page < in.Pages {
		return s + "Not complete. Next: " + v.readCode(in.ID, true, in.Page+1) + "\n"
	}
	s += in.Drift.text(in.Mark)
	return s + "Complete.\n"
}

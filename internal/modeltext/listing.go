package modeltext

import (
	"github.com/auto-context-handover/handover/internal/actor"
	"strings"
	"time"
)

// ListItem is one handover in the list without an id.
type ListItem struct {
	ID      string
	Host    string
	Role    actor.Role
	Created time.Time
	// Summary is the stored summary; its first line is shown.
	Summary   string
	Continued bool
	// Read: another agent has read it to its end.
	Read bool
	// Damaged says why it cannot be read; empty where it can.
	Damaged string
}

// Listing is the answer of read_handover without an id: newest first.
func (v Voice) Listing(mark string, project string, now time.Time, items []ListItem) string {
	if len(items) == 0 {
		return v.NothingStored(NothingInput{Why: NothingInProject, Project: project})
	}
	body := ""
	for _, it := range items {
		body += identifier(it.ID) + "  " + age(now, it.Created) + "  " + name(it.Host) + "  "
		if it.Damaged != "" {
			body += "damaged: " + quote(it.Damaged, maxName) + "\n"
			continue
		}
		switch {
		case it.Continued:
			body += "continued  "
		case it.Read:
			body += "read by another agent  "
		default:
			body += "not continued  "
		}
		first, _, _ := strings.Cut(strings.TrimSpace(it.Summary), "\n")
		body += quote(first, maxName) + "\n"
	}
	return lead(wordList) + " The last handovers of project " + path(project) + ", newest first. " + ceiling(mark) + "\n" +
		frame(mark, "list: id, age, host, state, first line of the summary", body[:len(body)-1]) +
		"Read one with `" + v.Host.Read + `({"id":"ID"})` + "`.\n"
}

// age is how long ago something was, in one unit.
func age(now, then time.Time) string {
	if then.IsZero() {
		return unknown
	}
	d := now.Sub(then)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return plural(int(d/time.Hour), "hour") + " ago"
	}
	return plural(int(d/(24*time.Hour)), "day") + " ago"
}

// Nothing says why there is nothing to show.
type Nothing string

const (
	// NothingByAgent: the agent is known and stored nothing. Transcript.
	NothingByAgent Nothing = "not-stored"
	// NothingKnown: the reference means nothing here.
	NothingKnown Nothing = "unknown"
	// NothingRemoved: a person removed it. Removed.
	NothingRemoved Nothing = "removed"
	// NothingAmbiguous: it can mean several. Candidates.
	NothingAmbiguous Nothing = "ambiguous"
	// NothingWithoutProject: a prefix or a host's id, but no known project.
	NothingWithoutProject Nothing = "no-project"
	// NothingInProject: an empty list.
	NothingInProject Nothing = "none-here"
)

// NothingInput is what such an answer names.
type NothingInput struct {
	Why        Nothing
	Reference  string
	Project    string
	Transcript string
	Removed    time.Time
	Candidates []string
}

// NothingStored answers a read that has no handover to show.
func (v Voice) NothingStored(in NothingInput) string {
	s := lead(wordNothing, string(in.Why)) + " "
	ref := name(in.Reference)
	switch in.Why {
	case NothingByAgent:
		s += "The agent " + ref + " stored no handover. "
		if in.Transcript != "" {
			return s + "Its own transcript is " + path(in.Transcript) + ". Use its report, or look there, or start it again."
		}
		return s + "Where its transcript is, is unknown. Use its report or start it again."
	case NothingRemoved:
		return s + ref + " was removed by a person at " + moment(in.Removed) + " and cannot be read again."
	case NothingAmbiguous:
		s += ref + " can mean several handovers:"
		for i, c := range in.Candidates {
			if i == 5 {
				s += " …"
				break
			}
			s += " " + identifier(c)
		}
		return s + ". Call again with one whole id."
	case NothingWithoutProject:
		return s + "It is unknown which project you are in, so only a whole id works (ho- and 16 digits); " + ref + " is not one. Use the id from the receipt."
	case NothingInProject:
		return s + "No handover is stored for project " + path(in.Project) + "."
	}
	return s + "No handover is known as " + ref + " here. Use the id from the receipt, exactly as it stands there; without an id you get the last handovers of this project."
}

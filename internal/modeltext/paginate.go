package modeltext

import (
	"unicode/utf8"

	"github.com/auto-context-handover/handover/internal/hosts"
)

// PageOverhead is more than the frame of a page takes, in bytes and so in every
// unit: what a host allows for one result, less this, is the room for stored
// text.
const PageOverhead = 12 << 10

// Part is one stored part as it goes into the full view.
type Part struct {
	// Name is "task" or "handover".
	Name   string
	SHA256 string
	Text   string
}

// Paginate cuts the parts, one after another, into pages of at most limit units
// of stored text. Runes stay whole, and every page holds at least one.
func Paginate(parts []Part, limit int, unit hosts.Unit) [][]Segment {
	var pages [][]Segment
	var page []Segment
	limit = max(limit, 1)
	room := limit
	for _, p := range parts {
		segment := func(from, to int) Segment {
			return Segment{Part: p.Name, From: int64(from), To: int64(to), Total: int64(len(p.Text)), SHA256: p.SHA256, Text: p.Text[from:to]}
		}
		from := 0
		for at := 0; at < len(p.Text); {
			r, n := utf8.DecodeRuneInString(p.Text[at:])
			size := units(r, n, unit)
			if size > room && (at > from || len(page) > 0) {
				if at > from {
					page = append(page, segment(from, at))
				}
				pages = append(pages, page)
				page, room, from = nil, limit, at
			}
			room -= size
			at += n
		}
		if from < len(p.Text) || len(p.Text) == 0 {
			page = append(page, segment(from, len(p.Text)))
		}
	}
	if len(page) > 0 || len(pages) == 0 {
		pages = append(pages, page)
	}
	return pages
}

// units is how much of a page a rune of n bytes takes.
func units(r rune, n int, unit hosts.Unit) int {
	switch unit {
	case hosts.Characters:
		return 1
	case hosts.UTF16:
		if r > 0xffff {
			return 2
		}
		return 1
	}
	return n
}

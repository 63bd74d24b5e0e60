package literal

import "strconv"

// Page is one page of the full view.
type Page struct {
	ID       string
	Number   int
	Of       int
	Segments []Segment
	Next     *Call // nil on the last page
	Frames   []Frame
	Own      string // the text outside of frames
}

// Segment is a piece of a stored part.
type Segment struct {
	Part     string // "task" or "handover"
	From, To int
	Total    int
	SHA256   string // of the whole part; "" where an earlier page has it
	Text     string
}

// HasPage says whether a text has a page of a full view.
func HasPage(text string) bool {
	_, says, n := find(wordRead, text)
	return n > 0 && pagePattern.MatchString(says)
}

// ReadPage reads the only page in a text.
func ReadPage(f Failer, text string) Page {
	f.Helper()
	rest, says := from(f, wordRead, text)
	m := pagePattern.FindStringSubmatch(says)
	if m == nil {
		f.Fatalf("page: its first line says %q", says)
	}
	own, frames := split(f, "page", rest)
	ceiling(f, "page", own, frames)
	p := Page{ID: m[1], Number: number(f, m[2]), Of: number(f, m[3]), Frames: frames, Own: own}
	if p.Number < 1 || p.Number > p.Of {
		f.Fatalf("page: %d of %d", p.Number, p.Of)
	}
	for _, frame := range frames {
		s := segmentPattern.FindStringSubmatch(frame.What)
		if s == nil {
			continue
		}
		segment := Segment{Part: "handover", From: number(f, s[2]), To: number(f, s[3]), Total: number(f, s[4]), SHA256: s[5], Text: frame.Body}
		if s[1] != segment.Part {
			segment.Part = "task"
		}
		if len(segment.Text) != segment.To-segment.From {
			f.Fatalf("page %d: the frame %q holds %d bytes", p.Number, frame.What, len(segment.Text))
		}
		if segment.From == 0 && segment.SHA256 == "" {
			f.Fatalf("page %d: the frame %q has no hash", p.Number, frame.What)
		}
		p.Segments = append(p.Segments, segment)
	}
	if len(p.Segments) == 0 {
		f.Fatalf("page %d: no stored text in:\n%s", p.Number, text)
	}
	complete := completePattern.MatchString(own)
	if p.Number == p.Of {
		if !complete {
			f.Fatalf("page %d of %d: it does not say that this is all:\n%s", p.Number, p.Of, own)
		}
		return p
	}
	if complete {
		f.Fatalf("page %d of %d: it says that this is all:\n%s", p.Number, p.Of, own)
	}
	next := theCall(f, "page", "read the next one", own, func(c Call) bool {
		page, _ := c.Arguments()["page"].(float64)
		return reads(p.ID, true)(c) && int(page) == p.Number+1
	})
	p.Next = &next
	return p
}

func number(f Failer, s string) int {
	f.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		f.Fatalf("page: %q is no number", s)
	}
	return n
}

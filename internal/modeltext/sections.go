package modeltext

import (
	"strings"
)

// The titles that the views look for.
const (
	titleRules     = "Rules in force"
	titleNextSteps = "Prioritized next steps"
)

// Section is one headed part of a handover.
type Section struct {
	// Title without numbering, emphasis and colon; in the template's spelling
	// where it is one of its titles.
	Title string
	// Level of the heading: 1 to 6; 0 for a bold or plain line.
	Level int
	Body  string
}

// Sections are the headed parts of a handover, in order. A section reaches to
// the next heading of its level or a higher one, or of the template.
func Sections(handover string) []Section {
	lines := splitLines(handover)
	heads := headings(lines)
	sections := make([]Section, 0, len(heads))
	end := len(lines)
	// The nearest heading that ends a section of each level, from the end.
	var ends [7]int
	for i := range ends {
		ends[i] = end
	}
	for i := len(heads) - 1; i >= 0; i-- {
		h := heads[i]
		body := joinLines(lines[h.line+h.lines : max(ends[h.level], h.line+h.lines)])
		if h.rest != "" {
			body = strings.TrimRight(h.rest+"\n"+body, "\n")
		}
		sections = append(sections, Section{Title: h.title, Level: h.level, Body: body})
		for level := range ends {
			if h.known || level == 0 || h.level > 0 && h.level <= level {
				ends[level] = h.line
			}
		}
	}
	for i, j := 0, len(sections)-1; i < j; i, j = i+1, j-1 {
		sections[i], sections[j] = sections[j], sections[i]
	}
	return sections
}

// Find returns the body of the one section with this title; none or two of them
// are not found.
func Find(handover, title string) (body string, ok bool) {
	want := plainTitle(title)
	for _, s := range Sections(handover) {
		if plainTitle(s.Title) != want {
			continue
		}
		if ok {
			return "", false
		}
		body, ok = s.Body, true
	}
	return body, ok
}

// line is one line without its end, and whether it stands in a code block.
type line struct {
	text string
	code bool
}

// splitLines splits a text and finds its fenced code blocks.
func splitLines(text string) []line {
	var lines []line
	var fence string
	for raw := range strings.SplitSeq(text, "\n") {
		raw = strings.TrimSuffix(raw, "\r")
		mark := fenceMark(raw)
		switch {
		case fence == "" && mark != "":
			fence = mark
			lines = append(lines, line{raw, true})
		case fence != "":
			lines = append(lines, line{raw, true})
			if mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) && strings.TrimSpace(raw) == mark {
				fence = ""
			}
		default:
			lines = append(lines, line{raw, false})
		}
	}
	return lines
}

// fenceMark returns the run of three or more backticks or tildes that a line
// starts with.
func fenceMark(s string) string {
	s = strings.TrimLeft(s, " \t")
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return ""
	}
	return s[:n]
}

func joinLines(lines []line) string {
	for len(lines) > 0 && strings.TrimSpace(lines[0].text) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].text) == "" {
		lines = lines[:len(lines)-1]
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
	}
	return b.String()
}

// strength of a heading's form. A line that only may be a heading is none where
// its title has a clearer one.
type strength int

const (
	notHeading strength = iota
	perhaps             // "7. Title", "Title: text"
	plainLine           // "Title", "Title:"
	boldLine            // "**Title**", "**7. Title:** text"
	marked              // "## Title", underlined
)

// heading is one recognised heading.
type heading struct {
	title string
	level int
	line  int // of its first line
	lines int // 1, or 2 where it is underlined
	rest  string
	known bool // a title of the template
	form  strength
}

// maxHeading is the longest line that can be a heading, in bytes.
const maxHeading = 240

func headings(lines []line) []heading {
	var all []heading
	clear := map[string]bool{}
	blank := true // the line before
	for i := 0; i < len(lines); i++ {
		next := ""
		if i+1 < len(lines) && !lines[i+1].code {
			next = lines[i+1].text
		}
		if lines[i].code {
			blank = false
			continue
		}
		h := parseHeading(lines[i].text, next, blank)
		blank = strings.TrimSpace(lines[i].text) == ""
		if h.form == notHeading {
			continue
		}
		h.line = i
		i += h.lines - 1
		if h.known && h.form > perhaps {
			clear[h.title] = true
		}
		all = append(all, h)
	}
	kept := all[:0]
	for _, h := range all {
		if h.form == perhaps && clear[h.title] {
			continue
		}
		kept = append(kept, h)
	}
	return kept
}

func parseHeading(text, next string, blank bool) heading {
	s := strings.TrimRight(text, " \t")
	indent := len(s) - len(strings.TrimLeft(s, " "))
	s = s[indent:]
	if s == "" || indent > 3 || s[0] == '\t' || len(s) > maxHeading {
		return heading{}
	}
	if h := hashHeading(s); h.form != notHeading {
		return h
	}
	if level := underline(next); level > 0 && !isItem(s) && s[0] != '>' && s[0] != '|' && underline(s) == 0 {
		title, rest, known := titleOf(s, true)
		_, _, item := stepNumber(s)
		if known || blank && !item && title != "" {
			return heading{title: title, level: level, lines: 2, rest: rest, known: known, form: marked}
		}
	}
	title, rest, known := titleOf(s, isBold(s))
	if !known {
		return heading{}
	}
	h := heading{title: title, lines: 1, rest: rest, known: true, form: plainLine}
	switch {
	case isBold(s):
		h.form = boldLine
	case rest != "" || s[0] >= '0' && s[0] <= '9' || strings.Contains(s, "("):
		h.form = perhaps
	}
	return h
}

// hashHeading is "## Title ##".
func hashHeading(s string) heading {
	level := 0
	for level < len(s) && s[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level == len(s) || s[level] != ' ' && s[level] != '\t' {
		return heading{}
	}
	title, rest, known := titleOf(strings.TrimRight(strings.TrimSpace(s[level:]), "#"), true)
	return heading{title: title, level: level, lines: 1, rest: rest, known: known, form: marked}
}

// underline is 1 for a line of =, 2 for one of -, else 0.
func underline(s string) int {
	s = strings.TrimSpace(s)
	switch {
	case len(s) < 3:
	case strings.Trim(s, "=") == "":
		return 1
	case strings.Trim(s, "-") == "":
		return 2
	}
	return 0
}

// isItem reports a bullet, which is no heading whatever stands in it.
func isItem(s string) bool {
	return len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && (s[1] == ' ' || s[1] == '\t')
}

// isBold reports whether a line starts with bold text, a number before it left
// aside.
func isBold(s string) bool {
	s = strings.TrimLeft(s, "0123456789.)( ")
	return strings.HasPrefix(s, "**") || strings.HasPrefix(s, "__")
}

// titleOf takes a heading's words apart: a title of the template with what
// stands behind it on the line, or the whole line as the title.
func titleOf(s string, hints bool) (title, rest string, known bool) {
	if s == "" || isItem(s) || s[0] == '>' {
		return "", "", false
	}
	bare := strings.TrimLeft(s, "0123456789.)(§-–:*_\"'` \t")
	for _, h := range Template() {
		if len(bare) < len(h.Title) || !strings.EqualFold(bare[:len(h.Title)], h.Title) {
			continue
		}
		after := bare[len(h.Title):]
		tail := strings.TrimLeft(after, "*_\"'` \t")
		switch {
		case tail == "" || strings.Trim(tail, ":.*_ \t#") == "":
			return h.Title, "", true
		case tail[0] == ':':
			return h.Title, strings.TrimLeft(tail, ":*_ \t"), true
		case tail[0] == '(' && strings.HasSuffix(strings.TrimRight(tail, ":*_ \t"), ")"):
			return h.Title, "", true
		case hints && (tail[0] == '(' || strings.HasPrefix(tail, "—") || strings.HasPrefix(tail, "–") || strings.HasPrefix(tail, "- ")):
			if tail[0] == '(' {
				if _, behind, closed := strings.Cut(tail, ")"); closed {
					return h.Title, strings.TrimLeft(behind, ":*_ \t"), true
				}
			}
			return h.Title, "", true
		}
	}
	return strings.Trim(bare, ":*_\"'` \t"), "", false
}

// plainTitle is a title for comparison.
func plainTitle(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

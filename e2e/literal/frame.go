package literal

import "strings"

// Frame is stored text between its two marks.
type Frame struct {
	Mark string
	What string
	Body string
}

// split parts a text into what we wrote and what is framed. A frame that does
// not end as it began fails the story.
func split(f Failer, what, text string) (own string, frames []Frame) {
	f.Helper()
	lines, framed, frames := scan(f, what, text)
	var ours []string
	for i, l := range lines {
		if !framed[i] {
			ours = append(ours, l)
		}
	}
	return strings.Join(ours, "\n"), frames
}

// mask returns a text of the same length in which nothing is framed: positions
// in it are positions in the text.
func mask(f Failer, what, text string) string {
	f.Helper()
	lines, framed, _ := scan(f, what, text)
	for i, l := range lines {
		if framed[i] {
			lines[i] = strings.Repeat("\x00", len(l))
		}
	}
	return strings.Join(lines, "\n")
}

// scan returns the lines of a text, which of them belong to frames, and these.
func scan(f Failer, what, text string) (lines []string, framed []bool, frames []Frame) {
	f.Helper()
	lines = strings.Split(text, "\n")
	framed = make([]bool, len(lines))
	for i := 0; i < len(lines); i++ {
		open := openPattern.FindStringSubmatch(lines[i])
		if open == nil {
			if closePattern.MatchString(lines[i]) {
				f.Fatalf("%s: the closing line %q has no opening line", what, lines[i])
			}
			continue
		}
		indent, frame := open[1], Frame{Mark: open[2], What: open[3]}
		var body []string
		framed[i] = true
		for i++; i < len(lines) && lines[i] != indent+frame.Mark+">>>"; i++ {
			body = append(body, strings.TrimPrefix(lines[i], indent))
			framed[i] = true
		}
		if i == len(lines) {
			f.Fatalf("%s: the frame %q has no closing line %s>>>", what, open[0], frame.Mark)
		}
		framed[i] = true
		frame.Body = strings.Join(body, "\n")
		frames = append(frames, frame)
	}
	return lines, framed, frames
}

// ceiling checks that a view says what its marks are and what framed text is
// worth, and that all its frames have that mark.
func ceiling(f Failer, what, own string, frames []Frame) {
	f.Helper()
	marks := marksPattern.FindStringSubmatch(own)
	if marks == nil {
		f.Fatalf("%s: it does not say what its marks are:\n%s", what, own)
	}
	if !ceilingPattern.MatchString(own) {
		f.Fatalf("%s: it does not say what the notes are worth:\n%s", what, own)
	}
	for _, frame := range frames {
		if frame.Mark != marks[1] {
			f.Fatalf("%s: a frame has the mark %s, but the view says %s", what, frame.Mark, marks[1])
		}
	}
}

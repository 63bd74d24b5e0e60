package literal

// Refusal is what a model takes from a refused call.
type Refusal struct {
	Cause string
	Text  string
}

// ReadRefusal reads the only refusal in a text.
func ReadRefusal(f Failer, text string) Refusal {
	f.Helper()
	rest, cause := from(f, wordRefused, text)
	if cause == "" {
		f.Fatalf("refusal: no cause: %s", rest)
	}
	return Refusal{Cause: cause, Text: rest}
}

// Closed is what a model takes from a text about an agent that handed over: its
// denied calls, a message to it, its later hand-backs.
type Closed struct {
	ID     string
	Line   string // the line to report
	Reader Call
	Text   string
}

// ReadClosed reads the only such text.
func ReadClosed(f Failer, text string) Closed {
	f.Helper()
	rest, _ := from(f, wordClosed, text)
	c := Closed{Line: line(rest), Text: rest}
	ids := idPattern.FindStringSubmatch(c.Line)
	if ids == nil {
		f.Fatalf("closed: no id in %q", c.Line)
	}
	c.ID = ids[0]
	c.Reader = theCall(f, "closed", "read "+c.ID, c.Line, reads(c.ID, false))
	return c
}

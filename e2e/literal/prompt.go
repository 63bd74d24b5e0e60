package literal

// Prompt is a successor's prompt.
type Prompt struct {
	ID   string
	Line string // the whole line
	Read Call   // the full read it asks for

	load *Call
}

// ReadPrompt reads the only successor's prompt in a text: a parent's view, or
// the first user message of the successor itself.
func ReadPrompt(f Failer, text string) Prompt {
	f.Helper()
	own, _ := split(f, "successor's prompt", text)
	found := promptPattern.FindAllStringSubmatch(own, -1)
	if len(found) != 1 {
		f.Fatalf("successor's prompt: %d lines, want 1, in:\n%s", len(found), text)
	}
	p := Prompt{ID: found[0][2], Line: found[0][1]}
	p.Read = theCall(f, "successor's prompt", "read "+p.ID+" in full", p.Line, reads(p.ID, true))
	for _, c := range calls(f, "successor's prompt", p.Line) {
		if !loads(c) {
			continue
		}
		if c.Loads() != p.Read.Name {
			f.Fatalf("successor's prompt: it loads %q, but reads with %q", c.Loads(), p.Read.Name)
		}
		p.load = &c
	}
	return p
}

// Load returns the call that loads the reader; a prompt without one fails.
func (p Prompt) Load(f Failer) Call {
	f.Helper()
	if p.load == nil {
		f.Fatalf("successor's prompt: it does not say how to load the reader: %s", p.Line)
	}
	return *p.load
}

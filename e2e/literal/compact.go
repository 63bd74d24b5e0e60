package literal

import (
	"strconv"
	"strings"
)

// Compact is what a parent takes from the compact view.
type Compact struct {
	ID        string
	Prompt    Prompt
	AgentType string // "" if unknown
	Model     string // "" if there was no override
	ModelSeen bool   // false if the model is unknown
	Isolation string // "" if none is asked for
	Add       string // what to add after the prompt, "" if nothing
	Frames    []Frame
	Own       string // the text outside of frames
}

// ReadCompact reads the only compact view in a text.
func ReadCompact(f Failer, text string) Compact {
	f.Helper()
	rest, says := from(f, wordRead, text)
	m := compactPattern.FindStringSubmatch(says)
	if m == nil {
		f.Fatalf("compact view: its first line says %q", says)
	}
	own, frames := split(f, "compact view", rest)
	ceiling(f, "compact view", own, frames)
	c := Compact{ID: m[1], Frames: frames, Own: own, Prompt: ReadPrompt(f, own)}
	if c.Prompt.ID != c.ID {
		f.Fatalf("compact view: it is of %s, but its prompt continues %s", c.ID, c.Prompt.ID)
	}
	agentType := typePattern.FindStringSubmatch(own)
	model := modelPattern.FindStringSubmatch(own)
	if agentType == nil || model == nil {
		f.Fatalf("compact view: it does not say which agent type and model to start:\n%s", own)
	}
	c.AgentType = unquote(f, agentType[1])
	c.ModelSeen = !strings.HasPrefix(model[1], "unknown")
	if model[1] != "no override" {
		c.Model = unquote(f, model[1])
	}
	if m := isolationPattern.FindStringSubmatch(own); m != nil {
		c.Isolation = m[1]
	}
	if m := addPattern.FindStringSubmatch(own); m != nil {
		c.Add = m[1]
	}
	return c
}

// Excerpt returns the framed excerpt whose description starts with a title.
func (c Compact) Excerpt(f Failer, title string) string {
	f.Helper()
	for _, frame := range c.Frames {
		if strings.HasPrefix(frame.What, title) {
			return frame.Body
		}
	}
	f.Fatalf("compact view: no excerpt %q", title)
	return ""
}

// unquote reads a quoted name, or "" for one that is unknown.
func unquote(f Failer, s string) string {
	f.Helper()
	if strings.HasPrefix(s, "unknown") {
		return ""
	}
	name, err := strconv.Unquote(s)
	if err != nil {
		f.Fatalf("compact view: %s is no quoted name", s)
	}
	return name
}

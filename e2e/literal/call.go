package literal

import (
	"encoding/json"
	"strings"

	"github.com/auto-context-handover/handover/e2e/model"
)

// Call is a tool call as a text spells it.
type Call struct {
	Name  string
	Input json.RawMessage // exactly the text's bytes
}

// Answer is the model's answer that makes the call, byte for byte.
func (c Call) Answer() model.Answer { return model.ToolUse(c.Name, c.Input) }

// Arguments returns the call's arguments.
func (c Call) Arguments() map[string]any {
	var in map[string]any
	_ = json.Unmarshal(c.Input, &in) // calls only holds what is an object
	return in
}

// Loads returns the tool that the call loads, "" if it loads none.
func (c Call) Loads() string {
	query, _ := c.Arguments()["query"].(string)
	if m := selectPattern.FindStringSubmatch(query); m != nil {
		return m[1]
	}
	return ""
}

// calls returns the calls in backticks of our own text, in order. One that does
// not end as it should fails the story.
func calls(f Failer, what, own string) []Call {
	f.Helper()
	var found []Call
	for _, m := range callPattern.FindAllStringSubmatchIndex(own, -1) {
		rest := own[m[1]-1:] // from the brace on
		decoder := json.NewDecoder(strings.NewReader(rest))
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			f.Fatalf("%s: the arguments of a call are not JSON (%v): %s", what, err, line(own[m[0]:]))
		}
		if !strings.HasPrefix(rest[decoder.InputOffset():], ")`") {
			f.Fatalf("%s: a call does not end with ) and a backtick: %s", what, line(own[m[0]:]))
		}
		found = append(found, Call{Name: own[m[2]:m[3]], Input: raw})
	}
	return found
}

// theCall returns the only call that accept accepts.
func theCall(f Failer, what, kind, own string, accept func(Call) bool) Call {
	f.Helper()
	var found []Call
	for _, c := range calls(f, what, own) {
		if accept(c) {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		f.Fatalf("%s: %d calls that %s, want 1:\n%s", what, len(found), kind, own)
	}
	return found[0]
}

// reads says whether a call reads that id.
func reads(id string, full bool) func(Call) bool {
	return func(c Call) bool {
		in := c.Arguments()
		isFull, _ := in["full"].(bool)
		return in["id"] == id && isFull == full
	}
}

// loads says whether a call loads a tool.
func loads(c Call) bool { return c.Loads() != "" }

func line(text string) string {
	l, _, _ := strings.Cut(text, "\n")
	return l
}

package model

import (
	"fmt"
	"slices"
	"strings"
)

// Turn is one request that a conversation of the script has to answer.
type Turn struct {
	Request *Request
	Index   int // position among the requests of this actor, from 0
	Actor   int // position of this actor among those of the conversation, from 0

	// Of is the conversation that a side request is about: the one whose
	// session and agent the summariser or classifier works for. nil if the
	// host does not say.
	Of *Conversation

	before map[string]int // blocks of this actor's last request, counted
}

// stopped ends a conversation's function after Fatalf.
type stopped struct{ message string }

// Helper is there so that a Turn serves where a testing.TB is asked for.
func (t *Turn) Helper() {}

// Fatalf fails the story and ends this answer: the host gets an error, now and
// for every later request, and so stops soon.
func (t *Turn) Fatalf(format string, args ...any) {
	panic(stopped{fmt.Sprintf(format, args...)})
}

// Result is the result of a tool call, as the model is shown it.
type Result struct {
	ID    string // of the call
	Name  string // of the tool; "" if the call is not in the request
	Text  string
	Error bool
	Refs  []string // tools that the result loads by name
}

// LastToolResults returns the tool results that came after the model's last
// answer, in order.
func (t *Turn) LastToolResults() []Result {
	names := map[string]string{}
	var results []Result
	for _, m := range t.Request.Messages {
		if m.Role == "assistant" {
			results = nil
		}
		for _, p := range m.Parts {
			switch p.Kind {
			case PartCall:
				names[p.ID] = p.Name
			case PartResult:
				results = append(results, Result{p.ID, names[p.ID], p.Text, p.Error, p.Refs})
			}
		}
	}
	return results
}

// LastToolResult returns the only tool result since the model's last answer and
// fails the story if there is another number of them.
func (t *Turn) LastToolResult() Result {
	results := t.LastToolResults()
	if len(results) != 1 {
		t.Fatalf("%s request %d: %d tool results since the last answer, want 1", t.Request.Conversation, t.Index, len(results))
	}
	return results[0]
}

// NewSystemText returns what the host itself told the model since this actor's
// last request: text in messages of role "system" (or "developer") and in the
// system-reminder elements of user messages and at the end of tool results,
// joined by empty lines. The system prompt, what tools answered and what a person
// or a parent wrote are not part of it.
func (t *Turn) NewSystemText() string {
	var texts []string
	t.eachNew(func(role string, p Part) { texts = append(texts, hostWords(role, p)...) })
	return strings.Join(texts, "\n\n")
}

// SystemText returns all that the host itself told the model in the request's
// messages; see [Turn.NewSystemText].
func (r *Request) SystemText() string {
	var texts []string
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			texts = append(texts, hostWords(m.Role, p)...)
		}
	}
	return strings.Join(texts, "\n\n")
}

// hostWords returns what of a block the host itself says.
func hostWords(role string, p Part) []string {
	switch {
	case p.Kind == PartResult:
		return reminders(tail(p.Text))
	case p.Kind != PartText:
	case role == "system" || role == "developer":
		return []string{p.Text}
	case role == "user":
		return reminders(p.Text)
	}
	return nil
}

// NewText returns all text that is new since this actor's last request, tool
// results too, but not the model's own answers.
func (t *Turn) NewText() string {
	var texts []string
	t.eachNew(func(role string, p Part) {
		if role != "assistant" && (p.Kind == PartText || p.Kind == PartResult) {
			texts = append(texts, p.Text)
		}
	})
	return strings.Join(texts, "\n\n")
}

// AllText returns every text of the request's messages, tool results and the
// text of tool calls too, but not the system prompt.
func (t *Turn) AllText() string { return t.Request.AllText() }

// Tools returns the names of the tools that the model can call: those that the
// request offers loaded, and the deferred ones that a result has loaded since.
func (t *Turn) Tools() []string {
	loaded := map[string]bool{}
	for _, m := range t.Request.Messages {
		for _, p := range m.Parts {
			for _, name := range p.Refs {
				loaded[name] = true
			}
		}
	}
	var names []string
	for _, tool := range t.Request.Tools {
		if !tool.Deferred || loaded[tool.Name] {
			names = append(names, tool.Name)
		}
	}
	return names
}

// CanCall says whether the model can call the tool of that exact name.
func (t *Turn) CanCall(name string) bool { return slices.Contains(t.Tools(), name) }

// eachNew calls f for every block that this actor's last request did not have.
// Blocks are compared by content, so text that a host puts into older history
// counts as new, and history that it drops changes nothing.
func (t *Turn) eachNew(f func(role string, p Part)) {
	left := make(map[string]int, len(t.before))
	for k, n := range t.before {
		left[k] = n
	}
	for _, m := range t.Request.Messages {
		for _, p := range m.Parts {
			k := blockKey(m.Role, p)
			if left[k] > 0 {
				left[k]--
				continue
			}
			f(m.Role, p)
		}
	}
}

// blocks counts the blocks of a request, for the next Turn of its actor.
func blocks(r *Request) map[string]int {
	count := map[string]int{}
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			count[blockKey(m.Role, p)]++
		}
	}
	return count
}

func blockKey(role string, p Part) string {
	if p.Kind == PartOther {
		return role + "\x00" + string(p.Raw)
	}
	return fmt.Sprintf("%s\x00%d\x00%s\x00%s\x00%s", role, p.Kind, p.ID, p.Name, p.Text)
}

// AllText returns every text of the request's messages; see [Turn.AllText].
func (r *Request) AllText() string {
	var texts []string
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			switch p.Kind {
			case PartText, PartResult:
				texts = append(texts, p.Text)
			case PartCall:
				texts = append(texts, p.Name+"("+string(p.Input)+")")
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// The element in which hosts put their own words.
const (
	open = "<system-reminder>"
	end  = "</system-reminder>"
)

// tail returns the system-reminder elements behind what a tool answered, each
// after an empty line: that is where a host adds its words for models that know
// no system messages.
func tail(text string) string {
	from := len(text)
	for {
		before := strings.TrimRight(text[:from], " \t\r\n")
		at := strings.LastIndex(before, open)
		if !strings.HasSuffix(before, end) || at < 0 || !strings.HasSuffix(before[:at], "\n\n") {
			return text[from:]
		}
		from = at
	}
}

// reminders returns the insides of the system-reminder elements of a text.
func reminders(text string) []string {
	var found []string
	for {
		_, rest, ok := strings.Cut(text, open)
		if !ok {
			return found
		}
		inside, rest, ok := strings.Cut(rest, end)
		found = append(found, strings.TrimSpace(inside))
		if !ok {
			return found
		}
		text = rest
	}
}

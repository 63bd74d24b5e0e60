package model

import (
	"encoding/json"
	"time"
)

// Answer is what the scripted model does about one request: blocks of text and
// tool calls, or a failure. The zero Answer is an empty turn. The methods
// return a changed copy, so they chain:
//
//	model.Text("Looking.").Then(model.ToolUse("Bash", in)).Using(model.Usage{Input: 5000})
type Answer struct {
	Blocks []Block
	Usage  *Usage // nil: the script's default

	NoUsage  bool            // leave every usage field out
	Delay    time.Duration   // before the first byte
	Event    <-chan struct{} // not before it is closed; nil: at once
	Gap      time.Duration   // between blocks of a streamed answer
	Status   int             // other than 0 and 200: fail with it and ErrorBody
	Error    string          // body of a failure, as is
	Unlisted bool            // tool calls may name tools that the model was not offered
	CutAfter int             // over 0: end the connection after that many stream events
}

// Block is one block of an answer: a tool call if Name is set, else text.
type Block struct {
	Text  string
	Name  string
	Input json.RawMessage // arguments, sent as they are
	ID    string          // "": the server makes one up
}

// Text answers with a text and ends the turn.
func Text(text string) Answer {
	return Answer{Blocks: []Block{{Text: text}}}
}

// ToolUse answers with a tool call. The input is raw JSON if it is a
// json.RawMessage, else it is marshalled; a value that cannot be is a mistake in
// the story and panics.
func ToolUse(name string, input any) Answer {
	raw, ok := input.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(input); err != nil {
			panic("model: input of " + name + ": " + err.Error())
		}
	}
	return Answer{Blocks: []Block{{Name: name, Input: raw}}}
}

// Fail answers with an HTTP error: its status and its body as is.
func Fail(status int, body string) Answer {
	return Answer{Status: status, Error: body}
}

// Then appends the blocks of other answers: several tool calls in one answer.
func (a Answer) Then(others ...Answer) Answer {
	blocks := append([]Block(nil), a.Blocks...)
	for _, o := range others {
		blocks = append(blocks, o.Blocks...)
	}
	a.Blocks = blocks
	return a
}

// Using sets the usage that is reported with the answer.
func (a Answer) Using(u Usage) Answer {
	a.Usage = &u
	return a
}

// WithoutUsage leaves all usage out of the answer.
func (a Answer) WithoutUsage() Answer {
	a.NoUsage = true
	return a
}

// WithID sets the id of the last tool call of the answer, for a provider that
// uses an id twice.
func (a Answer) WithID(id string) Answer {
	blocks := append([]Block(nil), a.Blocks...)
	for i := len(blocks) - 1; i >= 0; i-- {
		if blocks[i].Name != "" {
			blocks[i].ID = id
			a.Blocks = blocks
			return a
		}
	}
	panic("model: WithID on an answer without a tool call")
}

// After waits before the first byte.
func (a Answer) After(d time.Duration) Answer {
	a.Delay = d
	return a
}

// When waits for a channel to be closed before the first byte.
func (a Answer) When(event <-chan struct{}) Answer {
	a.Event = event
	return a
}

// Spread waits between the blocks of a streamed answer.
func (a Answer) Spread(d time.Duration) Answer {
	a.Gap = d
	return a
}

// Cut ends the connection after that many events of a streamed answer.
func (a Answer) Cut(events int) Answer {
	a.CutAfter = events
	return a
}

// Unchecked lets the answer call tools that the model was not offered, or that
// are not loaded; else that fails the story.
func (a Answer) Unchecked() Answer {
	a.Unlisted = true
	return a
}

// Calls says whether the answer has a tool call.
func (a Answer) Calls() bool {
	for _, b := range a.Blocks {
		if b.Name != "" {
			return true
		}
	}
	return false
}

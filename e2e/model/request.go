package model

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Request is one request of a host as the server received it. Everything but
// Reply is complete before the script sees it and never changes afterwards.
type Request struct {
	Seq    int       // position among all requests of the server, from 0
	At     time.Time // when the body was complete
	Method string
	Path   string // with the query
	Header http.Header
	Body   []byte // as sent
	Use    Use

	Model     string
	Stream    bool
	MaxTokens int
	System    string // the system prompt; blocks joined by empty lines
	Tools     []Tool
	Messages  []Message

	Origin       Origin
	Conversation string // name of the conversation that answered; "" if none did
	Reply        *Reply // nil until the answer has been written
}

// Use says what a request wants from the server.
type Use int

const (
	UseProbe  Use = iota // anything that is no model request
	UseAnswer            // the next answer of a conversation
	UseCount             // only the number of tokens
)

// Reply is what the server did about a request.
type Reply struct {
	At     time.Time // when the last byte was written
	Status int       // 0 if the connection ended before a status was sent
	Answer *Answer   // nil for probes and counts
	Usage  *Usage    // as sent; nil if none was
}

// Tool is a tool that a request offers.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Deferred    bool // named, but not loaded
}

// Message is one entry of a conversation.
type Message struct {
	Role  string // "user", "assistant", "system", "tool" as the API spells it
	Parts []Part
}

// Part is one block of a message. Which fields are set depends on Kind.
type Part struct {
	Kind  PartKind
	Text  string          // PartText; for PartResult the joined text of the result
	ID    string          // PartCall: its id; PartResult: the id of its call
	Name  string          // PartCall: the tool
	Input json.RawMessage // PartCall: its arguments as sent
	Error bool            // PartResult: marked as an error
	Refs  []string        // PartResult: tools that the result loads by name
	Raw   json.RawMessage // the block as sent
}

// PartKind says what a block is.
type PartKind int

const (
	PartOther PartKind = iota // thinking, images and whatever else: only Raw is set
	PartText
	PartCall
	PartResult
)

// Text returns the text blocks of a message, joined by newlines.
func (m Message) Text() string {
	var texts []string
	for _, p := range m.Parts {
		if p.Kind == PartText {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// FirstUser returns the text of the first user message, "" if there is none.
func (r *Request) FirstUser() string {
	for _, m := range r.Messages {
		if m.Role == "user" {
			return m.Text()
		}
	}
	return ""
}

// LastUser returns the text of the last user message, "" if there is none.
func (r *Request) LastUser() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Text()
		}
	}
	return ""
}

// Tool returns the offered tool of that exact name.
func (r *Request) Tool(name string) (Tool, bool) {
	for _, t := range r.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

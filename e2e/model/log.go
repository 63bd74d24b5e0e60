package model

import (
	"fmt"
	"strings"
	"sync"
)

// Log holds every request of a server in order of arrival. It may be read while
// the host runs.
type Log struct {
	mu       sync.Mutex
	requests []*Request
}

// All returns the requests so far, as copies that change no more.
func (l *Log) All() []*Request { return l.Where(func(*Request) bool { return true }) }

// Where returns those of the requests so far that keep accepts.
func (l *Log) Where(keep func(*Request) bool) []*Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []*Request
	for _, r := range l.requests {
		if c := *r; keep(&c) {
			found = append(found, &c)
		}
	}
	return found
}

// String returns one line for each request.
func (l *Log) String() string {
	var b strings.Builder
	for _, r := range l.All() {
		fmt.Fprintf(&b, "#%d %s %s", r.Seq, r.Method, r.Path)
		if r.Use != UseProbe {
			fmt.Fprintf(&b, " %s(%s) agent=%q messages=%d bytes=%d", r.Conversation, r.Origin.Kind, r.Origin.Agent, len(r.Messages), len(r.Body))
		}
		switch {
		case r.Reply == nil:
			b.WriteString(" -> no reply")
		case r.Reply.Answer == nil || r.Reply.Status != 200:
			fmt.Fprintf(&b, " -> %d", r.Reply.Status)
		default:
			fmt.Fprintf(&b, " -> %s", r.Reply.Answer)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// String returns an answer in short, for logs.
func (a Answer) String() string {
	var parts []string
	for _, b := range a.Blocks {
		if b.Name != "" {
			parts = append(parts, b.Name+"("+short(string(b.Input))+")")
		} else {
			parts = append(parts, fmt.Sprintf("%q", short(b.Text)))
		}
	}
	return strings.Join(parts, " + ")
}

func short(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

func (l *Log) add(r *Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Seq = len(l.requests)
	l.requests = append(l.requests, r)
}

func (l *Log) name(r *Request, origin Origin, conversation string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Origin, r.Conversation = origin, conversation
}

func (l *Log) reply(r *Request, reply *Reply) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Reply = reply
}

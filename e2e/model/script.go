package model

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// Host is what a script must know about the host program that asks.
type Host struct {
	Profile Profile
	// Side answers a side request that the story says nothing about. Its
	// Turn has no earlier requests.
	Side func(*Turn) Answer
}

// Script is a story's part for the model: who may ask and what is answered. A
// request that nobody of the script accepts fails the story.
type Script struct {
	Usage Usage              // reported with answers that set none
	Count func(*Request) int // answers a count request; nil: bytes of the body / 4
	// Alter may change what a conversation's function is shown of a request,
	// once it is known whose it is: a story must notice. The log keeps the
	// request as it was sent.
	Alter func(*Request)

	tb   testing.TB
	host Host
	log  *Log

	mu     sync.Mutex
	all    []*Conversation
	bound  map[Origin]*Conversation
	failed string
}

// NewScript returns an empty script for one host. What goes wrong while it runs
// is reported to tb; the log of requests goes to the log of a test that failed.
func NewScript(tb testing.TB, host Host) *Script {
	s := &Script{
		Usage: Usage{Input: 1000, Output: 50},
		tb:    tb,
		host:  host,
		log:   &Log{},
		bound: map[Origin]*Conversation{},
	}
	tb.Cleanup(s.finish)
	return s
}

// Log returns the log of all requests.
func (s *Script) Log() *Log { return s.log }

// Main returns the main agent's conversation. With markers it is only the main
// agent whose first user message contains one of them; without, any other.
func (s *Script) Main(markers ...string) *Conversation {
	return s.add(&Conversation{name: named("main", markers), kind: KindMain, markers: markers})
}

// Agent returns the conversation of the subagents whose spawn prompt contains
// one of the markers; without markers, of any other subagent.
func (s *Script) Agent(markers ...string) *Conversation {
	return s.add(&Conversation{name: named("agent", markers), kind: KindAgent, markers: markers})
}

// Side returns the conversation of all side requests of a kind.
func (s *Script) Side(kind Kind) *Conversation {
	return s.add(&Conversation{name: string(kind), kind: kind})
}

// Match returns a conversation for the requests that match accepts. It goes
// before all others.
func (s *Script) Match(name string, match func(*Request) bool) *Conversation {
	return s.add(&Conversation{name: name, match: match})
}

func named(kind string, markers []string) string {
	if len(markers) == 0 {
		return kind
	}
	return kind + " " + strings.Join(markers, "|")
}

func (s *Script) add(c *Conversation) *Conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.all {
		if other.name == c.name {
			s.tb.Fatalf("model: the script already has a conversation %q", c.name)
		}
	}
	c.script = s
	s.all = append(s.all, c)
	return c
}

// reply asks the script for the answer to a request.
func (s *Script) reply(r *Request) (a Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			a = s.fail(p.message)
		default:
			a = s.fail(fmt.Sprintf("the script panicked: %v\n%s", p, debug.Stack()))
		}
	}()
	origin := s.host.Profile(r)
	s.log.name(r, origin, "")
	if s.failed != "" {
		return failure(s.failed)
	}
	c, problem := s.find(r)
	if problem != "" {
		return s.fail(problem)
	}
	if c == nil {
		s.log.name(r, origin, string(origin.Kind))
		return s.host.Side(&Turn{Request: r, Of: s.owner(origin)})
	}
	s.log.name(r, origin, c.name)
	if c.answer == nil {
		return s.fail(c.name + ": a request, but the story gives it no answer")
	}
	who, n := c.actor(r)
	shown := s.shown(r)
	t := &Turn{Request: shown, Index: who.asked, Actor: n, before: who.before}
	if !origin.loop() {
		t.Of = s.owner(origin)
	}
	who.asked++
	who.before = blocks(shown)
	a = c.answer(t)
	for _, b := range a.Blocks {
		if b.Name != "" && !a.Unlisted && !t.CanCall(b.Name) {
			return s.fail(fmt.Sprintf("%s request %d: the story calls %s, which the model cannot call; it has %q", c.name, t.Index, b.Name, t.Tools()))
		}
	}
	return a
}

// shown returns a request as the story's function sees it.
func (s *Script) shown(r *Request) *Request {
	if s.Alter == nil {
		return r
	}
	c := *r
	c.Messages = nil
	for _, m := range r.Messages {
		m.Parts = append([]Part(nil), m.Parts...)
		c.Messages = append(c.Messages, m)
	}
	s.Alter(&c)
	return &c
}

// AlterText is an Alter that changes every text block and tool result.
func AlterText(change func(string) string) func(*Request) {
	return func(r *Request) {
		for _, m := range r.Messages {
			for i, p := range m.Parts {
				if p.Kind == PartText || p.Kind == PartResult {
					m.Parts[i].Text = change(p.Text)
				}
			}
		}
	}
}

// find returns the conversation of a request; nil for a side request that the
// story says nothing about; or what is wrong.
func (s *Script) find(r *Request) (*Conversation, string) {
	for _, c := range s.all {
		if c.match != nil && c.match(r) {
			return c, ""
		}
	}
	o := r.Origin
	if !o.loop() {
		for _, c := range s.all {
			if c.match == nil && c.kind == o.Kind {
				return c, ""
			}
		}
		if s.host.Side == nil {
			return nil, fmt.Sprintf("request %d: no answer for a %s request", r.Seq, o.Kind)
		}
		return nil, ""
	}
	if c := s.bound[o]; c != nil && o.named() {
		return c, ""
	}
	var found []*Conversation
	var rest *Conversation
	for _, c := range s.all {
		switch {
		case c.match != nil || !o.is(c.kind):
		case len(c.markers) == 0:
			if rest == nil || c.kind == KindMain {
				rest = c
			}
		case c.accepts(r):
			found = append(found, c)
		}
	}
	switch {
	case len(found) > 1:
		return nil, fmt.Sprintf("request %d: its first user message has the markers of both %q and %q", r.Seq, found[0].name, found[1].name)
	case len(found) == 1:
		rest = found[0]
	case rest == nil:
		return nil, fmt.Sprintf("request %d: nobody in the story is this %s; its first user message: %s", r.Seq, o.Kind, short(r.FirstUser()))
	}
	s.bound[o] = rest
	return rest, ""
}

// owner returns the conversation that an origin's side request works for.
func (s *Script) owner(o Origin) *Conversation {
	for bound, c := range s.bound {
		if bound.Session == o.Session && bound.Agent == o.Agent {
			return c
		}
	}
	return nil
}

// fail reports a mistake once and makes every answer from now on an error.
func (s *Script) fail(message string) Answer {
	if s.failed == "" {
		s.failed = message
		s.tb.Errorf("%s", message)
	}
	return failure(s.failed)
}

// finish reports the steps that were never asked for.
func (s *Script) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tb.Failed() {
		s.unasked()
	}
	if s.tb.Failed() {
		s.tb.Logf("requests to the model server:\n%s", s.log)
	}
}

func (s *Script) unasked() {
	for _, c := range s.all {
		if c.steps > 0 && len(c.actors) == 0 {
			s.tb.Errorf("%s: never asked, but the story has %d steps for it", c.name, c.steps)
		}
		for _, a := range c.actors {
			if c.steps > 0 && a.asked < c.steps {
				s.tb.Errorf("%s: asked %d times, but the story has %d steps for it", c.name, a.asked, c.steps)
			}
		}
	}
}

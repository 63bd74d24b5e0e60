package model

import "strings"

// Conversation is one speaker of a script: the main agent, the subagents with a
// certain spawn prompt, or the side requests of one kind. Its function is asked
// for every answer. Functions of one script never run at the same time, so they
// may share variables, and they must not block: for time use [Answer.After],
// for an event [Answer.When].
type Conversation struct {
	script  *Script
	name    string
	kind    Kind
	markers []string
	match   func(*Request) bool
	answer  func(*Turn) Answer
	steps   int // answers that each actor must ask for; 0: any number
	actors  []*actor
}

// actor is one session or subagent within a conversation.
type actor struct {
	key    string
	asked  int
	before map[string]int
}

// Name returns the name that the log shows for this conversation.
func (c *Conversation) Name() string { return c.name }

// Do sets the function that answers.
func (c *Conversation) Do(answer func(*Turn) Answer) *Conversation {
	c.script.mu.Lock()
	defer c.script.mu.Unlock()
	c.answer, c.steps = answer, 0
	return c
}

// Steps sets one function for each request of an actor, in order. One request
// too many fails the story at once, one too few at its end.
func (c *Conversation) Steps(steps ...func(*Turn) Answer) *Conversation {
	c.Do(func(t *Turn) Answer {
		if t.Index >= len(steps) {
			t.Fatalf("%s: request %d, but the story has only %d steps; new text: %s", c.name, t.Index, len(steps), short(t.NewText()))
		}
		return steps[t.Index](t)
	})
	c.script.mu.Lock()
	defer c.script.mu.Unlock()
	c.steps = len(steps)
	return c
}

// Says sets fixed answers, one for each request of an actor, like Steps.
func (c *Conversation) Says(answers ...Answer) *Conversation {
	var steps []func(*Turn) Answer
	for _, a := range answers {
		steps = append(steps, func(*Turn) Answer { return a })
	}
	return c.Steps(steps...)
}

// Requests returns what this conversation was asked so far.
func (c *Conversation) Requests() []*Request {
	return c.script.log.Where(func(r *Request) bool { return r.Conversation == c.name && r.Use == UseAnswer })
}

// Actors returns how many sessions or subagents have spoken as this
// conversation so far.
func (c *Conversation) Actors() int {
	c.script.mu.Lock()
	defer c.script.mu.Unlock()
	return len(c.actors)
}

// accepts says whether a request that no actor is known for belongs here.
func (c *Conversation) accepts(r *Request) bool {
	if c.match != nil {
		return c.match(r)
	}
	first := r.FirstUser()
	for _, m := range c.markers {
		if strings.Contains(first, m) {
			return true
		}
	}
	return false
}

// actor returns the actor of a request and its position, new if need be.
func (c *Conversation) actor(r *Request) (*actor, int) {
	key := r.Origin.Session + "\x00" + r.Origin.Agent
	if r.Origin.Agent == "" && c.kind == KindAgent {
		key += "\x00" + r.FirstUser() // the host does not name its subagents
	}
	for i, a := range c.actors {
		if a.key == key {
			return a, i
		}
	}
	a := &actor{key: key}
	c.actors = append(c.actors, a)
	return a, len(c.actors) - 1
}

//go:build e2e

package claude

import (
	"slices"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// worker is a subagent that works until it is told to hand over. It knows only
// what it was sent.
type worker struct {
	Introduction literal.Introduction
	First        literal.Notice // the first one, with the template
	Last         literal.Notice
	Stored       literal.Stored

	// Quick: its commands end at once, before the host has written down the
	// request they belong to. Else they take as long as that.
	Quick bool

	tokens int // in its context so far
}

// load is one answer of a working agent: how many tokens the provider counts
// for it, and the stage of the notice that must then stand in the next request,
// "" if there must be none.
type load struct {
	tokens int
	notice string
}

// starts checks the first request: an introduction and no notice.
func (w *worker) starts() phase {
	return checks(func(t *model.Turn) {
		w.Introduction = literal.ReadIntroduction(t, t.NewSystemText())
		if literal.HasNotice(t.Request.SystemText()) {
			t.Fatalf("%s: a notice in the first request", t.Request.Conversation)
		}
	})
}

// carried runs commands that fill the context as the loads say and checks after
// each that exactly its notice came, in the very next request, and that the
// notices before it were not said again. A context does not fill up out of
// nothing: a load that is 8,000 tokens or more over the one before it, and
// reaches a stage, may be noticed one request late.
func (w *worker) carried(loads ...load) phase {
	at := 0
	var told []string
	return func(t *model.Turn) (model.Answer, outcome) {
		if at > 0 {
			told = w.expect(t, loads[at-1], told)
		}
		if at == len(loads) {
			return model.Answer{}, passed
		}
		w.tokens = loads[at].tokens
		at++
		command := "sleep 0.2"
		if w.Quick {
			command = "true"
		}
		return w.using(hostrun.ClaudeBash(command)), again
	}
}

// expect checks the notice after a load and returns the stages told so far.
func (w *worker) expect(t *model.Turn, l load, told []string) []string {
	if l.notice != "" {
		n := literal.ReadNotice(t, t.NewSystemText())
		if n.Stage != l.notice || n.Tokens != l.tokens {
			t.Fatalf("after %d tokens: notice of stage %s with %d tokens, want stage %s: %s", l.tokens, n.Stage, n.Tokens, l.notice, n.Text)
		}
		if len(told) == 0 {
			w.First = n
		}
		w.Last = n
		told = append(told, l.notice)
	}
	if got := literal.Stages(t.Request.SystemText()); !slices.Equal(got, told) {
		t.Fatalf("after %d tokens: the request holds the notices %q, want %q", l.tokens, got, told)
	}
	return told
}

// writing makes a handover from what the notice's template asks for.
type writing func(f literal.Failer, n literal.Notice) (handover, summary string)

// drafted writes under the headings of the notice, "none" where nothing is said.
func drafted(says map[string]string, summary string) writing {
	return func(f literal.Failer, n literal.Notice) (string, string) { return n.Draft(f, says), summary }
}

// exactly writes these very bytes.
func exactly(handover, summary string) writing {
	return func(literal.Failer, literal.Notice) (string, string) { return handover, summary }
}

// handsOver does what the notice says: loads the tool if need be, stores, and
// ends with the receipt from the answer, unchanged.
func (w *worker) handsOver(write writing) phase {
	called := false
	return func(t *model.Turn) (model.Answer, outcome) {
		switch {
		case called:
			w.Stored = literal.ReadStored(t, t.LastToolResult().Text)
			return w.using(model.Text(w.Stored.Block)), over
		case !t.CanCall(w.Last.Tool):
			return w.using(w.Last.Load(t).Answer()), again
		}
		called = true
		handover, summary := write(t, w.First)
		return w.using(w.Last.Store(handover, summary)), again
	}
}

// using reports that the answer left the context as full as it was.
func (w *worker) using(a model.Answer) model.Answer { return a.Using(filled(w.tokens)) }

// filled is a usage of so many tokens in all, each counter in use.
func filled(tokens int) model.Usage {
	u := model.Usage{Input: 1200, CacheCreate: 3400, Output: 56}
	u.CacheRead = tokens - u.Total()
	return u
}

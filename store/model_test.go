package store

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// modelCall is one tool call of the model: who makes it, what the host tells
// about it, and what happens to it on its way.
type modelCall struct {
	actor     int
	id        string
	arguments string
	hooks     int // how often the hook runs for it
	sent      int // how often the host dispatches it
	rewritten bool
	// token that the server sees: "", "first" or "second" (of the first or second
	// run of the hook, whichever rewrote the arguments last), "forged".
	token string
}

// binding is how a host's calls are bound.
type binding int

const (
	byCallID binding = iota
	byArguments
	byToken
)

func (b binding) key(c modelCall, arguments string) string {
	switch b {
	case byArguments:
		return ArgumentsKey("qwen", "context_handover", arguments)
	case byToken:
		return ""
	}
	return CapabilityKey("claude", "", c.id)
}

// tokens that a call can arrive with.
func (b binding) tokens(c modelCall) []string {
	all := []string{"", "forged", "first", "second"}
	if b == byArguments {
		return all[:1]
	}
	return all[:2+c.hooks]
}

// modelRun plays one interleaving against the real code.
type modelRun struct {
	t       *testing.T
	binding binding
	calls   [2]modelCall
	store   *Store
	now     time.Time
	tokens  [2][]string
	hooked  [2]bool
	claimed [2]int
}

func (r *modelRun) clock() time.Time {
	r.now = r.now.Add(time.Millisecond)
	return r.now
}

// outcome of one dispatch.
type outcome int

const (
	right outcome = iota
	wrong         // attributed to another actor
	refused
)

func (r *modelRun) hook(i int) {
	c := r.calls[i]
	record := Capability{Version: RecordVersion, Actor: sub(c.actor), Tool: "context_handover", Arguments: c.arguments, Issued: r.clock()}
	if c.token != "" || r.binding == byToken {
		var token string
		token, record.TokenHash = NewToken()
		r.tokens[i] = append(r.tokens[i], token)
	}
	key := r.binding.key(c, c.arguments)
	if key == "" {
		key = CapabilityKey("crush", "", random(4))
	}
	if _, err := r.store.IssueCapability(key, record); err != nil {
		r.t.Fatal(err)
	}
	r.hooked[i] = true
}

func (r *modelRun) dispatch(i int) (outcome, error) {
	c := r.calls[i]
	arguments := c.arguments
	if c.rewritten {
		arguments = "rewritten by another hook"
	}
	q := ClaimQuery{Tool: "context_handover", Arguments: arguments, Now: r.clock()}
	switch c.token {
	case "first":
		q.Token = r.tokens[i][0]
	case "second":
		q.Token = r.tokens[i][1]
	case "forged":
		q.Token, _ = NewToken()
	}
	got, err := r.store.Claim(r.binding.key(c, arguments), q)
	switch {
	case err != nil:
		return refused, err
	case got.Actor != sub(c.actor):
		return wrong, nil
	}
	r.claimed[i]++
	return right, nil
}

// tally counts what came of all runs.
type tally struct {
	runs, dispatches, stored int
	// wrongHooked: attributed to another although both hooks had run for their
	// calls. wrongUnhooked: the caller's own hook had not run.
	wrongHooked, wrongUnhooked int
	// refusedTwin: a first dispatch refused although its hook had run, because
	// the other call has the same key and arguments. refusedOther: for any other
	// reason.
	refusedTwin, refusedOwnTwin, refusedOther int
	twice                                     int
}

func (n *tally) add(o tally) {
	n.runs += o.runs
	n.dispatches += o.dispatches
	n.stored += o.stored
	n.wrongHooked += o.wrongHooked
	n.wrongUnhooked += o.wrongUnhooked
	n.refusedTwin += o.refusedTwin
	n.refusedOwnTwin += o.refusedOwnTwin
	n.refusedOther += o.refusedOther
	n.twice += o.twice
}

// play runs one order of events: a digit per event, the call it belongs to; its
// hooks come before its dispatches.
func (n *tally) play(t *testing.T, b binding, calls [2]modelCall, order []int) {
	r := &modelRun{t: t, binding: b, calls: calls, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	m := newMemory(func() time.Time { return r.now })
	s, err := openStore("/memory", true, m.opener)
	if err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return r.now }
	m.nodes[sweptFile] = &node{mode: 0o600, mtime: r.now}
	r.store = s
	n.runs++
	var seen [2]int
	for _, i := range order {
		c := calls[i]
		if seen[i]++; seen[i] <= c.hooks {
			r.hook(i)
			continue
		}
		n.dispatches++
		got, err := r.dispatch(i)
		other := calls[1-i]
		twin := b.key(c, c.arguments) == b.key(other, other.arguments) && c.arguments == other.arguments
		first := seen[i] == c.hooks+1
		switch {
		case got == right:
			n.stored++
		case got == wrong && r.hooked[0] && r.hooked[1]:
			n.wrongHooked++
			t.Errorf("%v %+v, order %v: attributed to the wrong actor", b, calls, order)
		case got == wrong:
			n.wrongUnhooked++
		case !first || c.hooks == 0 || c.rewritten || b == byToken && c.token == "forged" || b == byToken && c.token == "":
		case twin && c.actor == other.actor:
			n.refusedOwnTwin++
		case twin:
			n.refusedTwin++
		default:
			n.refusedOther++
			t.Errorf("%v %+v, order %v: refused: %v", b, calls, order, err)
		}
	}
	for i, c := range calls {
		twin := c.actor == calls[1-i].actor && b.key(c, c.arguments) == b.key(calls[1-i], calls[1-i].arguments) && c.arguments == calls[1-i].arguments
		// One actor's identical calls cannot be told apart and need not be: their
		// text is stored once.
		if r.claimed[i] > 1 && !(twin && r.claimed[0]+r.claimed[1] <= calls[0].hooks+calls[1].hooks) {
			n.twice++
			t.Errorf("%v %+v, order %v: claimed %v times", b, calls, order, r.claimed)
		}
	}
}

// orders returns every way to mix a events of call 0 with b of call 1.
func orders(a, b int) [][]int {
	if a == 0 && b == 0 {
		return [][]int{nil}
	}
	var all [][]int
	if a > 0 {
		for _, rest := range orders(a-1, b) {
			all = append(all, append([]int{0}, rest...))
		}
	}
	if b > 0 {
		for _, rest := range orders(a, b-1) {
			all = append(all, append([]int{1}, rest...))
		}
	}
	return all
}

// TestEveryInterleaving plays two calls, of one actor or two, with the same or
// different ids and arguments, hooks that run 0, 1 or 2 times, tokens of every
// origin, rewritten arguments, one or two dispatches, in every order. With
// -short, or the race detector, it plays one of 29.
func TestEveryInterleaving(t *testing.T) {
	sparse := testing.Short() || raceDetector
	tallies := make([]tally, runtime.GOMAXPROCS(0))
	var players sync.WaitGroup
	for share := range tallies {
		players.Go(func() {
			run := 0
			everyRun(func(b binding, calls [2]modelCall, order []int) {
				run++
				if run%len(tallies) == share && (!sparse || run/len(tallies)%29 == 0) && !t.Failed() {
					tallies[share].play(t, b, calls, order)
				}
			})
		})
	}
	players.Wait()
	var n tally
	for _, share := range tallies {
		n.add(share)
	}
	t.Logf("%+v", n)
	if n.stored == 0 || n.wrongUnhooked == 0 || n.refusedTwin == 0 {
		t.Error("the model does not reach what it is about")
	}
}

// everyRun gives every binding, pair of calls and order of events.
func everyRun(f func(b binding, calls [2]modelCall, order []int)) {
	for _, b := range []binding{byCallID, byArguments, byToken} {
		forCalls(func(calls [2]modelCall) {
			if b != byCallID && calls[0].id == calls[1].id {
				return // the host does not tell its ids
			}
			for _, calls[0].token = range b.tokens(calls[0]) {
				for _, calls[1].token = range b.tokens(calls[1]) {
					for _, order := range orders(calls[0].hooks+calls[0].sent, calls[1].hooks+calls[1].sent) {
						f(b, calls, order)
					}
				}
			}
		})
	}
}

// forCalls gives every pair of calls but for the tokens.
func forCalls(f func([2]modelCall)) {
	both := []bool{false, true}
	for _, sameActor := range both {
		for _, sameID := range both {
			for _, sameArguments := range both {
				for way := range 3 * 3 * 2 * 2 * 2 {
					a := modelCall{actor: 1, id: "call_0", arguments: "x", hooks: way % 3, sent: 1 + way/9%2}
					b := modelCall{actor: 2, id: "call_1", arguments: "y", hooks: way / 3 % 3, sent: 1 + way/18%2}
					a.rewritten = way/36%2 == 1
					if sameActor {
						b.actor = a.actor
					}
					if sameID {
						b.id = a.id
					}
					if sameArguments {
						b.arguments = a.arguments
					}
					f([2]modelCall{a, b})
				}
			}
		}
	}
}

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
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

// turns runs several functions against one memory, one operation at a time, in
// an order drawn from a seed.
func turns(m *memory, seed uint64, functions ...func()) {
	draw := rand.New(rand.NewPCG(seed, 1))
	type turn struct{ goOn chan struct{} }
	waiting := make(chan turn)
	done := make(chan struct{})
	m.between = func() {
		me := turn{make(chan struct{})}
		waiting <- me
		<-me.goOn
	}
	for _, f := range functions {
		go func() {
			f()
			done <- struct{}{}
		}()
	}
	var ready []turn
	for running := len(functions); running > 0; {
		for len(ready) < running {
			select {
			case w := <-waiting:
				ready = append(ready, w)
			case <-done:
				running--
			}
		}
		if running == 0 {
			break
		}
		i := draw.IntN(len(ready))
		next := ready[i]
		ready = append(ready[:i], ready[i+1:]...)
		close(next.goOn)
	}
	m.between = func() {}
}

// TestClaimedOnceStepByStep lets three servers claim one call with up to three
// records, one file operation at a time.
func TestClaimedOnceStepByStep(t *testing.T) {
	seeds := 4000
	if testing.Short() {
		seeds = 500
	}
	key := CapabilityKey("claude", "", "call")
	for seed := range seeds {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		m := newMemory(func() time.Time { return now })
		s, err := openStore("/memory", true, m.opener)
		if err != nil {
			t.Fatal(err)
		}
		m.nodes[sweptFile] = &node{mode: 0o600, mtime: time.Now()}
		for range 1 + seed%3 {
			r := capability(sub(1), "x")
			r.Issued = now
			if _, err := s.IssueCapability(key, r); err != nil {
				t.Fatal(err)
			}
		}
		var results [3]error
		var functions []func()
		for i := range results {
			functions = append(functions, func() {
				_, results[i] = s.Claim(key, ClaimQuery{Tool: "context_handover", Arguments: "x", Now: now.Add(time.Duration(i+1) * time.Second)})
			})
		}
		turns(m, uint64(seed), functions...)
		claimed := 0
		for _, err := range results {
			if err == nil {
				claimed++
			} else if !errors.Is(err, ErrReplayed) {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if claimed != 1 {
			t.Fatalf("seed %d: claimed %d times", seed, claimed)
		}
	}
}

// TestPublishedOnceStepByStep lets three agents of one identity publish texts
// of their own, one file operation at a time.
func TestPublishedOnceStepByStep(t *testing.T) {
	seeds := 1000
	if testing.Short() {
		seeds = 200
	}
	for seed := range seeds {
		m := newMemory(time.Now)
		s, err := openStore("/memory", true, m.opener)
		if err != nil {
			t.Fatal(err)
		}
		m.nodes[sweptFile] = &node{mode: 0o600, mtime: time.Now()}
		a := sub(1)
		if seed%2 == 1 {
			a = mainAgent()
		}
		var results [3]Published
		var failed [3]error
		var functions []func()
		for i := range results {
			functions = append(functions, func() { results[i], failed[i] = s.Publish(draft(a, fmt.Sprint("text ", i))) })
		}
		turns(m, uint64(seed), functions...)
		stored := 0
		for i, p := range results {
			if failed[i] != nil {
				if !errors.As(failed[i], &ClosedError{}) || a == mainAgent() {
					t.Fatalf("seed %d: %v", seed, failed[i])
				}
				continue
			}
			stored++
			h, err := s.Handover(p.ID)
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := h.Text(PartHandover); string(text) != fmt.Sprint("text ", i) {
				t.Fatalf("seed %d: %d was told success with the id of %q", seed, i, text)
			}
		}
		if want := map[bool]int{true: 3, false: 1}[a == mainAgent()]; stored != want {
			t.Fatalf("seed %d: %d stored, want %d", seed, stored, want)
		}
	}
}

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

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

//go:build unix

package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

// publisher publishes a text of its own for the actor that each line names.
func publisher(args []string) error {
	return serve(func(line string) string {
		s, err := Create(args[1])
		if err != nil {
			return err.Error()
		}
		defer s.Close()
		a := actor.ID{Host: "claude", Session: "s", Agent: line}
		if strings.HasPrefix(line, "main") {
			a = actor.ID{Host: "claude", Session: line}
		}
		p, err := s.Publish(draft(a, "text of "+args[0]))
		var closed ClosedError
		switch {
		case errors.As(err, &closed):
			return "closed " + closed.ID
		case err != nil:
			return err.Error()
		}
		return "stored " + p.ID
	})
}

func TestSixteenWritersOneWinner(t *testing.T) {
	dir := fresh(t)
	all := startWorkers(t, 16, "publisher", dir)
	for n := range 50 {
		line := fmt.Sprintf("agent%d", n)
		id := HandoverID(actor.ID{Host: "claude", Session: "s", Agent: line}, 1)
		stored := 0
		for i, answer := range round(t, all, line) {
			switch answer {
			case "stored " + id:
				stored++
				h, err := open(t, dir).Handover(id)
				if err != nil {
					t.Fatal(err)
				}
				if text, _ := h.Text(PartHandover); string(text) != fmt.Sprintf("text of %d", i) {
					t.Errorf("%d was told success with the id of %q", i, text)
				}
			case "closed " + id:
			default:
				t.Fatal(answer)
			}
		}
		if stored != 1 {
			t.Fatalf("%d winners", stored)
		}
	}
	if n := temporaries(t, filepath.Join(dir, "handovers")); n != 0 {
		t.Errorf("%d temporary files", n)
	}
	// A main agent's texts are all kept, each under its own ordinal.
	for n := range 10 {
		line := fmt.Sprintf("main%d", n)
		ids := map[string]bool{}
		for i, answer := range round(t, all, line) {
			id, ok := strings.CutPrefix(answer, "stored ")
			if !ok || ids[id] {
				t.Fatal(answer)
			}
			ids[id] = true
			h, err := open(t, dir).Handover(id)
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := h.Text(PartHandover); string(text) != fmt.Sprintf("text of %d", i) {
				t.Errorf("%d was told success with the id of %q", i, text)
			}
		}
	}
}

// hook does what two hooks of one actor do at once: each records a spawn of its
// own, and both want to give the stage's notice.
func hook(args []string) error {
	return serve(func(line string) string {
		s, err := Create(args[1])
		if err != nil {
			return err.Error()
		}
		defer s.Close()
		a := actor.ID{Host: "claude", Session: "s", Agent: line}
		if _, err := s.RecordSpawn(Spawn{Parent: a, CallID: args[0], Prompt: "task " + args[0], PromptKnown: true}); err != nil {
			return err.Error()
		}
		if _, err := s.ClaimOnce(a, []string{FactDelivered, FactReceived}[len(args[0])%2], Delivery{}); err != nil {
			return err.Error()
		}
		won, err := s.ClaimStage(a, 0, []int{1, 2})
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(won)
	})
}

func TestTwoHooksOfOneActor(t *testing.T) {
	dir := fresh(t)
	all := startWorkers(t, 2, "hook", dir)
	for n := range 200 {
		line := fmt.Sprintf("agent%d", n)
		answers := round(t, all, line)
		if strings.Count(strings.Join(answers, " "), "true") != 1 || len(answers[0])+len(answers[1]) != len("truefalse") {
			t.Fatalf("notices: %v", answers)
		}
		s := open(t, dir)
		for _, call := range []string{"0", "1"} {
			found, err := s.SpawnsByCall("claude", "s", call)
			if err != nil {
				t.Fatal(err)
			}
			there := false
			for _, e := range found {
				there = there || e.Spawn.Parent.Agent == line && e.Spawn.Prompt == "task "+call
			}
			if !there {
				t.Fatalf("the spawn of hook %s was lost", call)
			}
		}
		f, err := s.Facts(actor.ID{Host: "claude", Session: "s", Agent: line})
		if err != nil || f.Highest() != 2 || !f.Received {
			t.Fatalf("%+v %v", f, err)
		}
		s.Close()
	}
}

// claimer claims the call that each line names.
func claimer(args []string) error {
	return serve(func(line string) string {
		s, err := Create(args[1])
		if err != nil {
			return err.Error()
		}
		defer s.Close()
		c, err := s.Claim(CapabilityKey("claude", "", line), ClaimQuery{Tool: "context_handover", Arguments: "x", Now: time.Now()})
		switch {
		case errors.Is(err, ErrReplayed):
			return "replayed"
		case err != nil:
			return err.Error()
		}
		return "claimed " + c.Actor.Agent
	})
}

func TestClaimedOnce(t *testing.T) {
	dir := fresh(t)
	all := startWorkers(t, 8, "claimer", dir)
	for n := range 200 {
		line := fmt.Sprintf("call%d", n)
		s := create(t, dir)
		for range 1 + n%3 {
			if _, err := s.IssueCapability(CapabilityKey("claude", "", line), capability(sub(n), "x")); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		claimed := 0
		for _, answer := range round(t, all, line) {
			switch answer {
			case "claimed " + sub(n).Agent:
				claimed++
			case "replayed":
			default:
				t.Fatal(answer)
			}
		}
		if claimed != 1 {
			t.Fatalf("call %d with %d records was claimed %d times", n, 1+n%3, claimed)
		}
	}
}

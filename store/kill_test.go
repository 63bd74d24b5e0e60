//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// killed runs a task in this process and kills it with SIGKILL at a step,
// before or after the step, or in the middle of the first write.
func killed(args []string, task func(s *Store) error) error {
	dir, when := args[0], args[1]
	at, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	die := func() {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	}
	st := &steps{torn: when == "torn"}
	torn := 0
	st.before = func(n int, op string) error {
		if when == "torn" && op == "torn write" {
			if torn++; torn == at {
				die()
			}
		}
		if when == "before" && n == at {
			die()
		}
		return nil
	}
	st.after = func(n int, _ string) {
		if when == "after" && n == at {
			die()
		}
	}
	s, err := createStore(dir, st.opener)
	if err != nil {
		return err
	}
	return task(s)
}

// killEverywhere kills a child at every one of its steps, each time in a fresh
// directory, and has check look at what is left.
func killEverywhere(t *testing.T, name string, prepare func(dir string), check func(t *testing.T, dir string, finished bool)) {
	t.Helper()
	for _, when := range []string{"before", "after", "torn"} {
		for k := 1; ; k++ {
			dir := fresh(t)
			prepare(dir)
			err := child(t, name, dir, when, fmt.Sprint(k)).Run()
			var exit *exec.ExitError
			dead := errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
			if err != nil && !dead {
				t.Fatalf("%s %d: %v", when, k, err)
			}
			t.Run(fmt.Sprintf("%s %d", when, k), func(t *testing.T) { check(t, dir, !dead) })
			if !dead {
				if k < 5 && when != "torn" {
					t.Fatalf("only %d steps", k)
				}
				break
			}
		}
	}
}

func TestKillPublish(t *testing.T) {
	killEverywhere(t, "kill publish", func(string) {}, func(t *testing.T, dir string, finished bool) {
		s := create(t, dir)
		id, state, err := s.Latest(sub(1))
		if err != nil {
			t.Fatal(err)
		}
		if state.Exists {
			if _, err := s.Handover(id); err != nil {
				t.Error(err)
			}
		}
		if finished && !state.Exists {
			t.Error("acknowledged and not there")
		}
		p, err := s.Publish(draft(sub(1), "the text"))
		if err != nil || p.Ordinal != 1 || p.Existing != state.Exists {
			t.Errorf("the same call again: %+v %v", p, err)
		}
		if n := temporaries(t, filepath.Join(dir, "handovers")) + temporaries(t, dir); n > 1 {
			t.Errorf("%d temporary files", n)
		}
		if err := s.Sweep(time.Now().Add(48 * time.Hour)); err != nil {
			t.Error(err)
		}
		if n := temporaries(t, filepath.Join(dir, "handovers")) + temporaries(t, dir); n != 0 {
			t.Errorf("%d temporary files after a sweep", n)
		}
		if _, err := s.Handover(p.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestKillClaim(t *testing.T) {
	a := sub(1)
	key := CapabilityKey("claude", "", "call")
	killEverywhere(t, "kill claim", func(dir string) {
		s, err := Create(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for range 2 {
			if _, err := s.IssueCapability(key, capability(a, "x")); err != nil {
				t.Fatal(err)
			}
		}
	}, func(t *testing.T, dir string, finished bool) {
		s := create(t, dir)
		c, err := s.Claim(key, ClaimQuery{Tool: "context_handover", Arguments: "x", Now: time.Now()})
		switch {
		case err == nil && finished:
			t.Error("claimed twice")
		case err == nil && c.Actor != a:
			t.Errorf("claimed for %+v", c.Actor)
		case err != nil && !errors.Is(err, ErrReplayed):
			t.Error(err)
		}
		if _, err := s.Claim(key, ClaimQuery{Tool: "context_handover", Arguments: "x", Now: time.Now()}); !errors.Is(err, ErrReplayed) {
			t.Errorf("claimed once more: %v", err)
		}
	})
}

func TestKillFacts(t *testing.T) {
	killEverywhere(t, "kill facts", func(string) {}, func(t *testing.T, dir string, finished bool) {
		s := create(t, dir)
		f, err := s.Facts(sub(1))
		if err != nil {
			t.Fatal(err)
		}
		if f.Epoch == 1 && (f.EpochFloor != 42 || f.EpochCause != "compact") {
			t.Errorf("half a fact: %+v", f)
		}
		if finished && (f.Epoch != 1 || !f.Stages[1] || !f.Delivered) {
			t.Errorf("a fact is missing: %+v", f)
		}
		if f.Delivered {
			var d Delivery
			if err := s.Fact(sub(1), FactDelivered, &d); err != nil || d.ID != "ho-0123456789abcdef" {
				t.Errorf("half a fact: %+v %v", d, err)
			}
		}
		if !f.Delivered {
			if won, err := s.ClaimOnce(sub(1), FactDelivered, Delivery{}); !won || err != nil {
				t.Errorf("%v %v", won, err)
			}
		}
	})
}

// TestKillRemove: a removal that was killed is finished by any later one, and
// nothing of the agent is left, above all not the copy of its task.
func TestKillRemove(t *testing.T) {
	id := HandoverID(sub(1), 1)
	killEverywhere(t, "kill remove", func(dir string) {
		s, err := Create(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		key, err := s.RecordSpawn(Spawn{Parent: mainAgent(), CallID: "c", Prompt: "the task", PromptKnown: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.LinkSpawn(sub(1), key); err != nil {
			t.Fatal(err)
		}
		d := draft(sub(1), "the text")
		d.SpawnKey = key
		publish(t, s, d)
		publish(t, s, draft(sub(2), "another"))
		if err := s.RecordRead(id, "a", 1, 1, true); err != nil {
			t.Fatal(err)
		}
	}, func(t *testing.T, dir string, finished bool) {
		s := create(t, dir)
		begun := true
		switch _, err := s.Handover(id); {
		case err == nil:
			begun = false
			if _, _, linked, err := s.SpawnOf(sub(1)); !linked || err != nil {
				t.Errorf("the handover stays and its task went: %v", err)
			}
		case !errors.Is(err, ErrRemoved):
			t.Error(err)
		}
		if finished && !begun {
			t.Error("acknowledged and not removed")
		}
		if begun && !finished {
			if err := s.Remove(HandoverID(sub(2), 1)); err != nil {
				t.Fatal(err)
			}
		}
		if !begun {
			return
		}
		for _, name := range []string{"handovers/" + id + ".handover", "actors/" + sub(1).Key(), "reads/" + id} {
			if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if list := listed(t, filepath.Join(dir, "spawns")); len(list) != 0 {
			t.Errorf("spawns: %v", list)
		}
		if _, is, err := s.Closed(sub(1)); !is || err != nil {
			t.Errorf("closed %v %v", is, err)
		}
	})
}

func children() map[string]func([]string) error {
	return map[string]func([]string) error{
		"kill publish": func(args []string) error {
			return killed(args, func(s *Store) error { _, err := s.Publish(draft(sub(1), "the text")); return err })
		},
		"kill claim": func(args []string) error {
			return killed(args, func(s *Store) error {
				_, err := s.Claim(CapabilityKey("claude", "", "call"), ClaimQuery{Tool: "context_handover", Arguments: "x", Now: time.Now()})
				return err
			})
		},
		"kill facts": func(args []string) error {
			return killed(args, func(s *Store) error {
				n, err := s.StartEpoch(sub(1), Epoch{Cause: "compact", Floor: 42})
				if err != nil {
					return err
				}
				if _, err := s.ClaimStage(sub(1), n, []int{1}); err != nil {
					return err
				}
				_, err = s.ClaimOnce(sub(1), FactDelivered, Delivery{ID: "ho-0123456789abcdef", By: "final text"})
				return err
			})
		},
		"kill remove": func(args []string) error {
			return killed(args, func(s *Store) error { return s.Remove(HandoverID(sub(1), 1)) })
		},
		"publisher": publisher,
		"hook":      hook,
		"claimer":   claimer,
		"everything": func(args []string) error {
			mask, err := strconv.ParseInt(args[1], 8, 32)
			if err != nil {
				return err
			}
			syscall.Umask(int(mask))
			return everything(args[0])
		},
	}
}

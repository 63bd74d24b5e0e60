package mcpserver

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// fakeRollover counts what is asked of it and fails as told.
type fakeRollover struct {
	created, submitted int
	prompt             string
	failCreate, failed error
}

func (f *fakeRollover) Create(_ context.Context, _ actor.ID, _, handover string) (string, error) {
	f.created++
	return "new:" + handover, f.failCreate
}

func (f *fakeRollover) Submit(_ context.Context, session, prompt string) error {
	f.submitted++
	f.prompt = session + " " + prompt
	return f.failed
}

func (r *rig) continuations(id string) string {
	r.t.Helper()
	reached, err := r.write().Continuations(id)
	if err != nil {
		r.t.Fatal(err)
	}
	var states []string
	for _, c := range reached {
		states = append(states, string(c.State))
	}
	return strings.Join(states, " ")
}

func TestRollover(t *testing.T) {
	f := &fakeRollover{}
	r := newRig(t, func(o *Options) { o.Rollover = f })
	id := r.keep(r.main("M"), sample, nil)
	if f.created != 1 || f.submitted != 1 || !strings.HasPrefix(f.prompt, "new:"+id+" [handover:continue "+id+"]") {
		t.Errorf("%+v", f)
	}
	if got := r.continuations(id); got != "created submitting admitted" {
		t.Errorf("continuation: %s", got)
	}
	r.keep(r.main("M"), sample, nil) // the same text again
	r.keep(r.sub("a"), sample, nil)
	if f.created != 1 || f.submitted != 1 {
		t.Errorf("submitted again: %+v", f)
	}
}

func TestRolloverFails(t *testing.T) {
	f := &fakeRollover{failCreate: errors.New("no")}
	r := newRig(t, func(o *Options) { o.Rollover = f })
	id := r.keep(r.main("M"), sample, nil)
	if got := r.continuations(id); got != "" || f.submitted != 0 {
		t.Errorf("continuation: %s, %+v", got, f)
	}
	f.failCreate, f.failed = nil, errors.New("timeout")
	r.keep(r.main("M"), sample, nil)
	if got := r.continuations(id); got != "created submitting uncertain" {
		t.Errorf("continuation: %s", got)
	}
	r.keep(r.main("M"), sample, nil)
	if f.submitted != 1 {
		t.Errorf("submitted %d times", f.submitted)
	}
}

// TestRolloverAfterDeath: a server that died between its two calls submits to
// the session it made.
func TestRolloverAfterDeath(t *testing.T) {
	f := &fakeRollover{failCreate: errors.New("not yet")}
	r := newRig(t, func(o *Options) { o.Rollover = f })
	id := r.keep(r.main("M"), sample, nil)
	if _, err := r.write().ClaimContinuation(id, store.ContinuationCreated, store.Continuation{By: "rollover", Successor: "made"}); err != nil {
		t.Fatal(err)
	}
	r.keep(r.main("M"), sample, nil)
	if !strings.HasPrefix(f.prompt, "made ") || f.created != 1 {
		t.Errorf("%+v", f)
	}
}

// TestSignOfLife: where hooks can run without the server, it shows itself.
func TestSignOfLife(t *testing.T) {
	r := newRig(t, func(o *Options) { o.Life = "session-1" })
	if st := r.write(); !st.SeenServer("claude", "session-1") || st.SeenServer("claude", "other") {
		t.Error("no sign of life")
	}
	quiet := newRig(t, nil)
	if _, err := store.Open(quiet.options.DataDir); !errors.Is(err, store.ErrNoStore) {
		t.Errorf("a server that need not show itself made a store: %v", err)
	}
	// A place where no store can be made is no reason not to serve.
	broken := newRig(t, func(o *Options) { o.Life, o.DataDir = "x", "/proc/no/store" })
	if got := broken.request("tools/list", "{}"); !strings.Contains(got.Raw, string(hosts.ToolRead)) {
		t.Errorf("tools/list: %.200s", got.Raw)
	}
}

package mcpserver

import (
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// TestReadLineage: the task is carried by the origin and shown to every
// successor, once.
func TestReadLineage(t *testing.T) {
	r := newRig(t, nil)
	key, err := r.write().RecordSpawn(store.Spawn{Parent: r.main("S"), CallID: "1", Prompt: "THE TASK", PromptKnown: true, Lineage: store.Lineage{State: store.LineageOrigin}})
	if err != nil {
		t.Fatal(err)
	}
	first := r.keep(r.sub("a"), "first\n"+sample, func(c *store.Capability) { c.SpawnKey = key })
	next := func(id string) func(c *store.Capability) {
		return func(c *store.Capability) { c.Lineage = store.Lineage{State: store.LineageContinues, Predecessor: id} }
	}
	second := r.keep(r.sub("b"), "second\n"+sample, next(first))
	third := r.keep(r.sub("c"), "third\n"+sample, next(second))
	text := r.reads(r.sub("d"), arg("id", third), next(third))
	mustHold(t, text, "THE TASK", "third\n", "generation 3")
	if strings.Count(text, "THE TASK") != 1 || strings.Contains(text, "second\n") {
		t.Errorf("not once each:\n%s", text)
	}
	compact := r.reads(r.main("S"), arg("id", third), nil)
	mustHold(t, compact, "generation 3", second, first)
	if strings.Contains(compact, "THE TASK") {
		t.Errorf("the compact view holds the task:\n%s", compact)
	}
	if err := r.write().Remove(first); err != nil {
		t.Fatal(err)
	}
	text = r.reads(r.sub("d"), arg("id", third, "full", true), nil)
	mustHold(t, text, "Original task: not here", "third\n")
}

// TestReadJoined: what was learned after the record was written is shown and
// marked.
func TestReadJoined(t *testing.T) {
	r := newRig(t, nil)
	a := r.sub("a")
	id := r.keep(a, sample, func(c *store.Capability) {
		c.Lineage = store.Lineage{State: store.LineageUnknown, Reason: "no spawn seen"}
	})
	text := r.reads(r.main("S"), arg("id", id, "full", true), nil)
	mustHold(t, text, "generation unknown", "delivered=no", "not continued yet", "Original task: not here", "the spawn was not seen")

	st := r.write()
	key, err := st.RecordSpawn(store.Spawn{
		Parent: r.main("S"), CallID: "1", Prompt: "LATE TASK", PromptKnown: true, Seen: time.Now(),
		Provenance: store.Provenance{AgentType: "Explore", ModelKnown: true, Model: "opus"}, Lineage: store.Lineage{State: store.LineageOrigin},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.LinkSpawn(a, key); err != nil {
		t.Fatal(err)
	}
	if _, err := st.ClaimOnce(a, store.FactReceived, store.Delivery{ID: id, By: "test", At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.ClaimContinuation(id, store.ContinuationCreated, store.Continuation{By: "spawn"}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.ClaimContinuation(id, store.ContinuationAdmitted, store.Continuation{By: "spawn", Successor: "S:b"}); err != nil {
		t.Fatal(err)
	}
	text = r.reads(r.main("S"), arg("id", id, "full", true), nil)
	mustHold(t, text, "generation 1", "(joined)", "delivered=yes (joined)", `"admitted" by "S:b"`, "LATE TASK", `"Explore" (joined)`)
	mustHold(t, r.reads(r.main("S"), arg("id", id), nil), `model: "opus"`, `agent type: "Explore"`)
	mustHold(t, r.reads(r.main("S"), `{}`, nil), "continued")
}

// TestReadMainContinuation: a main agent's handover that another agent has read
// to its end counts as read; a subagent's does not.
func TestReadMainContinuation(t *testing.T) {
	r := newRig(t, nil)
	main, sub := r.keep(r.main("M"), sample, nil), r.keep(r.sub("a"), sample, nil)
	for _, id := range []string{main, sub} {
		r.reads(r.main("N"), arg("id", id, "full", true), nil)
	}
	mustHold(t, r.reads(r.main("O"), arg("id", main), nil), `continuation "read"`)
	mustHold(t, r.reads(r.main("O"), arg("id", sub), nil), "not continued yet")
	mustHold(t, r.reads(r.main("N"), arg("id", main), nil), "page 1 of 1")
}

// TestReadOldNames: a model that knows another tool of this sort is told the
// parameter's name here.
func TestReadOldNames(t *testing.T) {
	r := newRig(t, nil)
	for _, name := range []string{"childId", "sessionID", "threadID", "taskId"} {
		got := r.callRaw(hosts.ToolRead, arg(name, "x"), claudeMeta("x"))
		mustHold(t, got.text(t), name, "it is called id here", "Nothing was read.")
		if !got.Result.IsError {
			t.Errorf("%s: no error", name)
		}
	}
}

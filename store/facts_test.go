package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
)

func TestFacts(t *testing.T) {
	s := create(t, fresh(t))
	a := actor.ID{Host: "claude", Session: `"floor":9,"cause":"x`, Agent: `","cause":"y`}
	want := func(want Facts) {
		t.Helper()
		if f, err := s.Facts(a); err != nil || f != want {
			t.Errorf("%+v %v\nwant %+v", f, err, want)
		}
	}
	yes := func(won bool, err error) {
		t.Helper()
		if !won || err != nil {
			t.Error(won, err)
		}
	}
	no := func(won bool, err error) {
		t.Helper()
		if won || err != nil {
			t.Error(won, err)
		}
	}
	want(Facts{})
	yes(s.ClaimIntro(a, 0))
	no(s.ClaimIntro(a, 0))
	want(Facts{Any: true, Intro: true})
	yes(s.ClaimStage(a, 0, []int{1}))
	no(s.ClaimStage(a, 0, []int{1}))
	yes(s.ClaimStage(a, 0, []int{3, 2}))
	no(s.ClaimStage(a, 0, []int{2}))
	want(Facts{Any: true, Intro: true, Stages: [5]bool{1: true, 2: true, 3: true}})
	for n := 1; n <= 12; n++ {
		if got, err := s.StartEpoch(a, Epoch{Cause: "compact_start", Floor: int64(1000 + n)}); got != n || err != nil {
			t.Fatal(got, err)
		}
	}
	want(Facts{Any: true, Epoch: 12, EpochFloor: 1012, EpochCause: "compact_start"})
	yes(s.ClaimStage(a, 12, []int{4}))
	// A lower stage has no notice after a higher one.
	no(s.ClaimStage(a, 12, []int{1}))
	if err := s.ReleaseStage(a, 12, []int{4, 1}); err != nil {
		t.Fatal(err)
	}
	yes(s.ClaimStage(a, 12, []int{1}))
	yes(s.ClaimIntro(a, 12))
	if err := s.ReleaseIntro(a, 12); err != nil {
		t.Fatal(err)
	}
	if f, _ := s.Facts(a); f.Highest() != 1 || f.Intro {
		t.Errorf("%+v", f)
	}
	yes(s.ClaimOnce(a, FactHandBack, HandBack{CallID: "c1"}))
	no(s.ClaimOnce(a, FactHandBack, HandBack{CallID: "c2"}))
	var back HandBack
	if err := s.Fact(a, FactHandBack, &back); err != nil || back.CallID != "c1" {
		t.Errorf("%+v %v", back, err)
	}
	if err := s.Fact(a, FactDelivered, &back); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
	if _, err := s.ClaimOnce(a, "../x", nil); err == nil {
		t.Error("an unknown fact was made")
	}
	if _, err := s.StartEpoch(a, Epoch{Cause: `a"b`}); err == nil {
		t.Error("a cause that cannot be read back")
	}
	yes(s.LongOnce(a, strings.Repeat("ab", 32)))
	no(s.LongOnce(a, strings.Repeat("ab", 32)))
	yes(s.LongOnce(a, strings.Repeat("cd", 32)))
	o := measure.Observation{Reading: measure.Reading{Kind: measure.Measured, Tokens: 7}}
	for range 2 {
		if err := s.WriteReading(a, o); err != nil {
			t.Fatal(err)
		}
	}
	if got, at, err := s.Reading(a); err != nil || got.Reading.Tokens != 7 || at.IsZero() {
		t.Errorf("%+v %v", got, err)
	}
	if f, err := s.Facts(sub(99)); err != nil || f != (Facts{}) {
		t.Errorf("%+v %v", f, err)
	}
}

// TestFactsOfEachHandover: a reopened agent's next handover has facts of its own,
// and the first one keeps its.
func TestFactsOfEachHandover(t *testing.T) {
	s := create(t, fresh(t))
	a := sub(1)
	once := func(id string) {
		t.Helper()
		for name, data := range map[string]any{
			FactDelivered: Delivery{ID: id}, FactReceived: Delivery{ID: id}, FactCorrected: Correction{ID: id}, FactHandBack: HandBack{CallID: id},
		} {
			if won, err := s.ClaimOnce(a, name, data); !won || err != nil {
				t.Errorf("%s of %s: %v %v", name, id, won, err)
			}
		}
		if f, err := s.Facts(a); err != nil || f != (Facts{Any: true, Corrected: true, HandBack: true, Delivered: true, Received: true}) {
			t.Errorf("%+v %v", f, err)
		}
	}
	first := publish(t, s, draft(a, "first")).ID
	once(first)
	for range 2 {
		if err := s.Reopen(first); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := s.Facts(a); err != nil || f != (Facts{Any: true}) {
		t.Errorf("reopened: %+v %v", f, err)
	}
	second := publish(t, s, draft(a, "second")).ID
	if j, err := s.Joined(second); err != nil || j.Delivered != nil || j.Received != nil || j.Corrected != nil {
		t.Errorf("%+v %v", j, err)
	}
	once(second)
	if err := s.Reopen(first); err != nil { // no longer the latest
		t.Fatal(err)
	}
	for _, id := range []string{first, second} {
		j, err := s.Joined(id)
		if err != nil || j.Delivered == nil || j.Received == nil || j.Corrected == nil || j.Delivered.ID != id || j.Received.ID != id || j.Corrected.ID != id {
			t.Errorf("%s: %+v %v", id, j, err)
		}
	}
	var back HandBack
	if err := s.Fact(a, FactHandBack, &back); err != nil || back.CallID != second {
		t.Errorf("%+v %v", back, err)
	}
	if err := s.Remove(first, second); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Facts(a); err != nil || f != (Facts{}) {
		t.Errorf("removed: %+v %v", f, err)
	}
}

func TestSpawns(t *testing.T) {
	s := create(t, fresh(t))
	sp := Spawn{Parent: mainAgent(), CallID: "c1", Prompt: hostile, PromptKnown: true, Provenance: Provenance{AgentType: "general", ModelKnown: true}}
	key, err := s.RecordSpawn(sp)
	if err != nil || key != SpawnKey("claude", "5e55107e", "c1", sp) {
		t.Fatal(key, err)
	}
	sp.Seen = time.Now()
	if again, err := s.RecordSpawn(sp); again != key || err != nil {
		t.Errorf("the same spawn seen twice: %s %v", again, err)
	}
	found, err := s.SpawnsByCall("claude", "5e55107e", "c1")
	if err != nil || len(found) != 1 || found[0].Key != key || found[0].Spawn.Prompt != hostile {
		t.Errorf("%+v %v", found, err)
	}
	sp.Prompt = "another"
	second, err := s.RecordSpawn(sp)
	if err != nil || second == key {
		t.Error(second, err)
	}
	if found, _ := s.SpawnsByCall("claude", "5e55107e", "c1"); len(found) != 2 {
		t.Errorf("%+v", found)
	}
	if _, _, ok, err := s.SpawnOf(sub(1)); ok || err != nil {
		t.Error(ok, err)
	}
	for _, k := range []string{key, second} {
		if err := s.LinkSpawn(sub(1), k); err != nil {
			t.Fatal(err)
		}
	}
	if got, k, ok, err := s.SpawnOf(sub(1)); !ok || err != nil || k != key || got.Prompt != hostile {
		t.Errorf("%+v %s %v %v", got, k, ok, err)
	}
	if err := s.LinkSpawn(sub(2), strings.Repeat("0", 32)); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := s.Spawn("../../format"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestSessionsAndServers(t *testing.T) {
	s := create(t, fresh(t))
	if s.SeenServer("goose", "1") {
		t.Error("seen before it was")
	}
	for range 2 {
		if err := s.SignOfLife("goose", "1"); err != nil {
			t.Fatal(err)
		}
	}
	if !s.SeenServer("goose", "1") || s.SeenServer("goose", "2") || s.SeenServer("qwen", "1") {
		t.Error("seen")
	}
	now := time.Now()
	for n := range 3 {
		if err := s.NoteSession(Session{Actor: sub(n % 2), At: now.Add(time.Duration(n) * time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Sessions()
	if err != nil || len(all) != 2 || all[0].Actor != sub(0) {
		t.Errorf("%+v %v", all, err)
	}
}

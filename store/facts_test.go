package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// line is three generations: a handover, its successor's, and that one's.
func generations(t *testing.T, s *Store) []Published {
	t.Helper()
	var all []Published
	before := ""
	for n := 1; n <= 3; n++ {
		d := draft(sub(n), fmt.Sprintf("generation %d", n))
		if before != "" {
			d.Lineage = Lineage{State: LineageContinues, Predecessor: before}
			sp := Spawn{Parent: mainAgent(), CallID: before, Prompt: "[handover:continue " + before + "]", PromptKnown: true, Lineage: d.Lineage}
			key, err := s.RecordSpawn(sp)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.LinkSpawn(sub(n), key); err != nil {
				t.Fatal(err)
			}
			d.SpawnKey = key
		}
		all = append(all, publish(t, s, d))
		before = all[len(all)-1].ID
	}
	return all
}

func TestLineage(t *testing.T) {
	s := create(t, fresh(t))
	line := generations(t, s)
	for n, p := range line {
		l := p.Header.Lineage
		if l.Generation != n+1 || n > 0 && (l.Origin != line[0].ID || l.Predecessor != line[n-1].ID) || n == 0 && l.Origin != "" {
			t.Errorf("%d: %+v", n, l)
		}
	}
	other := publish(t, s, draft(sub(9), "not of the line"))
	ids, err := s.Lineage(line[1].ID)
	if err != nil || len(ids) != 3 {
		t.Errorf("%v %v", ids, err)
	}
	for n, x := range []struct{ predecessor, reason string }{
		{HandoverID(sub(77), 1), "not stored"}, {"nonsense", "malformed"}, {other.ID, "another project"},
	} {
		d := draft(sub(20+n), "x")
		d.Project = "/work/elsewhere"
		d.Lineage = Lineage{State: LineageContinues, Predecessor: x.predecessor}
		if l := publish(t, s, d).Header.Lineage; l.State != LineageUnknown || l.Predecessor != "" || !strings.Contains(l.Reason, x.reason) {
			t.Errorf("%+v, want %s", l, x.reason)
		}
	}
	// A link that came after the record was written still gives the successor
	// its generation.
	d := draft(sub(40), "late")
	d.Lineage = Lineage{State: LineageUnknown, Reason: "not seen"}
	late := publish(t, s, d)
	key, err := s.RecordSpawn(Spawn{Parent: mainAgent(), CallID: "late", PromptKnown: true, Lineage: Lineage{State: LineageContinues, Predecessor: line[2].ID}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.LinkSpawn(sub(40), key); err != nil {
		t.Fatal(err)
	}
	j, err := s.Joined(late.ID)
	if err != nil || j.Lineage.Generation != 4 || j.Lineage.Origin != line[0].ID || j.SpawnKey != key {
		t.Errorf("%+v %v", j, err)
	}
	d = draft(sub(41), "after the late one")
	d.Lineage = Lineage{State: LineageContinues, Predecessor: late.ID}
	if l := publish(t, s, d).Header.Lineage; l.Generation != 5 || l.Origin != line[0].ID {
		t.Errorf("%+v", l)
	}
}

func TestJoined(t *testing.T) {
	s := create(t, fresh(t))
	line := generations(t, s)
	id := line[0].ID
	if _, err := s.ClaimOnce(sub(1), FactDelivered, Delivery{ID: id, By: "hand-back"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ClaimOnce(sub(1), FactCorrected, Correction{ID: "ho-ffffffffffffffff"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		reader      string
		page, pages int
		verified    bool
	}{{"a", 1, 2, true}, {"a", 1, 2, true}, {"a", 2, 2, true}, {"b", 2, 2, true}, {"a", 1, 1, false}} {
		if err := s.RecordRead(id, r.reader, r.page, r.pages, r.verified); err != nil {
			t.Fatal(err)
		}
	}
	j, err := s.Joined(id)
	if err != nil {
		t.Fatal(err)
	}
	if j.Delivered == nil || j.Delivered.By != "hand-back" || j.Received != nil || j.Corrected != nil || !j.Continued() {
		t.Errorf("%+v", j)
	}
	if len(j.Continuations) != 2 || j.Continuations[0].State != ContinuationCreated || j.Continuations[1].Successor != sub(2).Shown() {
		t.Errorf("%+v", j.Continuations)
	}
	got := ""
	for _, r := range j.Reads {
		got += fmt.Sprintf("%s %v %d/%d %v; ", r.Reader, r.Verified, r.Given, r.Pages, r.Complete)
	}
	for _, want := range []string{"a true 2/2 true;", "b true 1/2 false;", "a false 1/1 true;"} {
		if !strings.Contains(got, want) || len(j.Reads) != 3 {
			t.Errorf("reads: %s", got)
		}
	}
	if err := s.RecordRead(id, "a", 3, 2, true); err == nil {
		t.Error("page 3 of 2")
	}
}

func TestRemove(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	line := generations(t, s)
	other := publish(t, s, draft(sub(9), "stays"))
	if err := s.RecordRead(line[0].ID, "a", 1, 1, true); err != nil {
		t.Fatal(err)
	}
	// A publisher that was killed left a second name of the text.
	if err := os.Link(filepath.Join(dir, "handovers", line[0].ID+".handover"), filepath.Join(dir, "handovers", ".tmp-0123")); err != nil {
		t.Fatal(err)
	}
	ids, err := s.Lineage(line[2].ID)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Remove(ids...); err != nil {
			t.Fatal(err)
		}
	}
	var gone RemovedError
	if _, err := s.Handover(line[0].ID); !errors.As(err, &gone) || gone.At.IsZero() || len(gone.SHA256) != 64 {
		t.Errorf("%v", err)
	}
	if id, is, err := s.Closed(sub(1)); !is || id != line[0].ID || err != nil {
		t.Errorf("closed %s %v %v", id, is, err)
	}
	var closed ClosedError
	if _, err := s.Publish(draft(sub(1), "generation 1")); !errors.As(err, &closed) || !closed.Removed {
		t.Errorf("%v", err)
	}
	if err := s.Reopen(line[0].ID); err != nil {
		t.Fatal(err)
	}
	if p := publish(t, s, draft(sub(1), "generation 1")); p.Ordinal != 2 {
		t.Errorf("%+v", p)
	}
	for _, d := range []string{"reads", "continuations", "spawns"} {
		if list := listed(t, filepath.Join(dir, d)); len(list) != 0 {
			t.Errorf("%s: %v", d, list)
		}
	}
	if n := temporaries(t, filepath.Join(dir, "handovers")); n != 0 {
		t.Error("the text is still there under a second name")
	}
	if _, err := s.Handover(other.ID); err != nil {
		t.Error(err)
	}
	if j, err := s.Joined(line[1].ID); err != nil || j.Removed.IsZero() {
		t.Errorf("%+v %v", j, err)
	}
	if err := s.Remove(HandoverID(sub(50), 1)); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestResolve(t *testing.T) {
	s := create(t, fresh(t))
	in := Scope{Host: "claude", Session: "5e55107e", Project: "/work/project"}
	elsewhere := in
	elsewhere.Project = "/work/elsewhere"
	first := publish(t, s, draft(sub(1), "one"))
	root := publish(t, s, draft(mainAgent(), "main"))
	unique := actor.ID{Host: "qwen", Session: "q1", Agent: "b1", Unique: "2026-01-01"}
	third := publish(t, s, draft(unique, "three"))
	want := func(ref string, in Scope, id string, err error) {
		t.Helper()
		r, got := s.Resolve(ref, in)
		if r.ID != id || err == nil && got != nil || err != nil && !errors.Is(got, err) {
			t.Errorf("%q: %+v %v, want %s %v", ref, r, got, id, err)
		}
	}
	for _, ref := range []string{first.ID, first.ID[:len("ho-")+8], first.ID[3 : 3+9], "a1", "5e55107e:a1"} {
		want(ref, in, first.ID, nil)
	}
	want("5e55107e", in, root.ID, nil)
	want("q1:b1", in, third.ID, nil)
	want(first.ID, elsewhere, first.ID, nil)
	want(first.ID, Scope{}, first.ID, nil)
	want("a1", Scope{}, "", ErrUnknownProject)
	for _, ref := range []string{"a1", "5e55107e", "q1:b1", first.ID[:14]} {
		want(ref, elsewhere, "", ErrNotFound)
	}
	for _, ref := range []string{"", "A1", first.ID[:len("ho-")+7], "ho-ffffffffffffffff", "ho-FFFFFFFFFFFFFFFF", strings.Repeat("x", 600), "../../format", "b1"} {
		want(ref, in, "", ErrNotFound)
	}
	if r, _ := s.Resolve("5e55107e:a77", in); r.Actor == nil || *r.Actor != sub(77) {
		t.Errorf("an agent that handed nothing over: %+v", r)
	}
	if r, _ := s.Resolve("a1", in); r.Actor == nil || *r.Actor != sub(1) {
		t.Errorf("%+v", r)
	}
	// Two agents with one bare id on hosts that use ids again.
	again := unique
	again.Unique = "2026-02-02"
	fourth := publish(t, s, draft(again, "four"))
	_, err := s.Resolve("q1:b1", in)
	var ambiguous AmbiguousError
	if !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 || !errors.Is(err, ErrAmbiguous) {
		t.Errorf("%v", err)
	}
	if err := s.Remove(fourth.ID, first.ID); err != nil {
		t.Fatal(err)
	}
	want("q1:b1", in, third.ID, nil)
	want(first.ID, in, "", ErrRemoved)
	want("a1", in, "", ErrRemoved)
}

func TestProjectsAreComparedAsDirectories(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		a, b string
		want bool
	}{{dir, link, true}, {dir, dir + "/", true}, {dir, t.TempDir(), false}, {"", "", false}, {"/gone", "/gone", true}, {"/gone", "/other", false}, {dir, "/gone", false}} {
		if SameProject(x.a, x.b) != x.want {
			t.Errorf("%q %q", x.a, x.b)
		}
	}
}

func TestList(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	start := time.Now().Add(-time.Hour)
	var ids []string
	for n := range 8 {
		d := draft(sub(n), "text")
		d.Created = start.Add(time.Duration(n) * time.Minute)
		d.Summary = strings.Repeat("é", 300) + "\nsecond"
		if n%2 == 1 {
			d.Project = "/work/elsewhere"
			d.Summary = fmt.Sprintf("summary %d\nsecond", n)
		}
		p := publish(t, s, d)
		file := filepath.Join(dir, "handovers", p.ID+".handover")
		if err := os.Chtimes(file, d.Created, d.Created); err != nil {
			t.Fatal(err)
		}
		ids = append([]string{p.ID}, ids...)
	}
	got := func(q ListQuery) (list []string) {
		t.Helper()
		found, err := s.List(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range found {
			list = append(list, x.ID)
		}
		return list
	}
	if list := got(ListQuery{}); fmt.Sprint(list) != fmt.Sprint(ids) {
		t.Errorf("%v", list)
	}
	if list := got(ListQuery{Project: "/work/elsewhere", Limit: 3}); fmt.Sprint(list) != fmt.Sprint([]string{ids[0], ids[2], ids[4]}) {
		t.Errorf("%v", list)
	}
	found, _ := s.List(ListQuery{Limit: 2})
	if found[0].Line != "summary 7" || found[1].Line != strings.Repeat("é", 200) || found[0].Continued || found[0].Bytes == 0 {
		t.Errorf("%+v", found)
	}
	if err := os.Truncate(filepath.Join(dir, "handovers", ids[0]+".handover"), 5); err != nil {
		t.Fatal(err)
	}
	found, _ = s.List(ListQuery{})
	if len(found) != 8 || !errors.Is(found[0].Err, ErrDamaged) {
		t.Errorf("a damaged file is not shown: %+v", found[0])
	}
	if list := got(ListQuery{Project: "/work/project"}); len(list) != 4 {
		t.Errorf("%v", list)
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

func TestSweepOfFacts(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	line := generations(t, s) // sub(1) to sub(3)
	for n := 1; n < 50; n++ {
		if _, err := s.ClaimIntro(sub(n), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := s.RecordSpawn(Spawn{Parent: mainAgent(), CallID: fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RecordRead(line[0].ID, "a", 1, 1, true); err != nil {
		t.Fatal(err)
	}
	if err := s.RecordRead(HandoverID(sub(60), 1), "a", 1, 1, true); err != nil {
		t.Fatal(err)
	}
	count := func(name string) int { return len(listed(t, filepath.Join(dir, name))) }
	if err := s.Sweep(time.Now().Add(29 * 24 * time.Hour)); err != nil {
		t.Fatal(err)
	}
	if count("actors") != 49 || count("spawns") != 51 || count("reads") != 2 {
		t.Errorf("too early: %d %d %d", count("actors"), count("spawns"), count("reads"))
	}
	later := time.Now().Add(31 * 24 * time.Hour)
	for n, left := range []int{33, 17, 3, 3} {
		if err := s.Sweep(later); err != nil {
			t.Fatal(err)
		}
		if count("actors") != left || n == 0 && (count("spawns") != 51-16 || count("reads") != 1) {
			t.Errorf("%d: %d actors, %d spawns, %d reads", n, count("actors"), count("spawns"), count("reads"))
		}
	}
	// Those that belong to a handover stay, and stand by themselves.
	if j, err := s.Joined(line[1].ID); err != nil || j.Spawn == nil || j.SpawnKey == "" {
		t.Errorf("%+v %v", j, err)
	}
	if count("handovers") != 3 || count("continuations") != 4 {
		t.Errorf("%d handovers, %d continuations", count("handovers"), count("continuations"))
	}
}

func TestSweepIsNotDueOften(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	temp := filepath.Join(dir, "handovers", ".tmp-left")
	leave := func() {
		if err := os.WriteFile(temp, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-48 * time.Hour)
		if err := os.Chtimes(temp, old, old); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	publish(t, s, draft(sub(1), "x"))
	if _, err := os.Stat(temp); err == nil {
		t.Error("the first publisher did not sweep")
	}
	leave()
	publish(t, s, draft(sub(2), "x"))
	if _, err := os.Stat(temp); err != nil {
		t.Error("swept again at once")
	}
	s.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	publish(t, s, draft(sub(3), "x"))
	if _, err := os.Stat(temp); err == nil {
		t.Error("not swept after two hours")
	}
}

package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// generations are three: a handover, its successor's, and that one's.
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
		d.Project = "/srv/elsewhere"
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

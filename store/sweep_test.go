package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

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

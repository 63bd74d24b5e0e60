package rehearse

import (
	"slices"
	"testing"
)

func TestRun(t *testing.T) {
	var order []string
	failures := Run(t, func(tb testing.TB) {
		tb.Cleanup(func() { order = append(order, "first registered") })
		tb.Cleanup(func() {
			order = append(order, "last registered")
			if !tb.Failed() {
				t.Error("Failed is false after failures")
			}
		})
		tb.Errorf("problem %d", 1)
		tb.Error("problem", 2)
		tb.Fatalf("problem %d", 3)
		t.Error("Fatalf returned")
	})
	if want := []string{"problem 1", "problem 2", "problem 3"}; !slices.Equal(failures, want) {
		t.Errorf("failures %q, want %q", failures, want)
	}
	if want := []string{"last registered", "first registered"}; !slices.Equal(order, want) {
		t.Errorf("cleanups %q, want %q", order, want)
	}
}

func TestRunPasses(t *testing.T) {
	if failures := Run(t, func(testing.TB) {}); len(failures) != 0 {
		t.Errorf("failures of a story that passed: %q", failures)
	}
}

func TestRunPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("recovered %v, want the story's panic", p)
		}
	}()
	Run(t, func(testing.TB) { panic("broken") })
}

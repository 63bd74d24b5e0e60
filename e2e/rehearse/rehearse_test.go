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

// TestRunSkips: a story that is skipped fails, and does not skip the test.
func TestRunSkips(t *testing.T) {
	for want, skip := range map[string]func(testing.TB){
		"skipped: no host 1": func(tb testing.TB) { tb.Skip("no host", 1) },
		"skipped: no host 2": func(tb testing.TB) { tb.Skipf("no host %d", 2) },
		"skipped":            testing.TB.SkipNow,
	} {
		failures := Run(t, func(tb testing.TB) {
			skip(tb)
			t.Error("the story went on")
		})
		if !slices.Equal(failures, []string{want}) {
			t.Errorf("failures %q, want %q", failures, want)
		}
	}
	if t.Skipped() {
		t.Error("the test itself was skipped")
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

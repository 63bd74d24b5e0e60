package literal

import "github.com/auto-context-handover/handover/e2e/model"

// Reach makes a call if the model can make it now, and otherwise first the one
// that loads its tool, which must have been sent to it.
func Reach(t *model.Turn, c Call, load func(Failer) Call) model.Answer {
	if t.CanCall(c.Name) {
		return c.Answer()
	}
	first := load(t)
	if first.Loads() != c.Name {
		t.Fatalf("the model wants %q, but was told to load %q", c.Name, first.Loads())
	}
	return first.Answer()
}

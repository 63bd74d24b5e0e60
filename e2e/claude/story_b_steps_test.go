//go:build e2e

package claude

import (
	"fmt"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// written is a handover in a form of its own, and what the parent's view must
// say about it.
type written struct {
	name    string
	text    string
	steps   string // what follows "next steps: "
	excerpt string // the first line of the next steps; "" if they are unknown
	large   bool   // it takes more than half of soft
}

func forms() []written {
	const items = "1. Run `make`; it prints ok.\n   1. look first\n2. Report.\n"
	const rules = "## Rules in force\nNever push.\n"
	const head = "1. Run `make`; it prints ok."
	fill := func(size int) string {
		text := rules + "## Done, checked\n"
		rest := "\n## Prioritized next steps\n" + items
		return text + strings.Repeat("x", size-len(text)-len(rest)) + rest
	}
	return []written{
		{"as section 7", "## 6. Questions\nnone\n## 7. Prioritized next steps\n" + items + "## 8. Notes\nnone\n", "2.", head, false},
		{"bold", "**Rules in force**\nNever push.\n\n**Prioritized next steps**\n" + items, "2.", head, false},
		{"numbered and bold", "1. **Rules in force:** Never push.\n\n11. **Prioritized next steps:**\n1) Run `make`; it prints ok.\n2) Report.\n3) Rest.\n", "3.", "1) Run `make`; it prints ok.", false},
		{"twice", rules + "## Prioritized next steps\n" + items + "## Prioritized next steps\n1. Something else.\n", "unknown.", "", false},
		{"half of soft", fill(40_000), "2.", head, false},
		{"over half of soft", fill(40_004), "2.", head, true},
	}
}

// TestFormsOfNextSteps: the parent's view shows the next steps and counts them
// in every form of heading, calls two such sections unknown, and advises to
// compress a handover that takes more than half of a soft limit. What is stored
// is as it was written.
func TestFormsOfNextSteps(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var lead []phase
	var courses []*course
	for i, f := range forms() {
		word := fmt.Sprintf("SUBTASK %d.", i)
		var w worker
		c := phases(w.starts(), w.carried(load{19_999, ""}, load{20_000, "1"}), w.handsOver(exactly(f.text, f.name+"\nUser decisions pending: none")))
		courses = append(courses, c)
		script.Agent(word).Do(c.answer)
		var p parent
		lead = append(lead, p.spawns(hostrun.ClaudeSpawn{Prompt: word}), p.reads())
	}
	leading := phases(append(lead, says(model.Text("main is done")))...)
	main := script.Main().Do(leading.answer)

	claude := withPlugin(t, script, "soft=20000")
	runs(t, claude, script, "Do the task.", "main is done")
	for _, c := range append(courses, leading) {
		c.finished(t)
	}
	if t.Failed() {
		return
	}

	all := handovers(t, storeFolder(claude))
	if len(all) != len(forms()) {
		t.Fatalf("%d handovers, want %d", len(all), len(forms()))
	}
	for i, f := range forms() {
		if all[i].Parts["handover"] != f.text {
			t.Errorf("%s: the stored text is not what was written", f.name)
		}
		view := viewOf(t, lastOf(t, main), all[i].Head.ID)
		if want := "next steps: " + f.steps; !strings.Contains(view.Own, want) {
			t.Errorf("%s: the view does not say %q:\n%s", f.name, want, view.Own)
		}
		first := ""
		for _, frame := range view.Frames {
			if strings.HasPrefix(frame.What, "Prioritized next steps") {
				first, _, _ = strings.Cut(frame.Body, "\n")
			}
		}
		if first != f.excerpt {
			t.Errorf("%s: the excerpt of the next steps starts %q, want %q", f.name, first, f.excerpt)
		}
		if advised := strings.Contains(view.Own, "more than half of a soft limit: compress"); advised != f.large {
			t.Errorf("%s: advice to compress: %v, want %v", f.name, advised, f.large)
		}
	}
	shown.Show(t, "b", "The parent's view shows and counts the next steps as section 7, in bold, and numbered and bold; two such sections are unknown. "+
		"A handover of one token over half of soft is stored as it is and its view advises to compress; one of half does not.")
}

//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestCompactedMain: the host compacts a main agent that gets notices. It is
// introduced again, and its stages start anew with the template.
func TestCompactedMain(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	work := phases(
		w.starts(), w.carried(load{99_999, ""}, load{100_000, "1"}, load{125_000, "3"}), overflows(),
		w.meetsAgain(),
		w.carried(load{99_999, ""}, load{100_000, "1"}),
		checks(func(turn *model.Turn) {
			if len(w.First.Headings) == 0 {
				turn.Fatalf("the first notice of the new epoch has no template: %s", w.First.Text)
			}
		}),
		says(model.Text("main is done")),
	)
	summarises(script, script.Main().Do(work.answer))

	claude := withPlugin(t, script, "soft=100000")
	configure(t, claude, `{"mode":{"main":"advise"}}`)
	claude.Model = smallModel
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	shown.Show(t, "f", "A main agent in mode advise that the host compacted by itself is introduced again, its earlier notices are gone, and stage 1 comes again with the template.")
}

// TestCompactedByPerson: a person compacts a main agent, which by default gets no
// notices. It gets the parent's part again, once, and nothing after resuming.
func TestCompactedByPerson(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	introduced := func(turn *model.Turn) {
		text := turn.AllText()
		i := literal.ReadIntroduction(turn, text)
		i.Read(turn, "an agent's id")
		if literal.HasNotice(text) || strings.Contains(i.Text, outdated) {
			turn.Fatalf("a main agent without notices was sent: %s", text)
		}
	}
	var steps []func(*model.Turn) model.Answer
	for range 3 {
		steps = append(steps, func(turn *model.Turn) model.Answer {
			introduced(turn)
			return model.Text("main is done").Using(filled(190_000 + 1_000*turn.Index))
		})
	}
	main := script.Main().Steps(steps...)
	summarises(script, main)

	claude := withPlugin(t, script, "soft=100000")
	session := claude.Session()
	for _, prompt := range []string{"Do the task.", "/compact", "Go on."} {
		session.Prompt(prompt)
	}
	r := session.End()
	runs(t, claude, script, "Go on again.", "main is done", "--resume", r.Session)
	shown.Show(t, "f", "After a person's /compact a main agent in the default mode holds the parent's part once and no notice; after a resume it still does.")
}

//go:build e2e

package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// withoutTool is what a subagent does that is told of a tool it turns out not to
// have: it tries to load it if it can, and reports, as the notice says.
func withoutTool(w *worker) phase {
	tried := false
	return func(t *model.Turn) (model.Answer, outcome) {
		load := w.Last.Load(t)
		switch {
		case t.CanCall(w.Last.Tool):
			t.Fatalf("%s has the tool %s", t.Request.Conversation, w.Last.Tool)
		case !tried && t.CanCall(load.Name):
			tried = true
			return w.using(load.Answer()), again
		case !strings.Contains(w.Last.Text, "If the tool is not available, finish the step and report normally, with open points and next steps."):
			t.Fatalf("%s is not told what to do without the tool: %s", t.Request.Conversation, w.Last.Text)
		}
		return w.using(model.Text(ordinary)), over
	}
}

// TestToolUnavailable: the person forbade the tool, or the agent's definition
// does not list it, or nobody does without asking. The subagent reports as ever.
func TestToolUnavailable(t *testing.T) {
	t.Parallel()
	forbidden := func(c *hostrun.Claude) { c.Args = []string{"--disallowedTools=" + ourServer + "__context_handover"} }
	for _, c := range []struct {
		name   string
		change func(testing.TB, *hostrun.Claude)
		spawn  hostrun.ClaudeSpawn
		sub    func(*worker) []phase
		shows  string
	}{
		{
			name:   "disallowed",
			change: func(_ testing.TB, c *hostrun.Claude) { forbidden(c) },
			sub:    func(w *worker) []phase { return []phase{withoutTool(w)} },
			shows:  "With `--disallowedTools` for our tool a subagent that was told to hand over could not load it and reported as the notice says; nothing was stored.",
		},
		{
			name:   "disallowed and called all the same",
			change: func(_ testing.TB, c *hostrun.Claude) { forbidden(c) },
			sub: func(w *worker) []phase {
				a := asked{}
				return []phase{
					func(*model.Turn) (model.Answer, outcome) {
						return w.Last.Store(askedHandover, askedSummary).Unchecked(), over
					},
					a.answered("No such tool available"), reports(),
				}
			},
			shows: "Called without being loaded, the host refused the forbidden tool; nothing was stored.",
		},
		{
			name: "not in the agent's definition",
			change: func(tb testing.TB, c *hostrun.Claude) {
				folder := filepath.Join(c.Dir, ".claude", "agents")
				if err := os.MkdirAll(folder, 0o700); err != nil {
					tb.Fatal(err)
				}
				writeFile(tb, filepath.Join(folder, "reader.md"), "---\nname: reader\ndescription: reads\ntools: Read, Bash\n---\nYou read.\n", 0o600)
			},
			spawn: hostrun.ClaudeSpawn{Type: "reader"},
			sub:   func(w *worker) []phase { return []phase{withoutTool(w)} },
			shows: "A subagent whose definition lists neither our tools nor the one that loads them was told to hand over, and reported as the notice says; nothing was stored.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			script := model.NewScript(t, hostrun.ClaudeHost())
			var w worker
			var p parent
			c.spawn.Prompt = "SUBTASK: work."
			work := phases(append([]phase{w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"})}, c.sub(&w)...)...)
			lead := phases(p.spawns(c.spawn), p.ends(ordinary, "main is done"))
			script.Main().Do(lead.answer)
			script.Agent("SUBTASK").Do(work.answer)
			claude := withPlugin(t, script)
			c.change(t, claude)
			runs(t, claude, script, "Do the task.", "main is done")
			work.finished(t)
			lead.finished(t)
			nothingStored(t, storeFolder(claude))
			shown.Show(t, "e", c.shows)
		})
	}
}

// TestPlanMode: in plan mode the notice asks for a normal report; whoever calls
// all the same is refused for that reason, the main agent like a subagent.
// Reading goes on.
func TestPlanMode(t *testing.T) {
	t.Parallel()
	t.Run("notice", func(t *testing.T) {
		t.Parallel()
		script := model.NewScript(t, hostrun.ClaudeHost())
		w := worker{Quick: true}
		var p parent
		work := phases(
			w.starts(),
			says(hostrun.ClaudeBash("ls").Using(filled(199_000))),
			says(hostrun.ClaudeBash("ls").Using(filled(200_000))),
			func(t *model.Turn) (model.Answer, outcome) {
				literal.ReadReportNotice(t, t.NewSystemText())
				return model.Text(ordinary).Using(filled(200_000)), over
			},
		)
		lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: plan."}), p.ends(ordinary, "main is done"))
		script.Main().Do(lead.answer)
		script.Agent("SUBTASK").Do(work.answer)
		claude := planning(t, script)
		runs(t, claude, script, "Plan the task.", "main is done")
		work.finished(t)
		lead.finished(t)
		nothingStored(t, storeFolder(claude))
		shown.Show(t, "e", "In plan mode the notice asked for a normal report and named no tool; the report arrived, nothing was stored.")
	})
	t.Run("subagent", func(t *testing.T) {
		t.Parallel()
		var a asked
		e := runErrand(t, ordinary, func(s *model.Script) *hostrun.Claude { return planning(t, s) },
			a.finds(), a.stores(askedHandover, askedSummary), a.refused("plan-mode"), reports())
		e.nothing(t)
		shown.Show(t, "e", "A subagent that called all the same in plan mode was refused as `plan-mode`; nothing was stored.")
	})
	t.Run("main", func(t *testing.T) {
		t.Parallel()
		script := model.NewScript(t, hostrun.ClaudeHost())
		var a asked
		lead := phases(a.finds(), a.stores(askedHandover, askedSummary), a.refused("plan-mode"), says(model.Text("main is done")))
		script.Main().Do(lead.answer)
		claude := planning(t, script)
		runs(t, claude, script, "Hand over.", "main is done")
		lead.finished(t)
		nothingStored(t, storeFolder(claude))
		shown.Show(t, "e", "The main agent that called in plan mode was refused as `plan-mode`; nothing was stored.")
	})
}

// planning is a Claude Code in plan mode, with our plugin.
func planning(tb testing.TB, script *model.Script) *hostrun.Claude {
	tb.Helper()
	claude := withPlugin(tb, script)
	claude.Mode = "plan"
	claude.Env["CLAUDE_CODE_AUTO_MODE_SERVER"] = "0" // plan mode asks the classifier, too
	return claude
}

// TestReadsWithoutHooks: what was stored can be read where no hook runs and in
// plan mode. Without a hook nobody knows who reads, and the record says so.
func TestReadsWithoutHooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		verified bool
		then     func(testing.TB, *hostrun.Claude, string)
	}{
		{"no hooks", false, func(tb testing.TB, c *hostrun.Claude, plugin string) {
			noHooks(tb, plugin)
			c.Allow = append(c.Allow, ourServer)
		}},
		{"plan mode", true, func(_ testing.TB, c *hostrun.Claude, _ string) { c.Mode = "plan" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plugin := altered(t)
			var a asked
			var reads literal.Receipt
			var w literal.Whole
			script := model.NewScript(t, hostrun.ClaudeHost())
			var p parent
			storing := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: hand over."}), func(t *model.Turn) (model.Answer, outcome) {
				reads = literal.ReadReceipt(t, t.NewText())
				return model.Text("main is done"), over
			})
			reading := phases(
				func(t *model.Turn) (model.Answer, outcome) {
					return loads(listed(t, "read_handover")), over
				},
				func(t *model.Turn) (model.Answer, outcome) {
					return model.ToolUse(reads.Reader(t).Name, map[string]any{"id": reads.ID, "full": true}), over
				},
				func(t *model.Turn) (model.Answer, outcome) {
					if next := w.Add(t, t.LastToolResult().Text); next != nil {
						t.Fatalf("more pages: %s", next.Input)
					}
					return model.Text("main is done"), over
				},
			)
			script.Main("Do the task.").Do(storing.answer)
			script.Main("Read the handover.").Do(reading.answer)
			work := phases(a.finds(), a.stores(askedHandover, askedSummary), a.ends())
			script.Agent("SUBTASK").Do(work.answer)
			claude := withAltered(t, script, plugin)
			runs(t, claude, script, "Do the task.", "main is done")
			c.then(t, claude, plugin)
			runs(t, claude, script, "Read the handover.", "main is done")
			for _, course := range []*course{storing, reading, work} {
				course.finished(t)
			}
			if t.Failed() {
				return
			}
			if w.Handover() != askedHandover {
				t.Errorf("read %q", w.Handover())
			}
			read := pagesRead(t, storeFolder(claude), reads.ID)
			if len(read) != 1 || read[0].Verified != c.verified {
				t.Errorf("recorded reads %+v, want one, verified %v", read, c.verified)
			}
			if c.verified {
				shown.Show(t, "e", "A handover is read in plan mode as elsewhere.")
			} else {
				shown.Show(t, "e", "A handover is read in full where no hook runs; the read is recorded as unverified.")
			}
		})
	}
}

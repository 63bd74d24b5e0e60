//go:build e2e

package claude

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestStages: a subagent is carried over every stage that docs/limits.md gives
// for its window, one token at a time where it matters. Each stage is told once,
// in the very next request; nothing is told one token below; the main agent,
// which is as full, is told nothing; the host compacts nobody before.
func TestStages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, window, who, model string }{
		{"200k", "200,000", "both", "claude-opus-4-6"},
		{"1M", "1,000,000", "subagent", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			row := documented(t, c.window, c.who)
			loads, told := overEvery(row)
			script := model.NewScript(t, hostrun.ClaudeHost())
			w := worker{}
			var p parent
			work := phases(w.starts(), w.carried(loads...), w.handsOver(drafted(nil, "All is written down.\nUser decisions pending: none")))
			lead := phases(
				says(hostrun.ClaudeBash("true").Using(filled(row.compaction-6_000))),
				says(hostrun.ClaudeBash("true").Using(filled(row.compaction-1_000))),
				p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}),
				p.reads(),
				says(model.Text("main is done")),
			)
			main := script.Main().Do(lead.answer)
			sub := script.Agent("SUBTASK").Do(work.answer)

			claude := withPlugin(t, script)
			claude.Model = c.model
			runs(t, claude, script, "Do the task.", "main is done")
			work.finished(t)
			lead.finished(t)

			if got := literal.Stages(lastOf(t, sub).SystemText()); !slices.Equal(got, told) {
				t.Errorf("the subagent's last request holds the notices %q, want %q", got, told)
			}
			if literal.HasNotice(lastOf(t, main).AllText()) {
				t.Error("the main agent was sent a notice")
			}
			if asked := script.Log().Where(func(r *model.Request) bool { return r.Origin.Kind == model.KindCompaction }); len(asked) > 0 {
				t.Errorf("the host compacted %d times", len(asked))
			}
			d := onlyHandover(t, storeFolder(claude)).Head.Diagnostics
			if d.PromptedBy != "notice" || d.Stage != len(told) || d.Soft.Tokens != row.stages[0] || d.Reading.Tokens != row.compaction-1_000 {
				t.Errorf("stored diagnostics: %+v", d)
			}
			shown.Show(t, "a", "With a window of "+c.window+" a subagent's requests hold one notice each from "+list(row.stages)+
				" tokens on, as docs/limits.md says: in the very next request, none one token below, none twice, none for the main agent, which was filled as far. "+
				"The host compacted nobody up to 1,000 tokens below its own point of "+thousands(row.compaction)+".")
		})
	}
}

// TestStageJump: a jump over several stages is told once, as the highest; a
// lower stage never comes after it; after a fall below half of what was told
// last, as after an unseen compaction, stage 1 is told again with the template.
func TestStageJump(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	work := phases(w.starts(), w.carried(
		load{18_000, ""}, load{24_000, "3"}, load{22_500, ""}, load{24_500, ""}, load{30_000, "4"}, load{31_000, ""},
		load{14_000, ""}, load{20_000, "1"}, load{21_000, ""},
	), checks(func(turn *model.Turn) {
		if len(w.Last.Headings) == 0 || len(w.First.Headings) == 0 {
			turn.Fatalf("the first notice of an epoch has no template: %s", w.Last.Text)
		}
	}), says(model.Text(report)))
	var p parent
	script.Main().Do(phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}), p.ends(report, "main is done")).answer)
	script.Agent("SUBTASK").Do(work.answer)

	claude := withPlugin(t, script, "soft=20000")
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	if all := handovers(t, storeFolder(claude)); len(all) != 0 {
		t.Errorf("%d handovers of an agent that stored none", len(all))
	}
	shown.Show(t, "a", "A jump from below stage 1 to stage 3 puts one notice into the next request, of stage 3 and with the template; a smaller stage never follows. "+
		"After a fall below half of it stage 1 is told again, with the template. A report in spite of notices reaches the parent, and nothing is stored.")
}

// windowRow is a row of the table in docs/limits.md.
type windowRow struct {
	compaction int
	stages     []int // with the reminder, if there is one
}

// documented returns the row for a window and a role.
func documented(t *testing.T, window, who string) windowRow {
	t.Helper()
	page, err := os.ReadFile("../../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(page), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 7 || cells[0] != window || cells[2] != who {
			continue
		}
		var numbers []int
		for _, i := range []int{1, 3, 4, 5, 6} {
			if n, err := strconv.Atoi(strings.ReplaceAll(cells[i], ",", "")); err == nil {
				numbers = append(numbers, n)
			}
		}
		return windowRow{numbers[0], numbers[1:]}
	}
	t.Fatalf("docs/limits.md has no row for %s, %s", window, who)
	return windowRow{}
}

// overEvery returns loads that touch every stage from below, from the host's own
// point of compaction 1,000 tokens away, and the notices they must give.
func overEvery(row windowRow) (loads []load, told []string) {
	loads = append(loads, load{row.stages[0] / 2, ""})
	for i, at := range row.stages {
		stage := strconv.Itoa(i + 1)
		told = append(told, stage)
		loads = append(loads, load{at - 1, ""}, load{at, stage}, load{at + 2_000, ""})
	}
	return append(loads, load{row.compaction - 1_000, ""}), told
}

func list(numbers []int) string {
	var words []string
	for _, n := range numbers {
		words = append(words, thousands(n))
	}
	return strings.Join(words, ", ")
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

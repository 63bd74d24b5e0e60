//go:build e2e

package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

const (
	queued   = "QUEUED: write one more file."
	ownWords = "I wrote the file you asked for."
)

// TestMessageQueued: a parent sends its subagent a message while that is about to
// hand over. It arrives with the answer of the call that stored. What the
// subagent does about it does not run, and its own words do not replace the
// receipt.
func TestMessageQueued(t *testing.T) {
	t.Parallel()
	text, summary := words("the words of the first")
	script := model.NewScript(t, hostrun.ClaudeHost())
	ready, sent := make(chan struct{}), make(chan struct{})
	var w worker
	var p parent
	var m messenger
	var to string
	work := phases(
		w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"}),
		asStored(&w, func(t *model.Turn) (model.Answer, outcome) {
			if !t.CanCall(w.Last.Tool) {
				return w.using(w.Last.Load(t).Answer()), again
			}
			close(ready)
			return w.using(w.Last.Store(text, summary)), over
		}, func(a model.Answer) model.Answer { return a.When(sent) }),
		func(t *model.Turn) (model.Answer, outcome) {
			w.Stored = literal.ReadStored(t, t.LastToolResult().Text)
			if !strings.Contains(t.NewText(), queued) {
				t.Fatalf("the message did not come with the answer: %s", t.NewText())
			}
			return w.using(hostrun.ClaudeBash("touch one-more-file")), over
		},
		func(t *model.Turn) (model.Answer, outcome) {
			closedAs(t, w.Stored.ID)
			return w.using(model.Text(ownWords)), over
		},
		corrected(&w),
	)
	lead := phases(
		p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: write.", Background: true}),
		func(t *model.Turn) (model.Answer, outcome) {
			to = agentIn(t, t.LastToolResult().Text)
			m.tool = listed(t, "SendMessage")
			return loads(m.tool).When(ready), over
		},
		m.sends(&to, queued),
		func(t *model.Turn) (model.Answer, outcome) {
			close(sent)
			return model.Text("Waiting for the subagent."), over
		},
		p.reads(), says(model.Text("main is done")),
	)
	script.Main().Do(lead.answer)
	sub := script.Agent("SUBTASK").Do(work.answer)
	claude := withPlugin(t, script)
	session := runs(t, claude, script, "Do the task.", "main is done").Session
	work.finished(t)
	lead.finished(t)
	if t.Failed() {
		return
	}
	onlyHandover(t, storeFolder(claude)).belongs(t, session, sub.Requests()[0].Origin.Agent, text, summary)
	if _, err := os.Stat(filepath.Join(claude.Dir, "one-more-file")); err == nil {
		t.Error("a tool of the closed subagent ran")
	}
	shown.Show(t, "c", "A message that was queued before the subagent stored came with the receipt: the tool it asked for did not run, and after one correction the parent got the receipt, not the subagent's own words.")
}

// corrected is what an agent does about a correction: it ends with the receipt
// in it, which does not repeat the summary.
func corrected(w *worker) phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		// The host says what a hook said twice; the model takes the first.
		said, _, _ := strings.Cut(t.NewText(), "SubagentStop hook blocking error")
		c := literal.ReadCorrection(t, said)
		if c.ID != w.Stored.ID || c.Summary != "" {
			t.Fatalf("the correction is about %s and repeats the summary %q", c.ID, c.Summary)
		}
		return w.using(model.Text(c.Block)), over
	}
}

// TestMessageLate: a message was let through before the subagent stored, and is
// delivered when that has ended: the host wakes it. Its tools do not run; what
// it sends to its parent now is not its old summary once more but, in auto mode,
// the refusal, and elsewhere the receipt without the summary.
func TestMessageLate(t *testing.T) {
	t.Parallel()
	for _, auto := range []bool{false, true} {
		name := "default mode"
		if auto {
			name = "auto mode"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lateMessage(t, auto)
			if auto {
				shown.Show(t, "c", "A subagent that a late message woke after its handover ran no tool; its second hand-back reached the parent as the refusal with the call that reads the handover, without its summary.")
			} else {
				shown.Show(t, "c", "A subagent that a late message woke after its handover ran no tool; the parent got the receipt again, without its summary.")
			}
		})
	}
}

func lateMessage(t testing.TB, auto bool) {
	text, summary := words("the words of the first")
	script := model.NewScript(t, hostrun.ClaudeHost())
	claude := withPlugin(t, script)
	claude.InstallPlugin(besideFolder, "does=hold-message")
	sends := func(text string) model.Answer { return model.Text(text) }
	if auto {
		claude.Mode = "auto"
		sends = hostrun.ClaudeHandback
	}
	ready, asked := make(chan struct{}), make(chan struct{})
	var w worker
	var p parent
	var m messenger
	var to string
	work := []phase{
		w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"}),
		func(t *model.Turn) (model.Answer, outcome) {
			close(ready)
			return w.using(w.Last.Load(t).Answer().When(asked)), over
		},
		func(*model.Turn) (model.Answer, outcome) {
			// Meanwhile the parent's message passes our hook, and is held by the other.
			return w.using(w.Last.Store(text, summary).After(time.Second)), over
		},
		func(turn *model.Turn) (model.Answer, outcome) {
			w.Stored = literal.ReadStored(turn, turn.LastToolResult().Text)
			writeFile(t, filepath.Join(claude.Dir, "subagent-ends"), "", 0o600)
			return w.using(sends(w.Stored.Block)), over
		},
		func(t *model.Turn) (model.Answer, outcome) {
			if !strings.Contains(t.NewText(), queued) {
				t.Fatalf("woken with: %s", t.NewText())
			}
			return w.using(hostrun.ClaudeBash("touch one-more-file")), over
		},
		func(t *model.Turn) (model.Answer, outcome) {
			closedAs(t, w.Stored.ID)
			return w.using(sends(ownWords)), over
		},
	}
	if !auto {
		work = append(work, corrected(&w))
	}
	working := phases(work...)
	var heard hearing
	leading := phases(
		p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: write.", Background: true}),
		func(t *model.Turn) (model.Answer, outcome) {
			to = agentIn(t, t.LastToolResult().Text)
			m.tool = listed(t, "SendMessage")
			return loads(m.tool).When(ready), over
		},
		func(t *model.Turn) (model.Answer, outcome) {
			close(asked)
			return m.sends(&to, queued)(t)
		},
		heard.twice(summary, auto),
	)
	script.Main().Do(leading.answer)
	sub := script.Agent("SUBTASK").Do(working.answer)
	result := claude.Run("Do the task.")
	working.finished(t)
	if !heard.second {
		t.Error("the parent was sent nothing when the woken subagent ended")
	}
	if t.Failed() {
		return
	}
	onlyHandover(t, storeFolder(claude)).belongs(t, result.Session, sub.Requests()[0].Origin.Agent, text, summary)
	if _, err := os.Stat(filepath.Join(claude.Dir, "one-more-file")); err == nil {
		t.Error("a tool of the closed subagent ran")
	}
}

// hearing is a parent that is sent word of one subagent two times.
type hearing struct {
	id            string
	first, second bool
}

// twice waits for the receipt with its summary, and then for what comes instead
// of the woken subagent's words: neither these nor the summary.
func (h *hearing) twice(summary string, auto bool) phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		got := hostrun.ClaudeReport(t.NewText())
		if auto {
			got = t.NewText()
		}
		switch {
		case !strings.Contains(got, "[handover:"):
		case !h.first:
			r := literal.ReadReceipt(t, got)
			if r.Summary != summary {
				t.Fatalf("the first receipt has the summary %q", r.Summary)
			}
			h.id, h.first = r.ID, true
		case auto:
			if c := literal.ReadClosed(t, got); c.ID != h.id {
				t.Fatalf("the refusal is about %s, the receipt was %s", c.ID, h.id)
			}
			h.second = true
		default:
			if r := literal.ReadReceipt(t, got); r.ID != h.id {
				t.Fatalf("the second receipt is %s, the first was %s", r.ID, h.id)
			}
			h.second = true
		}
		if h.second && (strings.Contains(got, ownWords) || strings.Contains(got, "User decisions pending")) {
			t.Fatalf("the parent was sent the summary again, or the woken subagent's words: %s", got)
		}
		return model.Text("Waiting for the subagent."), again
	}
}

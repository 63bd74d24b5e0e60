//go:build e2e

package claude

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestFinishedAboveSoft: a subagent that finishes its task after a notice reports
// as ever. Its report arrives word for word, and nothing else comes of it.
func TestFinishedAboveSoft(t *testing.T) {
	t.Parallel()
	const finished = "The task is finished.\n\n* all 7 tests pass\n* nothing is open"
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	work := phases(w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"}, load{245_000, "3"}), func(*model.Turn) (model.Answer, outcome) {
		return w.using(model.Text(finished)), over
	})
	lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: finish."}), func(t *model.Turn) (model.Answer, outcome) {
		got := t.LastToolResult().Text
		if said := strings.ReplaceAll(got, "\n  ", "\n"); !strings.Contains(said, finished) || strings.Contains(got, "[handover:") {
			t.Fatalf("the parent was sent: %s", got)
		}
		return model.Text("main is done"), over
	})
	script.Main().Do(lead.answer)
	script.Agent("SUBTASK").Do(work.answer)
	claude := withPlugin(t, script)
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	lead.finished(t)
	nothingStored(t, storeFolder(claude))
	shown.Show(t, "c", "A subagent that finished its task above every stage reported as ever: the parent was sent its words and none of ours, and nothing was stored.")
}

// nothingPattern is the answer to a read of an agent without a handover, with
// the path of its transcript.
var nothingPattern = regexp.MustCompile(`^\[handover:nothing not-stored\] The agent "(a[0-9a-f]{16})" stored no handover\. Its own transcript is ("[^\n]*?")\. `)

// wants is a parent that reads by a subagent's id, as its introduction says.
type wants struct {
	introduction literal.Introduction
	id           string
	transcript   string
}

// introduced takes the introduction from the first request.
func (w *wants) introduced() phase {
	return checks(func(t *model.Turn) { w.introduction = literal.ReadIntroduction(t, t.NewSystemText()) })
}

// reads tries to read by the id, and takes the path from the answer.
func (w *wants) reads(end string) []phase {
	var call literal.Call
	return []phase{
		func(t *model.Turn) (model.Answer, outcome) {
			call = w.introduction.Read(t, w.id)
			return loads(listed(t, "read_handover")), over
		},
		func(*model.Turn) (model.Answer, outcome) { return call.Answer(), over },
		func(t *model.Turn) (model.Answer, outcome) {
			got := t.LastToolResult().Text
			m := nothingPattern.FindStringSubmatch(got)
			if m == nil || m[1] != w.id {
				t.Fatalf("reading by the id %s gave: %s", w.id, got)
			}
			var err error
			if w.transcript, err = strconv.Unquote(m[2]); err != nil {
				t.Fatalf("the path %s: %v", m[2], err)
			}
			return model.Text(end), over
		},
	}
}

// found checks that the path is the subagent's transcript and holds its work.
func (w *wants) found(tb testing.TB, claude *hostrun.Claude, session, holds string) {
	tb.Helper()
	if want := claude.Transcript(session, w.id); w.transcript != want {
		tb.Errorf("the parent was told %s, the transcript is %s", w.transcript, want)
	}
	data, err := os.ReadFile(w.transcript)
	if err != nil || !strings.Contains(string(data), holds) {
		tb.Errorf("%s does not hold %q: %v", w.transcript, holds, err)
	}
	nothingStored(tb, storeFolder(claude))
}

// TestKilledByProvider: a subagent that was told to hand over ends by an error of
// its provider. Its parent reads by its id and is told that nothing was stored,
// and where its transcript is.
func TestKilledByProvider(t *testing.T) {
	t.Parallel()
	for name, background := range map[string]bool{"foreground": false, "background": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := model.NewScript(t, hostrun.ClaudeHost())
			var w worker
			var p parent
			var want wants
			refuses := func(*model.Turn) (model.Answer, outcome) { // however often the host tries
				return model.Fail(529, `{"type":"error","error":{"type":"overloaded_error","message":"no more"}}`), again
			}
			work := phases(
				w.starts(), says(model.Text("I begin.").Then(hostrun.ClaudeBash("true")).Using(filled(150_000))),
				w.carried(load{199_999, ""}, load{200_000, "1"}), refuses,
			)
			lead := []phase{want.introduced(), p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: write.", Background: background}), checks(func(t *model.Turn) { want.id = agentIn(t, t.NewText()) })}
			if background {
				lead = append(lead, p.waits())
			}
			leading := phases(append(lead, want.reads("main is done")...)...)
			script.Main().Do(leading.answer)
			script.Agent("SUBTASK").Do(work.answer)
			claude := withPlugin(t, script)
			claude.Env["CLAUDE_CODE_MAX_RETRIES"] = "1"
			result := claude.Run("Do the task.")
			leading.finished(t)
			if t.Failed() {
				return
			}
			want.found(t, claude, result.Session, "I begin.")
			shown.Show(t, "c", "The parent of a subagent that its provider ended, after a notice, read by its id and was told that nothing was stored and where its transcript is; that file holds its work.")
		})
	}
}

// TestKilledWithHost: the host is killed while a subagent works. In the resumed
// session the parent reads by its id and is told the same.
func TestKilledWithHost(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	var want wants
	hangs, never := make(chan struct{}), make(chan struct{})
	work := phases(w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"}), func(t *model.Turn) (model.Answer, outcome) {
		close(hangs)
		return w.using(w.Last.Load(t).Answer().When(never)), over
	})
	lead := []phase{
		want.introduced(), p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: write.", Background: true}),
		func(t *model.Turn) (model.Answer, outcome) {
			want.id = agentIn(t, t.NewText())
			return model.Text("Waiting for the subagent."), over
		},
	}
	leading := phases(append(lead, want.reads("main is done")...)...)
	script.Main().Do(leading.answer)
	script.Agent("SUBTASK").Do(work.answer)
	claude := withPlugin(t, script)
	session := claude.Session()
	session.Send("Do the task.")
	<-hangs
	session.Kill()
	killed := session.End()
	result := claude.Run("Go on.", "--resume", killed.Session)
	work.finished(t)
	leading.finished(t)
	if t.Failed() {
		return
	}
	if result.Text != "main is done" || result.Session != killed.Session {
		t.Errorf("the resumed session %s ended with %q, the killed one was %s", result.Session, result.Text, killed.Session)
	}
	want.found(t, claude, result.Session, "sleep 0.2")
	shown.Show(t, "c", "After the host was killed with a subagent in it, the parent in the resumed session read by its id and was told that nothing was stored and where its transcript is; that file holds its work.")
}

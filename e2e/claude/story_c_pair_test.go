//go:build e2e

package claude

import (
	"fmt"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// two is a story of two subagents that work at once and hand over at the same
// moment: each from what it alone was sent.
type two struct {
	handovers [2]string
	summaries [2]string
	ids       [2]string // of their calls, "" for a good provider
	beside    string    // what somebody else's hook does
	lost      bool      // the calls reach the server without the host's id
	refused   []string  // causes that a call may be refused for before it is stored
	held      bool      // the first one's call is held back until the second's is stored
}

// tell runs the story and checks that each subagent's text is stored once, under
// it, with its own task, and that the parent was sent each receipt as that
// subagent's. It returns how many calls were refused for which cause.
func (s two) tell(t testing.TB) map[string]int {
	script := model.NewScript(t, hostrun.ClaudeHost())
	start, call := meetingOf(2), meetingOf(2)
	refusals := map[string]int{}
	tasks := [2]string{"SUBTASK-A: the first half.", "SUBTASK-B: the second half."}
	var courses [2]*course
	var subs [2]*model.Conversation
	for i, marker := range []string{"SUBTASK-A", "SUBTASK-B"} {
		w := &worker{}
		id := s.ids[i]
		together := func(a model.Answer) model.Answer {
			if id != "" {
				a = a.WithID(id)
			}
			return call.joins(a)
		}
		courses[i] = phases(
			w.starts(),
			func(*model.Turn) (model.Answer, outcome) { return start.joins(hostrun.ClaudeBash("true")), over },
			w.carried(load{199_999, ""}, load{200_000, "1"}),
			s.handsOver(w, s.handovers[i], s.summaries[i], together, refusals),
		)
		subs[i] = script.Agent(marker).Do(courses[i].answer)
	}
	receipts := map[string]string{} // by agent, as the parent was sent them
	lead := phases(
		says(hostrun.ClaudeSpawn{Prompt: tasks[0]}.Call().Then(hostrun.ClaudeSpawn{Prompt: tasks[1]}.Call())),
		func(t *model.Turn) (model.Answer, outcome) {
			for _, r := range t.LastToolResults() {
				receipts[agentIn(t, r.Text)] = literal.ReadReceipt(t, r.Text).ID
			}
			return model.Text("main is done"), over
		},
	)
	script.Main().Do(lead.answer)

	var changes []change
	if s.lost {
		changes = append(changes, through("unnamed"))
	}
	claude := withAltered(t, script, altered(t, changes...))
	if s.beside != "" {
		claude.InstallPlugin(besideFolder, "does="+s.beside)
	}
	session := runs(t, claude, script, "Do the task.", "main is done").Session
	lead.finished(t)
	got := byOwner(t, storeFolder(claude))
	if len(got) != 2 || len(receipts) != 2 {
		t.Errorf("%d agents have handovers, the parent was sent %d receipts, want 2 of each", len(got), len(receipts))
	}
	for i, c := range courses {
		c.finished(t)
		if t.Failed() {
			return nil
		}
		agent := subs[i].Requests()[0].Origin.Agent
		got[agent].belongs(t, session, agent, s.handovers[i], s.summaries[i])
		if task := got[agent].Parts["task"]; task != tasks[i] {
			t.Errorf("agent %d: the stored task is %q, want %q", i, task, tasks[i])
		}
		if receipts[agent] != got[agent].Head.ID {
			t.Errorf("agent %d: the parent was sent the receipt %s, stored is %s", i, receipts[agent], got[agent].Head.ID)
		}
	}
	first, second := got[subs[0].Requests()[0].Origin.Agent].Head.Created, got[subs[1].Requests()[0].Origin.Agent].Head.Created
	if s.held && !moment(t, first).After(moment(t, second)) {
		t.Errorf("the first was stored at %s, the second at %s: nothing was held back", first, second)
	}
	return refusals
}

func moment(tb testing.TB, text string) time.Time {
	tb.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		tb.Fatal(err)
	}
	return at
}

// handsOver is a worker's handing over whose first call goes out together with
// the other's. A refusal that says so is followed by the same call again.
func (s two) handsOver(w *worker, handover, summary string, together func(model.Answer) model.Answer, refusals map[string]int) phase {
	called := 0
	return func(t *model.Turn) (model.Answer, outcome) {
		if called == 0 && !t.CanCall(w.Last.Tool) {
			return w.using(w.Last.Load(t).Answer()), again
		}
		if called > 0 && literal.HasReceipt(t.LastToolResult().Text) {
			w.Stored = literal.ReadStored(t, t.LastToolResult().Text)
			return w.using(model.Text(w.Stored.Block)), over
		}
		if called > 0 {
			r := literal.ReadRefusal(t, t.LastToolResult().Text)
			if called > len(s.refused) || r.Cause != s.refused[called-1] {
				t.Fatalf("%s: call %d was refused: %s", t.Request.Conversation, called, r.Text)
			}
			refusals[r.Cause]++
		}
		answer := w.using(w.Last.Store(handover, summary))
		if called++; called == 1 {
			answer = together(answer)
		}
		return answer, again
	}
}

// words are a handover and a summary.
func words(of string) (string, string) {
	return fmt.Sprintf("## Done, checked\n%s — ok\n## Prioritized next steps\n1. Go on.\n", of), of + ".\nUser decisions pending: none"
}

// pair is a story of two subagents with these words.
func pair(first, second string) two {
	var s two
	s.handovers[0], s.summaries[0] = words(first)
	s.handovers[1], s.summaries[1] = words(second)
	return s
}

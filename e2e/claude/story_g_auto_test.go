//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// stuck is what the words of an agent besides its receipt are in these stories.
const stuck = "I got as far as the writer."

// ending is how a subagent that was told to hand over ends, in auto mode where
// the report leaves by a tool of the host's.
type ending struct {
	worker worker
	parent parent

	claude    *hostrun.Claude
	main, sub *model.Conversation
	agent     string // the subagent's id
}

// tell tells the story: the subagent is told and stores; then come the phases of
// its end and those of its parent, which has just been answered.
func (e *ending) tell(t *testing.T, mode string, judge func(*model.Turn) model.Answer, ends, then []phase) {
	t.Helper()
	w := &e.worker
	script := model.NewScript(t, hostrun.ClaudeHost())
	store := func(p phase) phase { // the phases of the end answer the turn with the receipt
		return func(turn *model.Turn) (model.Answer, outcome) {
			a, o := p(turn)
			if o == over {
				return model.Answer{}, passed
			}
			return a, o
		}
	}
	work := phases(append([]phase{
		w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"}), store(w.handsOver(exactly(askedHandover, askedSummary))),
	}, ends...)...)
	lead := phases(append([]phase{e.parent.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."})}, then...)...)
	e.main = script.Main().Do(lead.answer)
	e.sub = script.Agent("SUBTASK").Do(work.answer)
	if judge != nil {
		script.Side(model.KindClassifier).Do(judge)
	}
	e.claude = withPlugin(t, script)
	e.claude.Mode = mode
	runs(t, e.claude, script, "Do the task.", "main is done")
	work.finished(t)
	lead.finished(t)
	if !t.Failed() {
		e.agent = e.sub.Requests()[0].Origin.Agent
	}
}

// handsBack sends words by the tool that the answer to the stored handover named.
func (e *ending) handsBack(message func(receipt string) string) phase {
	return func(*model.Turn) (model.Answer, outcome) {
		s := e.worker.Stored
		return e.worker.using(model.ToolUse(s.HandBack, map[string]string{"message": message(s.Block)})), over
	}
}

// exactReceipt hands back what the answer asked for and nothing else.
func exactReceipt(receipt string) string { return receipt }

// asked checks that our hook, at the end of its turn, gave the agent its receipt
// once more, without the summary, and said by what tool it leaves; "" for none.
func (e *ending) asked(tool string) phase {
	return checks(func(turn *model.Turn) {
		// The host says what a hook said twice; the model takes the first.
		said, _, _ := strings.Cut(turn.NewText(), "SubagentStop hook blocking error")
		c := literal.ReadCorrection(turn, said)
		if c.ID != e.worker.Stored.ID || c.Summary != "" || c.HandBack != tool {
			turn.Fatalf("the correction is about %s, by %q, with the summary %q", c.ID, c.HandBack, c.Summary)
		}
		e.worker.Stored.Block = c.Block
	})
}

// facts returns what the store holds about the subagent's receipt: the name of
// each fact, and by what way it says the receipt went.
func (e *ending) facts(t *testing.T) map[string]string {
	t.Helper()
	store := storeFolder(e.claude)
	id := onlyHandover(t, store).Head.ID
	all := map[string]string{}
	for _, name := range []string{"delivered", "received", "corrected"} {
		for _, path := range files(t, store, "actors", "*", name) {
			var fact struct {
				Actor struct {
					Agent string `json:"agent"`
				} `json:"actor"`
				Data struct {
					ID string `json:"id"`
					By string `json:"by"`
				} `json:"data"`
			}
			readRecord(t, path, &fact)
			if fact.Actor.Agent != e.agent || fact.Data.ID != id {
				t.Errorf("%s is about %+v, want agent %s and %s", path, fact, e.agent, id)
			}
			all[name] = fact.Data.By
		}
	}
	return all
}

// recorded checks these facts: name=way, in alphabetical order.
func (e *ending) recorded(t *testing.T, want string) {
	t.Helper()
	var got []string
	facts := e.facts(t)
	for _, name := range []string{"corrected", "delivered", "received"} {
		if by, ok := facts[name]; ok {
			got = append(got, name+"="+by)
		}
	}
	if s := strings.Join(got, " "); s != want {
		t.Errorf("recorded are %q, want %q", s, want)
	}
}

// objects is the classifier that refuses what the parent is to be sent.
func objects(turn *model.Turn) model.Answer {
	return hostrun.ClaudeVerdict(!strings.Contains(turn.AllText(), receiptCame))
}

// TestHandBack: in auto mode the receipt leaves by the host's hand-back tool. Our
// hook sees to it that the parent gets the receipt, and the agent's own words
// after it in a frame. The host's word on the delivery is recorded.
func TestHandBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		message  func(string) string
		own      string // the framed own words that the parent must be sent
		judge    func(*model.Turn) model.Answer
		received string
		shows    string
	}{
		{"receipt", exactReceipt, "", nil, "send",
			"In auto mode the receipt left by SubagentHandback; the parent was sent it once, went on from it, and the store holds that it left and that the host delivered it."},
		{"own words only", func(string) string { return stuck }, stuck, nil, "send",
			"A hand-back without the receipt reached the parent as the receipt, with the agent's own words in a frame after it."},
		{"receipt and own words", func(receipt string) string { return receipt + "\n" + stuck }, stuck, nil, "send", ""},
		{"flagged", exactReceipt, "", objects, "flagged",
			"Where the classifier objects to the hand-back the host delivers it under a warning of its own: the parent was sent the receipt, and the store says that it was flagged."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var e ending
			e.tell(t, "auto", c.judge, []phase{e.handsBack(c.message)}, []phase{e.parent.reads(), says(model.Text("main is done"))})
			if t.Failed() {
				return
			}
			e.recorded(t, "delivered=hand-back received="+c.received)
			if e.worker.Stored.HandBack == "" || !strings.Contains(e.parent.View, "delivered=yes (joined)") {
				t.Errorf("the parent's view does not say that the receipt was delivered: %s", e.parent.View)
			}
			sent := lastOf(t, e.main).AllText()
			framed := "the subagent's own words (a report, no instructions)\n  " + c.own
			if strings.Contains(sent, "own words") != (c.own != "") || c.own != "" && !strings.Contains(sent, framed) {
				t.Errorf("the parent was sent: %s", sent)
			}
			if strings.Contains(sent, "SECURITY WARNING") != (c.judge != nil) {
				t.Errorf("the host's warning: %v", c.judge == nil)
			}
			if c.shows != "" {
				shown.Show(t, "g", c.shows)
			}
		})
	}
}

// TestNoHandBack: in auto mode a subagent stores and ends without the hand-back
// tool. It is asked once by us; the host asks as well, more often.
func TestNoHandBack(t *testing.T) {
	t.Parallel()
	t.Run("corrected", func(t *testing.T) {
		t.Parallel()
		var e ending
		e.tell(t, "auto", nil, []phase{
			says(model.Text(stuck)),
			e.asked("SubagentHandback"),
			e.handsBack(exactReceipt),
		}, []phase{e.parent.reads(), says(model.Text("main is done"))})
		if t.Failed() {
			return
		}
		e.recorded(t, "corrected= delivered=hand-back received=send")
		shown.Show(t, "g", "A subagent that ended without handing back was asked for its receipt once, with the hand-back tool named; what it then handed back reached the parent.")
	})
	t.Run("never", func(t *testing.T) {
		t.Parallel()
		var e ending
		asked := 0
		insists := func(turn *model.Turn) (model.Answer, outcome) {
			asked += strings.Count(turn.NewText(), "Stop hook feedback")
			return model.Text(stuck), over
		}
		var introduction literal.Introduction
		tool := ""
		read := []phase{
			func(turn *model.Turn) (model.Answer, outcome) {
				if literal.HasReceipt(turn.NewText()) {
					turn.Fatalf("the parent was sent a receipt that was never handed back: %s", turn.NewText())
				}
				introduction = literal.ReadIntroduction(turn, turn.AllText())
				tool = listed(turn, "read_handover")
				return loads(tool), over
			},
			func(turn *model.Turn) (model.Answer, outcome) {
				return introduction.Read(turn, agentIn(turn, turn.AllText())).Answer(), over
			},
			checks(func(turn *model.Turn) {
				e.parent.View = turn.LastToolResult().Text
				e.parent.Compact = literal.ReadCompact(turn, e.parent.View)
			}),
			says(model.Text("main is done")),
		}
		e.tell(t, "auto", nil, []phase{insists, insists, insists, insists}, read) // the host asks three times
		if t.Failed() {
			return
		}
		e.recorded(t, "corrected=")
		if asked != 1 {
			t.Errorf("our hook asked %d times, want once", asked)
		}
		if e.parent.Compact.ID != onlyHandover(t, storeFolder(e.claude)).Head.ID || !strings.Contains(e.parent.View, "delivered=no") {
			t.Errorf("the parent's view: %s", e.parent.View)
		}
		shown.Show(t, "g", "One that never handed back was asked once by us and then left alone; the host told its parent that there is no report, and the parent read the handover by the agent's id. It says delivered=no.")
	})
}

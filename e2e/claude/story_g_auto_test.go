//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

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

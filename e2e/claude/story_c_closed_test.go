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

// messenger is a parent that sends messages to its subagents.
type messenger struct{ tool string }

// sends calls the host's tool for messages; the turn with its result is the next
// phase's.
func (m *messenger) sends(to *string, message string) phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		if m.tool == "" {
			m.tool = listed(t, "SendMessage")
			return loads(m.tool), again
		}
		return model.ToolUse(m.tool, map[string]string{"to": *to, "summary": "a message", "message": message}), over
	}
}

// closedAs checks that the last call was refused because that handover exists.
func closedAs(t *model.Turn, id string) literal.Closed {
	got := t.LastToolResult()
	c := literal.ReadClosed(t, got.Text)
	if c.ID != id {
		t.Fatalf("%s: the text is about %s, stored is %s", t.Request.Conversation, c.ID, id)
	}
	return c
}

// TestClosed: a subagent that handed over and does not end. None of its tools
// runs any more, another text is not stored, the same text gets its receipt
// again. Its parent cannot send it a message, by its id or by its name, until a
// successor has that name.
func TestClosed(t *testing.T) {
	t.Parallel()
	const name = "writer"
	text, summary := words("the words of the first")
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	var s successor
	var m messenger
	var id string // the predecessor's, as the host names it to the parent
	to := name
	closed := func(t *model.Turn, a model.Answer) (model.Answer, outcome) {
		closedAs(t, w.Stored.ID)
		return w.using(a), over
	}
	work := phases(
		w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"}),
		func(t *model.Turn) (model.Answer, outcome) { return w.using(w.Last.Load(t).Answer()), over },
		func(*model.Turn) (model.Answer, outcome) { return w.using(w.Last.Store(text, summary)), over },
		func(t *model.Turn) (model.Answer, outcome) {
			w.Stored = literal.ReadStored(t, t.LastToolResult().Text)
			return w.using(hostrun.ClaudeBash("touch after-the-handover")), over
		},
		func(t *model.Turn) (model.Answer, outcome) {
			reader := closedAs(t, w.Stored.ID).Reader
			return w.using(reader.Answer().Unchecked()), over
		},
		func(t *model.Turn) (model.Answer, outcome) { return closed(t, w.Last.Store("another text", "another")) },
		func(t *model.Turn) (model.Answer, outcome) {
			if c := closedAs(t, w.Stored.ID); !strings.Contains(c.Text, "was not stored") {
				t.Fatalf("the other text: %s", c.Text)
			}
			return w.using(w.Last.Store(text, summary)), over
		},
		func(t *model.Turn) (model.Answer, outcome) {
			if r := literal.ReadStored(t, t.LastToolResult().Text); r.ID != w.Stored.ID {
				t.Fatalf("the same text again got %s, before %s", r.ID, w.Stored.ID)
			}
			return w.using(model.Text(w.Stored.Block)), over
		},
	)
	denied := func(t *model.Turn) {
		if c := closedAs(t, p.Receipt.ID); !strings.Contains(c.Text, "not delivered") {
			t.Fatalf("the message: %s", c.Text)
		}
	}
	lead := []phase{
		p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: write.", Name: name}),
		checks(func(t *model.Turn) { id = agentIn(t, t.NewText()) }),
	}
	lead = append(lead, p.replaces(func(s *hostrun.ClaudeSpawn) { s.Name = name })[0])
	lead = append(lead, m.sends(&id, "MESSAGE-BY-ID"), checks(denied), m.sends(&to, "MESSAGE-BY-NAME"), checks(denied))
	lead = append(lead,
		func(t *model.Turn) (model.Answer, outcome) {
			s := p.Spawned
			s.Prompt = p.Compact.Prompt.Line
			return s.Call(), over
		},
		m.sends(&to, "MESSAGE-TO-SUCCESSOR"),
		func(t *model.Turn) (model.Answer, outcome) {
			if got := t.LastToolResult(); got.Error || literal.HasReceipt(got.Text) || strings.Contains(got.Text, "[handover:closed]") {
				t.Fatalf("a message to the successor: %+v", got)
			}
			return model.Text("Waiting for the subagent."), over
		},
		p.ends("I have your message.", "main is done"),
	)
	leading := phases(lead...)
	next := phases(
		s.readsAll(),
		says(model.Text(report)),
		func(t *model.Turn) (model.Answer, outcome) {
			if got := t.NewText(); !strings.Contains(got, "MESSAGE-TO-SUCCESSOR") {
				t.Fatalf("the successor was woken with: %s", got)
			}
			return model.Text("I have your message."), over
		},
	)
	script.Main().Do(leading.answer)
	sub := script.Agent("SUBTASK").Do(work.answer)
	script.Agent("[handover:continue").Do(next.answer)

	claude := withPlugin(t, script)
	session := runs(t, claude, script, "Do the task.", "main is done").Session
	for _, c := range []*course{work, next, leading} {
		c.finished(t)
	}
	if t.Failed() {
		return
	}
	got := onlyHandover(t, storeFolder(claude))
	got.belongs(t, session, sub.Requests()[0].Origin.Agent, text, summary)
	if _, err := os.Stat(filepath.Join(claude.Dir, "after-the-handover")); err == nil {
		t.Error("a tool of the closed subagent ran")
	}
	if last := lastOf(t, sub); strings.Contains(last.AllText(), "MESSAGE-BY") {
		t.Error("a message reached the closed subagent")
	}
	shown.Show(t, "c", "After its handover no tool of the subagent ran; another text was not stored, the same text got the same receipt; the store holds one handover.")
	shown.Show(t, "c", "The parent's messages to it, by its id and by its name, were denied with the call that reads the handover; once its successor had the name, a message by name reached the successor.")
}

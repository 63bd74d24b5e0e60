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

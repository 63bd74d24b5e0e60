//go:build e2e

package claude

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// What a subagent that is asked to hand over writes.
const (
	askedHandover = "## Prioritized next steps\n1. Go on; it works when it goes on.\n"
	askedSummary  = "Half is done.\nUser decisions pending: none"
)

// asked is a subagent whose task asks it to hand over. No notice tells it how:
// it finds the tool in the host's list, as any model does.
type asked struct {
	Tool   string
	Stored literal.Stored
}

// listedPattern is a tool in the host's list of those that are not loaded.
var listedPattern = regexp.MustCompile(`(?m)^(\S+)$`)

// listed returns the only tool of the host's list whose name ends so.
func listed(t *model.Turn, name string) string {
	found := map[string]bool{}
	for _, m := range listedPattern.FindAllString(t.AllText(), -1) {
		if m == name || strings.HasSuffix(m, "__"+name) {
			found[m] = true
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s: the host lists %d tools %s: %v", t.Request.Conversation, len(found), name, found)
	}
	for tool := range found {
		return tool
	}
	return ""
}

// loads is a call of the host's tool that loads another.
func loads(tool string) model.Answer {
	return model.ToolUse("ToolSearch", map[string]string{"query": "select:" + tool})
}

// finds loads the storing tool; the next phase calls it.
func (a *asked) finds() phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		if a.Tool == "" {
			a.Tool = listed(t, "context_handover")
			return loads(a.Tool), again
		}
		if !t.CanCall(a.Tool) {
			t.Fatalf("%s: loading %s gave %+v", t.Request.Conversation, a.Tool, t.LastToolResults())
		}
		return model.Answer{}, passed
	}
}

// stores calls the storing tool; more arguments may be given as name, value.
func (a *asked) stores(handover, summary string, more ...string) phase {
	return func(*model.Turn) (model.Answer, outcome) {
		in := map[string]string{"handover": handover, "summary": summary}
		for i := 0; i+1 < len(more); i += 2 {
			in[more[i]] = more[i+1]
		}
		return model.ToolUse(a.Tool, in), over
	}
}

// refused checks that the call was refused for that cause, and that the text
// says what became of it.
func (a *asked) refused(cause string) phase {
	return checks(func(t *model.Turn) {
		r := literal.ReadRefusal(t, t.LastToolResult().Text)
		if r.Cause != cause || !strings.Contains(r.Text, "Nothing was stored") {
			t.Fatalf("%s: refused for %q, want %q: %s", t.Request.Conversation, r.Cause, cause, r.Text)
		}
	})
}

// answered checks that the call's result is the host's own, with these words,
// and that nothing in it looks like a handover.
func (a *asked) answered(words string) phase {
	return checks(func(t *model.Turn) {
		got := t.LastToolResult()
		if !got.Error || !strings.Contains(got.Text, words) || literal.HasReceipt(got.Text) {
			t.Fatalf("%s: the call was answered %+v, want an error that says %q", t.Request.Conversation, got, words)
		}
	})
}

// ends takes the receipt and ends with it.
func (a *asked) ends() phase {
	return func(t *model.Turn) (model.Answer, outcome) {
		a.Stored = literal.ReadStored(t, t.LastToolResult().Text)
		return model.Text(a.Stored.Block), over
	}
}

// ordinary is what a subagent reports that handed nothing over.
const ordinary = "the ordinary report, with open points and next steps"

// reports ends with the ordinary report, as every refusal asks for.
func reports() phase { return says(model.Text(ordinary)) }

// receiptCame is what a parent is sent of a subagent that handed over.
const receiptCame = "[handover:receipt]"

// errand is a story in which a main agent spawns one subagent that is asked to
// hand over.
type errand struct {
	claude    *hostrun.Claude
	main, sub *model.Conversation
	session   string
}

// runErrand tells it: the subagent goes through the phases, and the parent must be
// sent a report. Host makes the program to run with.
func runErrand(t testing.TB, report string, host func(*model.Script) *hostrun.Claude, sub ...phase) errand {
	t.Helper()
	script := model.NewScript(t, hostrun.ClaudeHost())
	var p parent
	lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: hand over what you have."}), p.ends(report, "main is done"))
	work := phases(sub...)
	e := errand{main: script.Main().Do(lead.answer), sub: script.Agent("SUBTASK").Do(work.answer)}
	e.claude = host(script)
	e.session = runs(t, e.claude, script, "Do the task.", "main is done").Session
	work.finished(t)
	lead.finished(t)
	return e
}

// agent is the subagent, by the host's word.
func (e errand) agent(tb testing.TB) string {
	tb.Helper()
	agents := byAgent(e.sub)
	if len(agents) != 1 {
		tb.Fatalf("%d subagents, want 1", len(agents))
	}
	return agents[0][0].Origin.Agent
}

// nothing checks that no handover is in the store, nor a trace of one.
func (e errand) nothing(tb testing.TB) {
	tb.Helper()
	nothingStored(tb, storeFolder(e.claude))
}

func nothingStored(tb testing.TB, store string) {
	tb.Helper()
	if all := files(tb, store, "handovers", "*"); len(all) > 0 {
		tb.Errorf("stored: %q", all)
	}
}

// one checks that the store holds one handover: the subagent's, with exactly
// these texts.
func (e errand) one(tb testing.TB, handover, summary string) {
	tb.Helper()
	got := onlyHandover(tb, storeFolder(e.claude))
	got.belongs(tb, e.session, e.agent(tb), handover, summary)
	if all := files(tb, storeFolder(e.claude), "handovers", "*"); len(all) != 1 {
		tb.Errorf("beside the handover: %q", all)
	}
}

// belongs checks whose a stored handover is and what it says.
func (s stored) belongs(tb testing.TB, session, agent, handover, summary string) {
	tb.Helper()
	if a := s.Head.Actor; a.Host != "claude" || a.Session != session || a.Agent != agent {
		tb.Errorf("%s: stored for %+v, want session %s agent %s", filepath.Base(s.Path), a, session, agent)
	}
	if s.Parts["handover"] != handover || s.Parts["summary"] != summary {
		tb.Errorf("%s: stored are %q and %q, want %q and %q", filepath.Base(s.Path), s.Parts["handover"], s.Parts["summary"], handover, summary)
	}
}

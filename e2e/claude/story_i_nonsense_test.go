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

// nonsense is a setting that means nothing, and what must be said about it.
type nonsense struct {
	name   string
	set    func(*testing.T, *hostrun.Claude)
	option string // given at the installation; "" for none
	says   []string
}

func variable(name, value string) func(*testing.T, *hostrun.Claude) {
	return func(_ *testing.T, c *hostrun.Claude) { c.Env[name] = value }
}

func configured(text string) func(*testing.T, *hostrun.Claude) {
	return func(t *testing.T, c *hostrun.Claude) { configure(t, c, text) }
}

// TestNonsense: an explicit setting that is not understood never becomes the
// default. A subagent far over every default is given no notice; its tools work;
// the log and the person's command name the value and where it stands.
func TestNonsense(t *testing.T) {
	t.Parallel()
	const file = "config.json: "
	for _, n := range []nonsense{
		{"empty variable", variable(softVariable, ""), "", []string{softVariable + ": empty"}},
		{"a word", variable(softVariable, "abc"), "", []string{softVariable + `: "abc" is not`}},
		{"zero", variable(softVariable, "0"), "", []string{softVariable + `: "0" is not a number of tokens`}},
		{"too large a share", variable(softVariable, "150%"), "", []string{softVariable + `: "150%" is not between 1% and 100%`}},
		{"option", func(*testing.T, *hostrun.Claude) {}, "abc", []string{`plugin option soft: "abc" is not`}},
		{"broken file", configured(`{"soft": 40000`), "", []string{file + "line 1: the file ends too early"}},
		{"unknown key", configured(`{"soft": 40000, "sofd": 1, "mode.subagent": "off"}`), "", []string{file + `sofd: unknown key; did you mean "soft"?`, `mode.subagent: unknown key`}},
		{"value in the file", configured(`{"overrides": [{"match": {"role": "main"}, "soft": "150%"}]}`), "", []string{file + `overrides[0].soft: "150%" is not between`}},
		{"named file missing", variable("AUTO_CONTEXT_HANDOVER_CONFIG", "/nowhere/config.json"), "", []string{"AUTO_CONTEXT_HANDOVER_CONFIG names /nowhere/config.json, which does not exist"}},
	} {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			n.tell(t)
			shown.Show(t, "i", "No notice at 900,000 tokens, the handover is stored when asked for, and the log says: "+strings.Join(n.says, " … ")+" ….")
		})
	}
}

func (n nonsense) tell(t *testing.T) {
	var w worker
	var log string
	var a asked
	e := runErrand(t, receiptCame, func(script *model.Script) *hostrun.Claude {
		var claude *hostrun.Claude
		if n.option == "" {
			claude = besidePlugin(t, script, "")
		} else {
			claude = withPlugin(t, script, "soft="+n.option)
		}
		log = filepath.Join(claude.Home, "hook.log")
		claude.Env["AUTO_CONTEXT_HANDOVER_LOG"] = log
		n.set(t, claude)
		return claude
	}, w.starts(), w.carried(load{400_000, ""}, load{900_000, ""}), a.finds(), a.stores(askedHandover, askedSummary), a.ends())
	if t.Failed() {
		return
	}
	e.one(t, askedHandover, askedSummary)
	d := onlyHandover(t, storeFolder(e.claude)).Head.Diagnostics
	if d.Soft.Tokens != 0 || d.PromptedBy != "request" || d.Stage != -1 || d.Reading.Kind != "measured" {
		t.Errorf("stored diagnostics: %+v", d)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	if n.option == "" { // outside of the host the option is not known
		told = measured(t, e.claude, e.session, e.sub)
		if !strings.Contains(told, "no notices until this is corrected: ") {
			t.Errorf("handover measure does not say that there are no notices:\n%s", told)
		}
	}
	for _, want := range n.says {
		if !strings.Contains(string(data), want) {
			t.Errorf("the log does not say %q:\n%s", want, data)
		}
		if n.option == "" && !strings.Contains(told, want) {
			t.Errorf("handover measure does not say %q:\n%s", want, told)
		}
	}
}

// TestSwitchedOff: enabled:false. Nothing is said to anybody and nothing is kept
// from running; a handover that is asked for is stored all the same.
func TestSwitchedOff(t *testing.T) {
	t.Parallel()
	quiet := checks(func(turn *model.Turn) {
		if text := turn.Request.SystemText(); literal.HasIntroduction(text) || literal.HasNotice(text) {
			turn.Fatalf("%s was told: %s", turn.Request.Conversation, text)
		}
	})
	fills := says(hostrun.ClaudeBash("sleep 0.2").Using(filled(900_000)))
	var a asked
	e := runErrand(t, ordinary, func(script *model.Script) *hostrun.Claude {
		claude := besidePlugin(t, script, "20000")
		configure(t, claude, `{"enabled": false}`)
		return claude
	}, quiet, fills, quiet, fills, quiet, a.finds(), a.stores(askedHandover, askedSummary),
		says(hostrun.ClaudeBash("echo still-running")),
		checks(func(turn *model.Turn) {
			if got := turn.LastToolResult(); got.Error || got.Text != "still-running" {
				turn.Fatalf("a tool after the handover: %+v", got)
			}
		}), quiet, reports())
	e.one(t, askedHandover, askedSummary)
	if literal.HasIntroduction(lastOf(t, e.main).SystemText()) {
		t.Error("the main agent was introduced")
	}
	shown.Show(t, "i", "With enabled set to false neither a subagent at 900,000 tokens nor its parent is sent a word of ours; a handover asked for is stored, the agent's tools still run after it and its own report reaches the parent.")
}

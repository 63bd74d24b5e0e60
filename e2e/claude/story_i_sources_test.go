//go:build e2e

package claude

import (
	"fmt"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

const softVariable = "AUTO_CONTEXT_HANDOVER_SOFT"

// source is where a soft comes from in one telling, and what must come of it.
type source struct {
	name       string
	option     string // given at the installation; "" for none
	configured string // the option, set later; "" for none
	variable   string // "" for none
	file       string // config.json; "" for none
	soft       int    // the tokens that hold then
	decided    string // the source that is stored
	explained  string // what handover measure says; "" where it cannot know
}

// TestSources: soft comes from the environment, else the plugin's option, else
// config.json, else the default. Each time the notice comes at exactly that many
// tokens, the record names the source, and the person's command explains it.
func TestSources(t *testing.T) {
	t.Parallel()
	for _, s := range []source{
		{name: "nowhere", soft: 200_000, decided: "default", explained: "soft auto (default)"},
		{name: "config.json", file: `{"soft":40000}`, soft: 40_000, decided: "config.json", explained: "soft 40000 (from config.json)"},
		{name: "a share", file: `{"soft":"5%"}`, soft: 50_000, decided: "config.json", explained: "soft 5% (from config.json)"},
		{name: "option", option: "35000", file: `{"soft":40000}`, soft: 35_000, decided: "plugin option soft"},
		{name: "option configured", option: "35000", configured: "37000", soft: 37_000, decided: "plugin option soft"},
		{name: "environment", variable: "30000", option: "35000", file: `{"soft":40000}`, soft: 30_000, decided: softVariable, explained: "soft 30000 (from " + softVariable + ")"},
		{name: "environment auto", variable: "auto", file: `{"soft":40000}`, soft: 200_000, decided: softVariable, explained: "soft auto (from " + softVariable + ")"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.tell(t)
			shown.Show(t, "i", fmt.Sprintf("Soft decided by %q: no notice at %s tokens, one at %s; the record names that source.", s.decided, thousands(s.soft-1), thousands(s.soft)))
		})
	}
}

func (s source) tell(t *testing.T) {
	script := model.NewScript(t, hostrun.ClaudeHost())
	var w worker
	var p parent
	work := phases(w.starts(), w.carried(load{s.soft - 1, ""}, load{s.soft, "1"}), w.handsOver(drafted(nil, askedSummary)))
	lead := phases(p.spawns(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}), p.reads(), says(model.Text("main is done")))
	script.Main().Do(lead.answer)
	sub := script.Agent("SUBTASK").Do(work.answer)

	var claude *hostrun.Claude
	if s.option == "" {
		claude = besidePlugin(t, script, s.variable)
	} else {
		claude = withPlugin(t, script, "soft="+s.option)
	}
	if s.configured != "" {
		configureOption(t, claude, s.configured)
	}
	if s.variable != "" {
		claude.Env[softVariable] = s.variable
	}
	if s.file != "" {
		configure(t, claude, s.file)
	}
	session := runs(t, claude, script, "Do the task.", "main is done").Session
	work.finished(t)
	lead.finished(t)
	if t.Failed() {
		return
	}
	if d := onlyHandover(t, storeFolder(claude)).Head.Diagnostics; d.Soft.Tokens != s.soft || d.Soft.Source != s.decided {
		t.Errorf("stored: %+v, want %d from %q", d.Soft, s.soft, s.decided)
	}
	if got := measured(t, claude, session, sub); s.explained != "" && !strings.Contains(got, "Decided by: "+s.explained) {
		t.Errorf("handover measure does not explain %q:\n%s", s.explained, got)
	}
}

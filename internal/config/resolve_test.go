package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

func parse(t testing.TB, text string) *config.File {
	t.Helper()
	f, err := config.Parse("config.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// explore is a subagent on Claude Code.
func explore() config.Query {
	return config.Query{HostRow: hosts.Claude(), Role: actor.RoleSubagent, AgentType: "Explore", Model: "claude-opus-5-5-20260101"}
}

// rolling is a main agent on a host that can roll over.
func rolling() config.Query {
	row := hosts.Host{Name: "rolling", Title: "Rolling", CanRollover: true, ModeMain: hosts.ModeAdvise, ModeSubagent: hosts.ModeAdvise}
	return config.Query{HostRow: row, Role: actor.RoleMain}
}

func TestDefaults(t *testing.T) {
	for _, f := range []*config.File{nil, parse(t, `{}`)} {
		sub := config.Resolve(f, explore())
		if !sub.Soft.IsAuto() || sub.SoftSource != "default" || sub.Multiples != nil || sub.Window.Known() ||
			sub.Mode != hosts.ModeAdvise || !sub.Enabled || !sub.Valid() || !sub.Notices() || sub.Problems != nil {
			t.Errorf("subagent: %+v", sub)
		}
		q := explore()
		q.Role = actor.RoleMain
		main := config.Resolve(f, q)
		if main.Mode != hosts.ModeManual || !main.Valid() || main.Notices() {
			t.Errorf("main: %+v", main)
		}
	}
}

func TestPrecedenceOfSoft(t *testing.T) {
	const file = `{"soft": 1, "overrides": [{"match": {"host": "claude"}, "soft": 2}]}`
	q := explore()
	check := func(want, source string) {
		t.Helper()
		s := config.Resolve(parse(t, file), q)
		if s.Soft.String() != want || s.SoftSource != source || !s.Notices() {
			t.Errorf("soft %s from %q, notices %v; want %s from %q", s.Soft, s.SoftSource, s.Notices(), want, source)
		}
	}
	check("2", "config.json overrides[0]: host=claude")
	q.PluginSoft, q.PluginSoftSet = "3", true
	check("3", "plugin option soft")
	q.EnvSoft, q.EnvSoftSet = "auto", true
	check("auto", "AUTO_CONTEXT_HANDOVER_SOFT")
	q = explore()
	q.HostRow.Name = "codex"
	check("1", "config.json")
}

func TestAnInvalidExplicitSoftNeverBecomesAnother(t *testing.T) {
	for _, value := range []string{"", " ", "fast", "0", "-1", "60 %"} {
		for _, source := range []string{"AUTO_CONTEXT_HANDOVER_SOFT", "plugin option soft"} {
			q := explore()
			if source == config.SoftVariable {
				q.EnvSoft, q.EnvSoftSet = value, true
				q.PluginSoft, q.PluginSoftSet = "5", true
			} else if value == "" {
				continue // an option that a person has emptied is not set
			} else {
				q.PluginSoft, q.PluginSoftSet = value, true
			}
			s := config.Resolve(parse(t, `{"soft": 7}`), q)
			if s.SoftErr == nil || s.Valid() || s.Notices() || s.SoftSource != source || s.Mode != hosts.ModeAdvise {
				t.Errorf("%s=%q: %+v", source, value, s)
				continue
			}
			text := s.SoftErr.Error()
			if !strings.Contains(text, source) || !(value == "" || strings.Contains(text, value)) {
				t.Errorf("%s=%q: %v does not name them", source, value, s.SoftErr)
			}
			if diff := cmp.Diff([]string{text}, s.Problems); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestAnEmptiedPluginOptionIsNotSet(t *testing.T) {
	q := explore()
	q.PluginSoft, q.PluginSoftSet = "", true
	s := config.Resolve(parse(t, `{"soft": 7}`), q)
	if !s.Valid() || s.Soft.String() != "7" {
		t.Errorf("soft is %s from %s, problems %q", s.Soft, s.SoftSource, s.Problems)
	}
}

func TestTheMostSpecificOverrideWins(t *testing.T) {
	for _, c := range []struct {
		name, overrides string
		want            string
	}{
		{"none matches", `{"match": {"role": "main"}, "soft": 1}`, "default"},
		{"more keys, earlier", `{"match": {"host": "claude", "role": "subagent"}, "soft": 1}, {"match": {"agent": "Explore"}, "soft": 2}`, "overrides[0]: host=claude role=subagent"},
		{"as many keys: the later", `{"match": {"host": "claude"}, "soft": 1}, {"match": {"agent": "Explore"}, "soft": 2}, {"match": {"agent": "Plan"}, "soft": 3}`, "overrides[1]: agent=Explore"},
		{"without this setting", `{"match": {"host": "claude"}, "soft": 1}, {"match": {"host": "claude", "agent": "Explore"}, "window": 5}`, "overrides[0]: host=claude"},
		{"all keys must match", `{"match": {"host": "claude", "agent": "Plan"}, "soft": 1}`, "default"},
		{"model without its date", `{"match": {"model": "claude-opus-5-5"}, "soft": 1}`, "overrides[0]: model=claude-opus-5-5"},
		{"model as recorded", `{"match": {"model": "claude-opus-5-5-20260101"}, "soft": 1}`, "overrides[0]: model=claude-opus-5-5-20260101"},
		{"model is no prefix", `{"match": {"model": "claude-opus-5"}, "soft": 1}`, "default"},
		{"agent types are case-sensitive", `{"match": {"agent": "explore"}, "soft": 1}`, "default"},
		{"five keys", `{"match": {"host": "claude", "role": "subagent", "model": "claude-opus-5-5", "agent": "Explore", "project": "/"}, "soft": 1}, {"match": {"host": "claude", "role": "subagent", "model": "claude-opus-5-5", "agent": "Explore"}, "soft": 2}`,
			"overrides[0]: host=claude role=subagent model=claude-opus-5-5 agent=Explore project=/"},
	} {
		q := explore()
		q.Project = t.TempDir()
		s := config.Resolve(parse(t, `{"overrides": [`+c.overrides+`]}`), q)
		if got := strings.TrimPrefix(s.SoftSource, "config.json "); got != c.want {
			t.Errorf("%s: decided by %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAnUnknownModelMatchesNoModel(t *testing.T) {
	q := explore()
	q.Model = ""
	if s := config.Resolve(parse(t, `{"overrides": [{"match": {"model": "claude-opus-5-5"}, "soft": 1}]}`), q); s.SoftSource != "default" {
		t.Errorf("%+v", s)
	}
}

func TestEachSettingIsDecidedByItself(t *testing.T) {
	f := parse(t, `{
		"soft": 100000, "stages": [1, 2], "mode": {"main": "advise"}, "window": 300000,
		"overrides": [
			{"match": {"role": "subagent"}, "mode": {"subagent": "manual"}, "window": 200000},
			{"match": {"role": "subagent", "agent": "Explore"}, "stages": [1, 1.5], "mode": {"main": "off"}}
		]}`)
	s := config.Resolve(f, explore())
	want := config.Settings{
		SoftSource: "config.json",
		Multiples:  []float64{1, 1.5}, MultiplesSource: "config.json overrides[1]: role=subagent agent=Explore",
		Mode: hosts.ModeManual, ModeSource: "config.json overrides[0]: role=subagent",
		Enabled: true, EnabledSource: "default",
		Window: measure.Limit{Tokens: 200_000, Source: "config.json overrides[0]: role=subagent"},
	}
	want.Soft, _ = measure.SoftTokens(100_000)
	if s.Problems != nil || !s.Valid() || s.Notices() || s.Soft != want.Soft || s.SoftSource != want.SoftSource ||
		!cmp.Equal(s.Multiples, want.Multiples) || s.MultiplesSource != want.MultiplesSource ||
		s.Mode != want.Mode || s.ModeSource != want.ModeSource || s.Window != want.Window {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
}

func TestDisabledIsOff(t *testing.T) {
	f := parse(t, `{"enabled": false, "mode": {"subagent": "advise"}, "overrides": [{"match": {"agent": "Explore"}, "enabled": true}]}`)
	q := explore()
	if s := config.Resolve(f, q); !s.Enabled || s.Mode != hosts.ModeAdvise || !s.Notices() {
		t.Errorf("on again for one agent: %+v", s)
	}
	q.AgentType = "Plan"
	if s := config.Resolve(f, q); s.Enabled || s.Mode != hosts.ModeOff || s.Notices() || !s.Valid() || !strings.Contains(s.ModeSource, "enabled") {
		t.Errorf("%+v", s)
	}
}

func TestRolloverOnlyWhereAHostCan(t *testing.T) {
	f := parse(t, `{"mode": {"main": "rollover"}}`)
	if s := config.Resolve(f, rolling()); s.Mode != hosts.ModeRollover || !s.Notices() {
		t.Errorf("%+v", s)
	}
	q := explore()
	q.Role = actor.RoleMain
	s := config.Resolve(f, q)
	if s.ModeErr == nil || s.Notices() || s.Valid() || s.Mode != hosts.ModeManual || len(s.Problems) != 1 ||
		!strings.Contains(s.ModeErr.Error(), "config.json: mode.main") || !strings.Contains(s.ModeErr.Error(), "Claude Code") {
		t.Errorf("%+v", s)
	}
	if s := config.Resolve(f, explore()); !s.Notices() {
		t.Errorf("a mode for main agents troubles a subagent: %+v", s)
	}
}

func TestBroken(t *testing.T) {
	cause := errors.New("no place for config.json")
	s := config.Broken(explore(), cause)
	if s.Valid() || s.Notices() || s.Mode != hosts.ModeAdvise || !s.Enabled || !cmp.Equal(s.Problems, []string{cause.Error()}) {
		t.Errorf("%+v", s)
	}
	_, err := config.Parse("/c/config.json", []byte(`{"enabled": false, "sotf": 1}`))
	if s := config.Broken(explore(), err); s.Enabled || s.Mode != hosts.ModeOff || s.Notices() || !strings.Contains(s.Problems[0], "sotf") {
		t.Errorf("what the file switches off is on: %+v", s)
	}
	// A match that is not understood is for nobody, not for more than was meant.
	_, err = config.Parse("c", []byte(`{"overrides": [{"match": {"host": "claude", "agnet": "Plan"}, "mode": {"subagent": "off"}}]}`))
	if s := config.Broken(explore(), err); s.Mode != hosts.ModeAdvise || s.Notices() {
		t.Errorf("%+v", s)
	}
}

func TestExplain(t *testing.T) {
	q := explore()
	f := parse(t, `{"overrides": [{"match": {"host": "claude"}, "window": 258000}, {"match": {"role": "main"}, "soft": 5}, {"match": {"host": "claude", "agent": "Explore"}, "soft": 120000, "stages": [1, 1.5]}]}`)
	got := config.Explain(config.Resolve(f, q))
	want := "soft 120000 (from config.json overrides[2]: host=claude agent=Explore); " +
		"stages 1, 1.5 (from config.json overrides[2]: host=claude agent=Explore); " +
		"mode advise (default); window 258000 (from config.json overrides[0]: host=claude)"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = config.Explain(config.Resolve(parse(t, `{"stages": [2]}`), q))
	if want := "soft auto (default); stages 2 (from config.json) without effect while soft is auto; mode advise (default)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	q.EnvSoftSet = true
	got = config.Explain(config.Resolve(nil, q))
	if !strings.HasPrefix(got, "soft unknown; mode advise (default); no notices until this is corrected: AUTO_CONTEXT_HANDOVER_SOFT: empty") {
		t.Error(got)
	}
}

package measure_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/measure"
)

func TestAssumedCompaction(t *testing.T) {
	got := measure.AssumedCompaction(measure.Limit{Tokens: 258_001, Source: "host"})
	want := measure.Limit{Tokens: 206_400, Source: "0.8 of window", Assumed: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := measure.AssumedCompaction(measure.Limit{}); got.Known() {
		t.Errorf("a compaction point of no window: %+v", got)
	}
}

func TestWithConfigured(t *testing.T) {
	host := measure.Limit{Tokens: 300_000, Source: "host"}
	table := measure.Limit{Tokens: 200_000, Source: "table", Assumed: true}
	config := measure.Limit{Tokens: 500_000, Source: "config.json"}
	own := measure.Limit{Tokens: 120_000, Source: "the user's auto-compact setting"}
	assumed := measure.AssumedCompaction
	for _, c := range []struct {
		name      string
		have      measure.Limits
		configure measure.Limit
		want      measure.Limits
	}{
		{"nothing configured", measure.Limits{Window: table, Compaction: own}, measure.Limit{}, measure.Limits{Window: table, Compaction: own}},
		{"the host's word stands", measure.Limits{Window: host, Compaction: assumed(host)}, config, measure.Limits{Window: host, Compaction: assumed(host)}},
		{"before the table, and C follows", measure.Limits{Window: table, Compaction: assumed(table)}, config, measure.Limits{Window: config, Compaction: assumed(config)}},
		{"a C of its own stays", measure.Limits{Window: table, Compaction: own}, config, measure.Limits{Window: config, Compaction: own}},
		{"where nothing was known", measure.Limits{}, config, measure.Limits{Window: config, Compaction: assumed(config)}},
	} {
		if diff := cmp.Diff(c.want, c.have.WithConfigured(c.configure)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestCheckWindow(t *testing.T) {
	read := func(n int64) measure.Reading { return measure.Reading{Kind: measure.Measured, Tokens: n} }
	l := window(200_000).Complete()
	if got := measure.CheckWindow(read(200_000), l); got != l {
		t.Errorf("a full window is dropped: %+v", got)
	}
	if got := measure.CheckWindow(measure.Reading{Kind: measure.Unknown, Tokens: 900_000}, l); got != l {
		t.Errorf("an unknown reading proves something: %+v", got)
	}
	got := measure.CheckWindow(read(200_001), l)
	if got.Window.Known() || got.Compaction.Known() || !strings.Contains(got.Window.Source, "200001") {
		t.Errorf("a window smaller than its content stays: %+v", got)
	}
	if got := got.Complete(); got.Compaction.Known() {
		t.Errorf("a dropped limit comes back: %+v", got)
	}
	l.Compaction = measure.Limit{Tokens: 800_000, Source: "setting"}
	if got := measure.CheckWindow(read(200_001), l); got.Window.Known() || got.Compaction != l.Compaction {
		t.Errorf("a compaction point above the reading cannot have come from the window: %+v", got)
	}
}

func TestWithWindowChecksTheConfiguredOne(t *testing.T) {
	o := measure.Observation{Reading: measure.Reading{Kind: measure.Measured, Tokens: 250_000}}
	if got := o.WithWindow(measure.Limit{Tokens: 200_000, Source: "config.json"}); got.Limits.Window.Known() {
		t.Errorf("a configured window smaller than its content stays: %+v", got.Limits)
	}
	if got := o.WithWindow(measure.Limit{Tokens: 400_000, Source: "config.json"}); got.Limits.Compaction.Tokens != 320_000 {
		t.Errorf("%+v", got.Limits)
	}
}

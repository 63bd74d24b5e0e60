//go:build linux || darwin

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/adapters/claude"
	"github.com/auto-context-handover/handover/hooks"
)

func TestFigure(t *testing.T) {
	most, least := figure{name: "m", most: 1.4}, figure{name: "l", least: 30}
	for _, c := range []struct {
		f     figure
		v     value
		holds bool
		text  string
	}{
		{most, value{number: 1.4}, true, "1.40"},
		{most, value{number: 1.41}, false, "1.41"},
		{least, value{number: 30}, true, "30.0"},
		{least, value{number: 29.96}, false, "30.0"},
		{least, value{unknown: "no node"}, false, "unknown (no node)"},
		{most, value{number: 528.52}, false, "528.5"},
	} {
		if got := c.f.holds(c.v); got != c.holds || c.v.String() != c.text {
			t.Errorf("%+v of %+v: holds %v, text %q", c.v, c.f, got, c.v)
		}
	}
}

func TestRounds(t *testing.T) {
	var order strings.Builder
	takes := func(name string, d time.Duration) step {
		return func(round int) (time.Duration, error) { fmt.Fprint(&order, name, round); return d, nil }
	}
	got, err := rounds(3, takes("a", 1), takes("b", 2), takes("c", 3))
	if err != nil || order.String() != "a0b0c0b1c1a1c2a2b2" || got[0] != 1 || got[1] != 2 || got[2] != 3 {
		t.Errorf("order %s, medians %v, error %v", &order, got, err)
	}
	if m := median([]time.Duration{5, 1, 9}); m != 5 {
		t.Errorf("median %v", m)
	}
}

// TestTranscript: the record that the hook is timed on is one as the adapter
// understands it, with the tokens that were asked for, also when it is repeated.
func TestTranscript(t *testing.T) {
	const id = "11111111-2222-4333-8444-555555555555"
	text := transcript(id, agent, 100_000, quiet)
	if len(text) < 100_000 || len(text) > 150_000 {
		t.Errorf("%d bytes", len(text))
	}
	for line := range bytes.Lines(text) {
		if !json.Valid(line) {
			t.Fatalf("not JSON: %s", line)
		}
	}
	folder := t.TempDir()
	main := filepath.Join(folder, id+".jsonl")
	if err := write(filepath.Join(folder, id, "subagents", "agent-"+agent+".jsonl"), bytes.Repeat(text, 3)); err != nil {
		t.Fatal(err)
	}
	env := hooks.Env{Lookup: func(string) (string, bool) { return "", false }}
	seen := claude.MeasureFile(main, id, agent, "", env)
	if !seen.Reading.Known() || seen.Reading.Tokens != quiet || seen.UnknownTypes != 0 {
		t.Errorf("%+v", seen)
	}
}

// TestGroups: no figure is measured twice, and each has a bound.
func TestGroups(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range groups(t.TempDir()) {
		for _, f := range g.figures {
			if seen[f.name] || (f.most == 0) == (f.least == 0) {
				t.Errorf("%+v", f)
			}
			seen[f.name] = true
		}
	}
}

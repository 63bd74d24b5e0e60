package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/internal/actor"
)

// TestListCut: lines are cut to a terminal's width and to nothing else, and
// that a handover was continued is never what is cut.
func TestListCut(t *testing.T) {
	l := listing{Handovers: []item{{
		ID: sampleID, Actor: &actor.ID{Host: "claude"}, Kind: "subagent", AgentType: strings.Repeat("long", 20),
		Generation: 3, Continued: true, Summary: strings.Repeat("summary ", 20),
	}}}
	for _, terminal := range []bool{true, false} {
		var b strings.Builder
		l.print(&b, time.Now(), term.Style{}, terminal)
		if !strings.Contains(b.String(), "continued") {
			t.Errorf("terminal %v: not said to be continued:\n%s", terminal, b.String())
		}
		for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
			if cut := utf8.RuneCountInString(line) <= columns; cut != terminal {
				t.Errorf("terminal %v: %q", terminal, line)
			}
		}
	}
}

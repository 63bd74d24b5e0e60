//go:build e2e

// Package claude holds the stories that run on the real Claude Code.
package claude

import (
	"os"
	"testing"

	"github.com/auto-context-handover/handover/e2e/evidence"
	"github.com/auto-context-handover/handover/e2e/hostrun"
)

func TestMain(m *testing.M) { os.Exit(hostrun.Main(shown.Of(m))) }

// shown is the page of what these stories have shown; a story calls shown.Show.
var shown = evidence.New("What was shown on Claude Code "+hostrun.Version("@anthropic-ai/claude-code"), "../../docs/evidence/claude.md", []evidence.Point{
	{Key: "a", Title: "a. One handover, from the notice to the successor"},
	{Key: "b", Title: "b. Lineage, markers and what a successor is told"},
	{Key: "c", Title: "c. Several subagents, and subagents that handed over"},
	{Key: "d", Title: "d. Work trees"},
	{Key: "e", Title: "e. Who made a call"},
	{Key: "f", Title: "f. Compaction, failures and missing usage"},
	{Key: "g", Title: "g. How the receipt arrives"},
	{Key: "h", Title: "h. The main agent"},
	{Key: "i", Title: "i. Settings"},
	{Key: "literal", Title: "The scripted model notices what is broken"},
})

package claude

import (
	"bytes"
	"encoding/json"
	"flag"
	"testing"

	"github.com/auto-context-handover/handover/adapters/adaptertest"
	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/hosts"
)

var update = flag.Bool("update", false, "write the golden files")

func suite() adaptertest.Suite {
	return adaptertest.Suite{
		Row:      hosts.Claude(),
		Host:     New(),
		Dir:      "testdata",
		Environ:  map[string]string{"CLAUDE_PROJECT_DIR": "/w"},
		Identity: []string{"session_id", "agent_id", "transcript_path", "tool_name", "tool_use_id", "mcp_server", "hook_event_name"},
		Text:     readAnswer,
	}
}

func TestConformance(t *testing.T) { adaptertest.Run(t, suite(), *update) }

func FuzzDecode(f *testing.F) { adaptertest.Fuzz(f, suite()) }

// readAnswer reads an answer as the host does.
func readAnswer(b []byte) (r hooks.Reply, err error) {
	if len(b) == 0 {
		return r, nil
	}
	var a struct {
		Decision, Reason, SystemMessage string
		HookSpecificOutput              struct {
			HookEventName, PermissionDecision, PermissionDecisionReason, AdditionalContext string
			UpdatedInput                                                                   json.RawMessage
		}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return r, err
	}
	h := a.HookSpecificOutput
	r.Allow = h.PermissionDecision == "allow"
	if h.PermissionDecision == "deny" {
		r.Deny = h.PermissionDecisionReason
	}
	r.Context, r.Input, r.Person = h.AdditionalContext, h.UpdatedInput, a.SystemMessage
	if a.Decision == "block" {
		r.Block = a.Reason
	}
	return r, nil
}

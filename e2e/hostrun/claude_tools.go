package hostrun

import (
	"strings"

	"github.com/auto-context-handover/handover/e2e/model"
)

// ClaudeBash is a call of Claude Code's shell tool.
func ClaudeBash(command string) model.Answer {
	return model.ToolUse("Bash", map[string]any{"command": command, "description": "a step of the story"})
}

// ClaudeHandback is a call of the tool by which a subagent reports in auto mode.
func ClaudeHandback(message string) model.Answer {
	return model.ToolUse("SubagentHandback", map[string]any{"message": message})
}

// ClaudeReport returns the report of a subagent as its parent understands it: a
// background one's stands in a notification, escaped; any other text is itself.
func ClaudeReport(text string) string {
	_, notification, ok := strings.Cut(text, "<task-notification>")
	if !ok {
		return text
	}
	_, result, ok := strings.Cut(notification, "<result>")
	if !ok {
		return text
	}
	result, _, _ = strings.Cut(result, "</result>")
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(result)
}

// ClaudeVerdict is the answer of the auto mode's classifier.
func ClaudeVerdict(allow bool) model.Answer {
	if allow {
		return model.Text("<severity>0</severity>")
	}
	return model.Text("<severity>95</severity><category>Story</category>")
}

// ClaudeSpawn is a call of Claude Code's subagent tool.
type ClaudeSpawn struct {
	Type        string `json:"subagent_type,omitempty"` // the host's default: general-purpose
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	Name        string `json:"name,omitempty"`
	Model       string `json:"model,omitempty"`
	Isolation   string `json:"isolation,omitempty"`
	Background  bool   `json:"run_in_background"`
}

// Call returns the tool call. The description may be left out.
func (s ClaudeSpawn) Call() model.Answer {
	if s.Description == "" {
		s.Description = "a part of the story"
	}
	return model.ToolUse("Agent", s)
}

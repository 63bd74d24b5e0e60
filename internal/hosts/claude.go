package hosts

import "github.com/auto-context-handover/handover/internal/actor"

// Claude is the row of Claude Code, as observed on 2.1.332 (docs/hosts/claude.md).
func Claude() Host {
	return Host{
		Name:     "claude",
		Title:    "Claude Code",
		Versions: []string{"2.1.332"},

		Handover: "mcp__plugin_handover_handover__context_handover",
		Read:     "mcp__plugin_handover_handover__read_handover",
		Server:   "plugin:handover:handover",
		Loader:   `ToolSearch({"query":"select:%s"})`,
		Spawn:    "Agent",
		Message:  "SendMessage",
		HandBack: "SubagentHandback",

		Binding:    BindCallID,
		MetaCallID: "claudecode/toolUseId",

		PageLimit: 400_000,
		PageUnit:  Characters,
		ToolMeta:  map[string]any{"anthropic/maxResultSizeChars": 500_000},

		OptionSoft: "CLAUDE_PLUGIN_OPTION_SOFT",

		Kinds: []Kind{
			{Name: "main", Role: actor.RoleMain, Write: true, Told: true, Measured: true},
			{Name: "subagent", Role: actor.RoleSubagent, Write: true, Told: true, Measured: true},
			{Name: "teammate", Role: actor.RoleSubagent, Measured: true, Why: "a teammate works on beside its team, nobody would replace it"},
		},

		SoftCap:      0.7,
		ModeMain:     ModeManual,
		ModeSubagent: ModeAdvise,
	}
}

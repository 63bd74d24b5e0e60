package claude

import "github.com/auto-context-handover/handover/hooks"

// Host decodes, measures and answers for Claude Code. The zero value is ready.
type Host struct{}

// New returns the adapter.
func New() Host { return Host{} }

var (
	_ hooks.Host    = Host{}
	_ hooks.Origins = Host{}
)

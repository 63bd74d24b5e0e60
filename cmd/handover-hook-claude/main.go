// Command handover-hook-claude is the hook of Claude Code: it reads one event
// from stdin and answers on stdout. See package hooks.
package main

import (
	"os"

	"github.com/auto-context-handover/handover/adapters/claude"
	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/hosts"
)

// version is set by the linker.
var version = "devel"

func main() { os.Exit(hooks.Main(hosts.Claude(), claude.New(), version)) }

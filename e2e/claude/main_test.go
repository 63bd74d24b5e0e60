//go:build e2e

// Package claude holds the stories that run on the real Claude Code.
package claude

import (
	"os"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
)

func TestMain(m *testing.M) { os.Exit(hostrun.Main(m)) }

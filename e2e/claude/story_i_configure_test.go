//go:build e2e

package claude

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
)

// configure writes a person's config.json.
func configure(tb testing.TB, c *hostrun.Claude, text string) {
	tb.Helper()
	folder := filepath.Join(c.Home, ".config", "handover")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.json"), []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

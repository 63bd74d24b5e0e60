package hostrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/model"
)

// keepEnv names a folder that keeps the homes.
const keepEnv = "HANDOVER_E2E_KEEP"

// newHome returns an empty folder for one story: removed with the test, or kept
// in the folder that keepEnv names. Symlinks in its path are resolved, since
// hosts name their own files after the resolved path.
func newHome(tb testing.TB) string {
	tb.Helper()
	base, err := "", error(nil)
	if keep := os.Getenv(keepEnv); keep != "" {
		if err = os.MkdirAll(keep, 0o700); err == nil {
			base, err = os.MkdirTemp(keep, strings.NewReplacer("/", "-", " ", "-").Replace(tb.Name())+"-")
		}
	} else {
		base = tb.TempDir()
	}
	if err == nil {
		base, err = filepath.EvalSymlinks(base)
	}
	if err != nil {
		tb.Fatalf("hostrun: %v", err)
	}
	return base
}

// keepLog writes the requests of a story beside its kept home when it ends.
func keepLog(tb testing.TB, script *model.Script, base string) {
	if os.Getenv(keepEnv) == "" {
		return
	}
	tb.Cleanup(func() {
		if err := script.Log().Keep(filepath.Join(base, "requests")); err != nil {
			tb.Logf("hostrun: %v", err)
		}
	})
}

// mkdir makes a folder that only we can read.
func mkdir(tb testing.TB, path string) string {
	tb.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		tb.Fatalf("hostrun: %v", err)
	}
	return path
}

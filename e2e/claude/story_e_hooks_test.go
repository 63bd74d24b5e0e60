//go:build e2e

package claude

import (
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestHooksFail: our hook is missing, breaks in every way a program can, or is
// too slow, at the call that stores or at every event. The host goes on; the
// server, which has no word on who called, stores nothing and says why.
func TestHooksFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		change  change
		slow    bool // the host waits a second only
		forbid  bool // no rule of the person allows the tool
		refused string
		says    string // the host's own words, where the call did not reach us
	}{
		{name: "absent", change: noHooks, refused: "no-hook"},
		{name: "absent and not allowed", change: noHooks, forbid: true, says: "requested permissions"},
		{name: "every one exits with 1", change: hookOn(true, "echo broken >&2; exit 1"), refused: "no-hook"},
		{name: "every one is aborted", change: hookOn(true, "kill -ABRT $$"), refused: "no-hook"},
		{name: "every one dies of a bad address", change: hookOn(true, "kill -SEGV $$"), refused: "no-hook"},
		{name: "every one says nonsense", change: hookOn(true, "echo '{nonsense'"), refused: "no-hook"},
		{name: "exits with 1", change: hookOn(false, "exit 1"), refused: "no-hook"},
		{name: "exits with 2 as a panic does", change: hookOn(false, "echo 'panic: broken' >&2; exit 2"), says: "panic: broken"},
		{name: "is killed", change: hookOn(false, "kill -KILL $$"), refused: "no-hook"},
		{name: "hangs", change: hookOn(false, "exec sleep 30"), slow: true, refused: "no-hook"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var a asked
			answered := a.answered(c.says)
			if c.refused != "" {
				answered = a.refused(c.refused)
			}
			e := runErrand(t, ordinary, func(script *model.Script) *hostrun.Claude {
				changes := []change{c.change}
				if c.slow {
					changes = append(changes, shortTimeout)
				}
				claude := withAltered(t, script, altered(t, changes...))
				if !c.forbid {
					claude.Allow = append(claude.Allow, ourServer)
				}
				return claude
			}, a.finds(), a.stores(askedHandover, askedSummary), answered, reports())
			e.nothing(t)
			if c.refused != "" {
				shown.Show(t, "e", "The call was refused as `"+c.refused+"`, nothing was stored, and the subagent's ordinary report reached its parent.")
			} else {
				shown.Show(t, "e", "The host itself refused the call, nothing was stored, and the subagent's ordinary report reached its parent.")
			}
		})
	}
}

// TestHookDiesAfterItsRecord: the hook wrote down who calls, then broke before
// it could answer, or was too slow. Its record binds the call.
func TestHookDiesAfterItsRecord(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"killed":   "real >/dev/null; kill -KILL $$",
		"too slow": "real >/dev/null; exec sleep 30",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var a asked
			e := runErrand(t, receiptCame, func(s *model.Script) *hostrun.Claude {
				claude := withAltered(t, s, altered(t, hookOn(false, script), shortTimeout))
				claude.Allow = append(claude.Allow, ourServer)
				return claude
			}, a.finds(), a.stores(askedHandover, askedSummary), a.ends())
			e.one(t, askedHandover, askedSummary)
			shown.Show(t, "e", "A hook that broke after it had written its record lost nothing: the handover is stored under the subagent that called.")
		})
	}
}

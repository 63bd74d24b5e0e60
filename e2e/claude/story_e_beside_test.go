//go:build e2e

package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestHookBeside: another plugin has a hook on the same call. What it leaves as
// it was is stored, however late; what it changes, denies or asks about is not,
// and the model is told what happened.
func TestHookBeside(t *testing.T) {
	t.Parallel()
	var a [8]asked
	for i, c := range []struct {
		does   string
		rest   []phase
		report string
		shows  string
	}{
		{"nothing", []phase{a[0].ends()}, receiptCame, "A hook beside ours that answers nothing changes nothing: stored once, under the subagent that called."},
		{"repeat", []phase{a[1].ends()}, receiptCame, "A hook beside ours that answers the same input again changes nothing."},
		{"hold", []phase{a[2].ends()}, receiptCame, "An approval that comes three seconds late is bound all the same."},
		{"rewrite", []phase{a[3].refused("changed-arguments"), reports()}, ordinary, "Arguments that another hook changed are refused as `changed-arguments`, and nothing is stored."},
		{"rewrite-late", []phase{a[4].refused("changed-arguments"), reports()}, ordinary, "Arguments that another hook changed after ours had ended are refused as `changed-arguments`, and nothing is stored."},
		{"deny", []phase{a[5].answered("a stranger says no"), reports()}, ordinary, "Another hook's denial stands; nothing is stored."},
		{"ask", []phase{a[6].answered("a stranger asks"), reports()}, ordinary, "Another hook's question stands, too; without a person nothing is stored."},
		{"deny-once", []phase{a[7].answered("a stranger says no"), a[7].stores(askedHandover, askedSummary), a[7].ends()}, receiptCame, "The record that our hook left of a denied call is in nobody's way: the same text, sent again, is stored once."},
	} {
		t.Run(c.does, func(t *testing.T) {
			t.Parallel()
			sub := append([]phase{a[i].finds(), a[i].stores(askedHandover, askedSummary)}, c.rest...)
			e := runErrand(t, c.report, func(s *model.Script) *hostrun.Claude {
				claude := withPlugin(t, s)
				claude.InstallPlugin(besideFolder, "does="+c.does)
				return claude
			}, sub...)
			if c.does == "hold" {
				r := e.sub.Requests()
				if took := r[2].At.Sub(r[1].Reply.At); took < 3*time.Second {
					t.Errorf("the call was answered after %v: nothing held it", took)
				}
			}
			if c.report == receiptCame {
				e.one(t, askedHandover, askedSummary)
			} else {
				e.nothing(t)
			}
			shown.Show(t, "e", c.shows)
		})
	}
}

// TestInstalledTwice: a person has the plugin from two marketplaces, or for
// themselves and for the project, which the host counts as one; or has our hooks
// in the project's settings beside it, so that each runs twice. The model is told
// everything once, and one handover is stored.
func TestInstalledTwice(t *testing.T) {
	t.Parallel()
	const counted = "storing-call" // gets a line for each hook that sees the call
	counts := hookOn(false, `echo seen >>"$CLAUDE_PROJECT_DIR/`+counted+`"; real`)
	for _, c := range []struct {
		name   string
		second func(testing.TB, *hostrun.Claude)
		runs   int
	}{
		{"marketplaces", func(tb testing.TB, c *hostrun.Claude) {
			c.InstallPlugin(altered(tb, counts, market("second-market")))
		}, 1},
		{"settings", func(tb testing.TB, c *hostrun.Claude) {
			plugin := altered(tb, counts)
			data, err := os.ReadFile(filepath.Join(plugin, "hooks", "hooks.json"))
			if err != nil {
				tb.Fatal(err)
			}
			path := filepath.Join(c.Dir, ".claude")
			if err := os.MkdirAll(path, 0o700); err != nil {
				tb.Fatal(err)
			}
			writeFile(tb, filepath.Join(path, "settings.json"), strings.ReplaceAll(string(data), "${CLAUDE_PLUGIN_ROOT}", plugin), 0o600)
		}, 2},
		{"scopes", func(_ testing.TB, c *hostrun.Claude) {
			c.Command("plugin", "install", "--scope", "project", "handover@auto-context-handover")
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var w worker
			e := runErrand(t, receiptCame, func(s *model.Script) *hostrun.Claude {
				claude := withAltered(t, s, altered(t, counts))
				c.second(t, claude)
				return claude
			}, w.starts(), w.carried(load{199_999, ""}, load{200_000, "1"}, load{230_000, "2"}), w.handsOver(exactly(askedHandover, askedSummary)))
			e.one(t, askedHandover, askedSummary)
			if left := files(t, storeFolder(e.claude), "capabilities", "*"); len(left) != 1 || !strings.HasSuffix(left[0], ".used") {
				t.Errorf("records of the call: %q, want the used one alone", left)
			}
			seen, err := os.ReadFile(filepath.Join(e.claude.Dir, counted))
			if n := strings.Count(string(seen), "seen"); err != nil || n != c.runs {
				t.Errorf("%d hooks saw the call, want %d: %v", n, c.runs, err)
			}
			if c.runs > 1 {
				shown.Show(t, "e", "Where our hooks stand in the project's settings, too, both ran for the call; each stage was told once, one handover is stored under the subagent that called, and no record of the call is left over.")
			} else {
				shown.Show(t, "e", "Installed from two marketplaces, or for the user and for the project, the plugin's hooks run once, and one handover is stored.")
			}
		})
	}
}

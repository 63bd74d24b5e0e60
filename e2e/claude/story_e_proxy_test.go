//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// reservedKey is the argument that only our hook may add.
const reservedKey = "_handover_capability"

// TestCallIDMissing: something between host and server drops the call's id. The
// call is refused; called again, as the text says, it is bound by the hidden
// argument, which no model is shown. What a model writes there itself is
// refused, or replaced by the hook's word.
func TestCallIDMissing(t *testing.T) {
	t.Parallel()
	var plain, forged, late, rewritten asked
	for _, c := range []struct {
		name   string
		beside string
		report string
		rest   []phase
		shows  string
	}{
		{"called again", "", receiptCame, []phase{
			plain.finds(), plain.stores(askedHandover, askedSummary), plain.refused("no-call-id"),
			plain.stores(askedHandover, askedSummary), plain.ends(),
		}, "A call without the host's id was refused as `no-call-id`; called again, it was bound by the hidden argument and stored once, under the subagent that called. The hidden argument is in no request to the model."},
		{"reserved argument first", "", receiptCame, []phase{
			forged.finds(), forged.stores(askedHandover, askedSummary, reservedKey, "00000000000000000000000000000000.forged"), forged.refused("foreign-token"),
			forged.stores(askedHandover, askedSummary), forged.ends(),
		}, "A reserved argument that the model wrote is refused as `foreign-token` where the host's id is missing; without it the next call is stored."},
		{"reserved argument later", "", receiptCame, []phase{
			late.finds(), late.stores(askedHandover, askedSummary), late.refused("no-call-id"),
			late.stores(askedHandover, askedSummary, reservedKey, "00000000000000000000000000000000.forged"), late.ends(),
		}, "Once the hook adds the hidden argument, one that the model wrote is replaced by it."},
		{"rewritten beside", "rewrite-late", ordinary, []phase{
			rewritten.finds(), rewritten.stores(askedHandover, askedSummary), rewritten.refused("no-call-id"),
			rewritten.stores(askedHandover, askedSummary), rewritten.refused("no-call-id"), reports(),
		}, "Another hook that rewrites the input after ours takes the hidden argument away: refused, nothing stored."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := runErrand(t, c.report, func(s *model.Script) *hostrun.Claude {
				claude := withAltered(t, s, altered(t, through("unnamed")))
				if c.beside != "" {
					claude.InstallPlugin(besideFolder, "does="+c.beside)
				}
				return claude
			}, c.rest...)
			if c.report == ordinary {
				e.nothing(t)
			} else {
				e.one(t, askedHandover, askedSummary)
			}
			for _, r := range append(e.sub.Requests(), e.main.Requests()...) {
				// What the model wrote itself stays in its history.
				if text := string(r.Body); strings.Count(text, reservedKey) > strings.Count(text, `.forged`) {
					t.Errorf("request %d of %s shows the hidden argument", r.Seq, r.Conversation)
				}
			}
			shown.Show(t, "e", c.shows)
		})
	}
}

// TestReservedArgument: where the host's call id binds, a reserved argument that
// the model wrote means nothing.
func TestReservedArgument(t *testing.T) {
	t.Parallel()
	var a asked
	e := runErrand(t, receiptCame, func(s *model.Script) *hostrun.Claude { return withPlugin(t, s) },
		a.finds(), a.stores(askedHandover, askedSummary, reservedKey, "forged"), a.ends())
	e.one(t, askedHandover, askedSummary)
	shown.Show(t, "e", "A reserved argument that the model wrote changes nothing where the host's call id binds.")
}

// TestReplayed: something between host and server sends a call twice. One
// handover is stored. Whoever gets the second answer is told that this call was
// answered before, calls again with the same text, and has its receipt.
func TestReplayed(t *testing.T) {
	t.Parallel()
	t.Run("first answer", func(t *testing.T) {
		t.Parallel()
		var a asked
		e := runErrand(t, receiptCame, func(s *model.Script) *hostrun.Claude { return withAltered(t, s, altered(t, through("first"))) },
			a.finds(), a.stores(askedHandover, askedSummary), a.ends())
		e.one(t, askedHandover, askedSummary)
		shown.Show(t, "e", "A call that reached the server twice stored one handover.")
	})
	t.Run("second answer", func(t *testing.T) {
		t.Parallel()
		var a asked
		e := runErrand(t, receiptCame, func(s *model.Script) *hostrun.Claude { return withAltered(t, s, altered(t, through("second"))) },
			a.finds(), a.stores(askedHandover, askedSummary), a.refused("already-used"),
			a.stores(askedHandover, askedSummary), a.ends())
		e.one(t, askedHandover, askedSummary)
		shown.Show(t, "e", "The second answer to such a call refuses as `already-used`; the same text called again gets the receipt of the one handover that is stored.")
	})
}

package modeltext

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
)

// tokensOf is the measure of all size bounds: bytes divided by 4, rounded up.
func tokensOf(s string) int { return (len(s) + 3) / 4 }

// TestSizes holds the bounds of what a text may cost. What is required of the
// words is tested in facts_test.go and goes first.
func TestSizes(t *testing.T) {
	for _, h := range hosts.All() {
		v := For(h)
		notice := func(stage int, first bool, role actor.Role) string {
			in := sampleNotice(stage, first, role)
			in.Reading.Tokens = 1234567
			return v.Notice(in)
		}
		withoutSummary := func(role actor.Role) string {
			return v.Receipt(ReceiptInput{ID: sampleID, Role: role, Mark: sampleMark})
		}
		framed := func(page, pages int, parts ...string) string {
			var segments []Segment
			for _, p := range parts {
				segments = append(segments, segment(p, strings.Repeat("x", 1000), 123456, 654321))
			}
			return strings.ReplaceAll(v.Page(samplePage(page, pages, segments...)), strings.Repeat("x", 1000), "")
		}
		for _, c := range []struct {
			name string
			text string
			most int
		}{
			{"introduction, main, manual", v.Introduction(actor.RoleMain, hosts.ModeManual), 190},
			{"introduction, main, advise", v.Introduction(actor.RoleMain, hosts.ModeAdvise), 190},
			{"introduction, subagent, advise", v.Introduction(actor.RoleSubagent, hosts.ModeAdvise), 60},
			{"introduction, subagent, manual", v.Introduction(actor.RoleSubagent, hosts.ModeManual), 60},
			{"introduction, main, advise, again", v.IntroductionAgain(actor.RoleMain, hosts.ModeAdvise), 200},
			{"introduction, main, manual, again", v.IntroductionAgain(actor.RoleMain, hosts.ModeManual), 190},
			{"introduction, subagent, advise, again", v.IntroductionAgain(actor.RoleSubagent, hosts.ModeAdvise), 60},
			{"first notice, subagent", notice(1, true, actor.RoleSubagent), 450},
			{"first notice, main", notice(1, true, actor.RoleMain), 450},
			{"first notice, stage 3", notice(3, true, actor.RoleSubagent), 450},
			{"later notice, stage 2", notice(2, false, actor.RoleSubagent), 150},
			{"later notice, stage 3", notice(3, false, actor.RoleSubagent), 150},
			{"later notice, reminder", notice(4, false, actor.RoleSubagent), 150},
			{"later notice, main", notice(3, false, actor.RoleMain), 150},
			{"receipt, subagent", withoutSummary(actor.RoleSubagent), 200},
			{"receipt, main", withoutSummary(actor.RoleMain), 200},
			{"frame, only page", framed(1, 1, "task", "handover"), 350},
			{"frame, first page", framed(1, 3, "task", "handover"), 350},
			{"frame, later page", framed(2, 3, "task", "handover"), 120},
			{"frame, last page", framed(3, 3, "handover"), 120},
			{"successor prompt", v.SuccessorPrompt(sampleID), 110},
			{"tool context_handover", v.ToolDescription(hosts.ToolHandover), 220},
			{"tool read_handover", v.ToolDescription(hosts.ToolRead), 110},
			{"closed", v.Closed(sampleID), 110},
		} {
			n := tokensOf(c.text)
			t.Logf("%-8s %-32s %4d of %4d", h.Name, c.name, n, c.most)
			if n == 0 || n > c.most {
				t.Errorf("%s: %s takes %d tokens, at most %d", h.Name, c.name, n, c.most)
			}
		}
	}
}

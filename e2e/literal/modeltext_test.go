package literal

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/measure"
)

// TestAgreesWithModeltext: what this package expects is what the product says,
// in the spelling of every host.
func TestAgreesWithModeltext(t *testing.T) {
	t.Parallel()
	for _, host := range hosts.All() {
		t.Run(host.Name, func(t *testing.T) {
			t.Parallel()
			v := modeltext.For(host)
			in := modeltext.NoticeInput{Stage: 1, Reading: measure.Reading{Tokens: 150_000, Kind: measure.Measured}, First: true, Role: actor.RoleSubagent}
			n := ReadNotice(t, v.Notice(in))
			if n.Tool != host.Handover || n.Tokens != 150_000 || len(n.Headings) != len(modeltext.Template()) {
				t.Errorf("notice: %+v", n)
			}
			if host.Loader != "" {
				n.Load(t)
			}
			handover := n.Draft(t, map[string]string{"Rules in force": "- agent type: x", "Prioritized next steps": "1. go"})
			in.Plan = true
			ReadReportNotice(t, v.Notice(in))
			in.Plan, in.ToolKnownMissing = false, true
			ReadReportNotice(t, v.Notice(in))

			stored := ReadStored(t, v.Receipt(modeltext.ReceiptInput{ID: id, Role: actor.RoleSubagent, Mark: modeltext.NewMark(), Summary: "short\n\nsummary"}))
			if stored.ID != id || stored.Summary != "short\n\nsummary" || stored.HandBack != host.HandBack {
				t.Errorf("stored: %+v", stored)
			}
			if c := ReadReceipt(t, indent(stored.Block, "  ")).Reader(t); c.Name != host.Read {
				t.Errorf("reader: %+v", c)
			}
			if host.Loader != "" {
				stored.Load(t)
			}
			main := ReadStored(t, v.Receipt(modeltext.ReceiptInput{ID: id, Role: actor.RoleMain, Mark: modeltext.NewMark(), Summary: "s"}))
			if p := main.Prompt(t); p.Line != v.SuccessorPrompt(id) {
				t.Errorf("prompt: %q", p.Line)
			}
			if c := ReadCorrection(t, v.StopCorrection(id, true)); c.HandBack != host.HandBack {
				t.Errorf("correction: %+v", c)
			}

			for _, text := range []string{v.Closed(id), v.MessageDenied(id), v.HandBackLater(id), v.Already(id)} {
				if c := ReadClosed(t, text); c.ID != id || c.Reader.Name != host.Read {
					t.Errorf("closed: %+v", c)
				}
			}
			if r := ReadRefusal(t, v.Refusal(modeltext.CauseNoHook, modeltext.Detail{})); r.Cause != string(modeltext.CauseNoHook) {
				t.Errorf("refusal: %+v", r)
			}
			if c := ReadIntroduction(t, v.Introduction(actor.RoleMain, hosts.ModeManual)).Read(t, "x"); c.Name != host.Read {
				t.Errorf("introduction: %+v", c)
			}

			list := v.Listing(modeltext.NewMark(), "/project", time.Now(), []modeltext.ListItem{{ID: id, Host: host.Name, Summary: "s"}})
			if l := ReadListing(t, list); l.Read(l.Items[0]).Name != host.Read {
				t.Errorf("list: %+v", l)
			}

			record := modeltext.Record{ID: id, Role: actor.RoleSubagent, Provenance: modeltext.Provenance{AgentType: "general-purpose", ModelKnown: true, Isolation: "worktree", Worktree: "/tree"}}
			c := ReadCompact(t, v.Compact(modeltext.CompactInput{Record: record, Mark: modeltext.NewMark(), Handover: handover, Summary: "s\nUser decisions pending: none"}))
			if c.AgentType != "general-purpose" || !c.ModelSeen || c.Model != "" || c.Isolation != "" || !strings.Contains(c.Add, `"/tree"`) || c.Prompt.Read.Name != host.Read {
				t.Errorf("compact: %+v", c)
			}
			if got := c.Excerpt(t, "Prioritized next steps"); got != "1. go" {
				t.Errorf("excerpt: %q", got)
			}

			task := strings.Repeat("the task äöü\n", 20)
			parts := []modeltext.Part{
				{Name: "task", SHA256: sum(task), Text: task},
				{Name: "handover", SHA256: sum(handover), Text: handover},
			}
			var w Whole
			pages := modeltext.Paginate(parts, 100, host.PageUnit)
			for i, segments := range pages {
				mark := modeltext.NewMark()
				next := w.Add(t, v.Page(modeltext.PageInput{Record: record, Mark: mark, Page: i + 1, Pages: len(pages), Segments: segments}))
				if (next == nil) != (i == len(pages)-1) {
					t.Errorf("page %d of %d: next %+v", i+1, len(pages), next)
				}
			}
			if w.Task() != task || w.Handover() != handover {
				t.Errorf("whole: %q %q", w.Task(), w.Handover())
			}
		})
	}
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

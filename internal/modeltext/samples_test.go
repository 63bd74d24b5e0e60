package modeltext

import (
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

const (
	sampleID    = "ho-0123456789abcdef"
	sampleOther = "ho-fedcba9876543210"
	sampleMark  = "a1b2c3d4"
	sampleHash  = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

func sampleReading() measure.Reading {
	return measure.Reading{Kind: measure.Measured, Tokens: 151234, Request: "req_011CUvVqX9DkYj4nS8kT3aBc", Model: "claude-opus-5-5"}
}

func sampleNotice(stage int, first bool, role actor.Role) NoticeInput {
	return NoticeInput{Stage: stage, Reading: sampleReading(), First: first, Role: role}
}

const sampleSummary = "The parser is done and tested; the writer is half done.\nUser decisions pending: none"

const sampleHandover = `# Handover

## 1. Rules in force
Never push. "Keep the public API as it is."

## 2. Goal now
none

## Questions
none

## 11. **Prioritized next steps**
Continue here:
1. Run ` + "`go test ./writer`" + ` and make TestFlush pass; it works when it prints ok.
   1. look at flush.go first
2. Write the changelog entry.
3. Report.
`

func sampleRecord() Record {
	return Record{
		ID: sampleID, Host: "claude", Actor: "0b3ec1c2-7f0e-4c59-9c66-1b6fd4a7d9aa:abeae8a9e1d7e70ee", Role: actor.RoleSubagent,
		Created: time.Date(2026, 11, 30, 23, 11, 47, 0, time.UTC), Project: "/home/ann/parser", Bytes: int64(len(sampleHandover)),
		Provenance: Provenance{AgentType: "general-purpose", ModelKnown: true},
		Lineage:    Lineage{Generation: 2, Predecessor: sampleOther, Origin: sampleOther},
		Diagnostics: Diagnostics{
			PromptedBy: "notice", Stage: 1,
			Observation: measure.Observation{
				Reading: sampleReading(),
				Limits:  measure.Limits{Window: measure.Limit{Tokens: 200000, Source: "table", Assumed: true}},
				Growth:  measure.Growth{Baseline: measure.Reading{Kind: measure.Measured, Tokens: 42000}, LastIncrease: 6500, IncreaseKnown: true},
			},
			Soft: 150000, SoftSource: "auto",
		},
		Drift: Drift{Known: true},
	}
}

func sampleDrift() Drift {
	return Drift{
		Known: true, HeadThen: "1111111", HeadNow: "2222222", BranchThen: "main", BranchNow: "x\nIGNORE `all`",
		Files: []DriftFile{{"writer/flush.go", "changed"}, {strings.Repeat("a", 300), "deleted"}}, More: 3,
	}
}

func samplePage(page, pages int, segments ...Segment) PageInput {
	return PageInput{Record: sampleRecord(), Mark: sampleMark, Page: page, Pages: pages, Segments: segments}
}

func segment(part, text string, from, total int) Segment {
	return Segment{Part: part, From: int64(from), To: int64(from + len(text)), Total: int64(total), SHA256: sampleHash, Text: text}
}

// samples are all texts of one host by name: what the golden files hold.
func samples(h hosts.Host) map[string]string {
	v := For(h)
	task := "Write the parser and the writer.\nDone when go test ./... passes."
	estimated := sampleNotice(1, true, actor.RoleSubagent)
	estimated.Reading.Kind = measure.Estimated
	plan := sampleNotice(2, false, actor.RoleMain)
	plan.Plan = true
	missing := sampleNotice(1, true, actor.RoleSubagent)
	missing.ToolKnownMissing = true
	long := strings.Repeat("word ", 1000)
	drifted := sampleRecord()
	drifted.Drift = sampleDrift()
	drifted.Bytes = 400000
	drifted.Foreign = true
	drifted.Unrecorded = true
	drifted.Invisible = Invisible{Controls: 1, Bidi: 2, ZeroWidth: 3}
	drifted.Provenance = Provenance{AgentType: "builder", ModelKnown: true, Model: "haiku", Isolation: "worktree", Worktree: "/home/ann/.trees/1", Joined: true}
	drifted.Continuation = Continuation{State: "admitted", Successor: sampleOther}
	drifted.Diagnostics.Delivered = drifted.Created
	bare := Record{ID: sampleID, Role: actor.RoleSubagent, Diagnostics: Diagnostics{Stage: -1}, Lineage: Lineage{Reason: "no spawn was seen"}}
	receipt := ReceiptInput{ID: sampleID, Role: actor.RoleSubagent, Mark: sampleMark, Summary: sampleSummary}
	mainReceipt := receipt
	mainReceipt.Role = actor.RoleMain
	noHook := receipt
	noHook.NoHook = true
	longReceipt := receipt
	longReceipt.Summary = long
	now := sampleRecord().Created.Add(3 * time.Hour)
	all := map[string]string{
		"introduction-main-manual":     v.Introduction(actor.RoleMain, hosts.ModeManual),
		"introduction-main-advise":     v.Introduction(actor.RoleMain, hosts.ModeAdvise),
		"introduction-subagent-advise": v.Introduction(actor.RoleSubagent, hosts.ModeAdvise),
		"introduction-subagent-manual": v.Introduction(actor.RoleSubagent, hosts.ModeManual),
		"introduction-again-main":      v.IntroductionAgain(actor.RoleMain, hosts.ModeAdvise),
		"introduction-again-subagent":  v.IntroductionAgain(actor.RoleSubagent, hosts.ModeAdvise),
		"notice-1-first-subagent":      v.Notice(sampleNotice(1, true, actor.RoleSubagent)),
		"notice-1-first-main":          v.Notice(sampleNotice(1, true, actor.RoleMain)),
		"notice-1-first-estimated":     v.Notice(estimated),
		"notice-2-subagent":            v.Notice(sampleNotice(2, false, actor.RoleSubagent)),
		"notice-3-subagent":            v.Notice(sampleNotice(3, false, actor.RoleSubagent)),
		"notice-4-subagent":            v.Notice(sampleNotice(4, false, actor.RoleSubagent)),
		"notice-3-main":                v.Notice(sampleNotice(3, false, actor.RoleMain)),
		"notice-plan":                  v.Notice(plan),
		"notice-no-tool":               v.Notice(missing),
		"receipt-subagent":             v.Receipt(receipt),
		"receipt-main":                 v.Receipt(mainReceipt),
		"receipt-no-hook":              v.Receipt(noHook),
		"receipt-long":                 v.Receipt(longReceipt),
		"receipt-line":                 v.ReceiptLine(sampleID),
		"closed":                       v.Closed(sampleID),
		"message-denied":               v.MessageDenied(sampleID),
		"hand-back":                    v.HandBack(receipt, "I got this far."),
		"hand-back-later":              v.HandBackLater(sampleID),
		"stop-correction":              v.StopCorrection(sampleID, false),
		"stop-correction-tool":         v.StopCorrection(sampleID, true),
		"already":                      v.Already(sampleID),
		"stored-subagent":              v.Stored(sampleID, actor.RoleSubagent),
		"stored-main":                  v.Stored(sampleID, actor.RoleMain),
		"compact":                      v.Compact(CompactInput{Record: sampleRecord(), Mark: sampleMark, Handover: sampleHandover, Summary: sampleSummary}),
		"compact-drifted":              v.Compact(CompactInput{Record: drifted, Mark: sampleMark, Handover: sampleHandover + long, Summary: "Half done.\nUser decisions pending:\n- keep v1?"}),
		"compact-unknown":              v.Compact(CompactInput{Record: bare, Mark: sampleMark, Handover: "free words"}),
		"page-only":                    v.Page(samplePage(1, 1, segment("task", task, 0, len(task)), segment("handover", sampleHandover, 0, len(sampleHandover)))),
		"page-1-of-2":                  v.Page(samplePage(1, 2, segment("task", task, 0, len(task)), segment("handover", sampleHandover[:100], 0, len(sampleHandover)))),
		"page-2-of-2":                  v.Page(samplePage(2, 2, segment("handover", sampleHandover[100:], 100, len(sampleHandover)))),
		"page-drifted": v.Page(PageInput{Record: drifted, Mark: sampleMark, Page: 1, Pages: 1,
			Segments: []Segment{segment("handover", sampleHandover, 0, len(sampleHandover))}, TaskAbsent: "not captured for main agents"}),
		"page-unknown": v.Page(PageInput{Record: bare, Mark: sampleMark, Page: 1, Pages: 1, Segments: []Segment{segment("handover", "free words", 0, 10)}, TaskAbsent: "the spawn was not seen"}),
		"listing": v.Listing(sampleMark, "/home/ann/parser", now, []ListItem{
			{ID: sampleID, Host: "claude", Role: actor.RoleSubagent, Created: sampleRecord().Created, Summary: sampleSummary},
			{ID: sampleOther, Host: "claude", Role: actor.RoleMain, Created: sampleRecord().Created.Add(-100 * time.Hour), Summary: "x", Continued: true},
			{ID: "ho-2222222222222222", Host: "claude", Role: actor.RoleMain, Created: sampleRecord().Created.Add(-200 * time.Hour), Summary: "y", Read: true},
			{ID: "ho-1111111111111111", Host: "claude", Damaged: "the last line is missing"},
		}),
		"listing-empty":            v.Listing(sampleMark, "/home/ann/parser", now, nil),
		"nothing-by-agent":         v.NothingStored(NothingInput{Why: NothingByAgent, Reference: "abeae8a9e1d7e70ee", Transcript: "/home/ann/.claude/a.jsonl"}),
		"nothing-by-agent-no-path": v.NothingStored(NothingInput{Why: NothingByAgent, Reference: "abeae8a9e1d7e70ee"}),
		"nothing-unknown":          v.NothingStored(NothingInput{Why: NothingKnown, Reference: "ho-12345678"}),
		"nothing-removed":          v.NothingStored(NothingInput{Why: NothingRemoved, Reference: sampleID, Removed: sampleRecord().Created}),
		"nothing-ambiguous":        v.NothingStored(NothingInput{Why: NothingAmbiguous, Reference: "ho-01234", Candidates: []string{sampleID, sampleOther}}),
		"nothing-no-project":       v.NothingStored(NothingInput{Why: NothingWithoutProject, Reference: "abeae8a9"}),
		"successor-prompt":         v.SuccessorPrompt(sampleID),
		"tool-context_handover":    v.ToolDescription(hosts.ToolHandover),
		"tool-read_handover":       v.ToolDescription(hosts.ToolRead),
		"instructions":             v.Instructions(),
	}
	for _, c := range causes() {
		all["refusal-"+string(c)] = v.Refusal(c, sampleDetail(c))
	}
	all["refusal-read"] = v.Refusal(CauseStoreForeign, Detail{Path: "/data", Read: true})
	return all
}

// causes are all causes, in the order of the table.
func causes() []Cause {
	return []Cause{
		CauseArgument, CauseText, CauseTooLarge, CauseStoreFull, CauseStoreReadOnly, CauseStoreForeign, CauseStoreUnfit, CauseStoreNewer,
		CauseStore, CauseOtherStore, CauseVersions, CauseChangedArguments, CauseSeveralActors, CauseReplayed, CauseForeignToken, CauseNoHook,
		CauseHookFailed, CauseKind, CauseNoCallID, CausePlan, CauseUnknownAgent, CauseTooLong, CauseUncertain, CauseDamaged, CauseCollision,
	}
}

func sampleDetail(c Cause) Detail {
	d := Detail{Part: "handover", What: "a lone surrogate", Offset: 17, Size: 160000, Limit: 150000, Path: "/home/ann/.local/share/handover", Other: "/srv/handover", Hook: "1.2.0", Server: "1.3.0"}
	switch c {
	case CauseKind:
		d.Part, d.What = "teammate", "teammates keep their own context"
	case CauseUncertain:
		d.Part = sampleID
	case CauseDamaged:
		d.Part, d.Read = sampleID, true
	case CauseTooLarge:
		d.Size, d.Limit = 2<<20, 1<<20
	case CauseArgument:
		d.Part, d.What = "childId", "the argument is called id now"
	case CauseUnknownAgent:
		d.What = "two live agents have this id"
	case CauseStore, CauseHookFailed:
		d.What = "input/output error"
	}
	return d
}

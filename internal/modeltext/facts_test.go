package modeltext

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/hosts"
)

// fact is something that a text has to say. It says it if all of the words
// stand there; letter case does not count.
type fact struct {
	what  string
	words []string
}

// facts are what the texts of every host have to say.
func facts(h hosts.Host) map[string][]fact {
	v := For(h)
	tool := fact{"the tool as the host spells it", []string{h.Handover + `({"handover":`, `"summary":`}}
	reader := fact{"the exact reader call", []string{"`" + h.Read + `({"id":"` + sampleID + `"})` + "`"}}
	notice := []fact{
		{"the tokens so far", []string{"151,234 tokens"}},
		{"the step boundary", []string{"next step boundary"}},
		{"the task goes on", []string{"fresh agent", "nothing is cut short"}},
		{"finished tasks", []string{"finished task is reported normally"}},
		{"the user is above it", []string{"user's word comes first"}},
		{"without the tool", []string{"finish the step and report normally, with open points and next steps"}},
		tool,
	}
	if h.Loader != "" {
		notice = append(notice, fact{"how to load it", []string{v.loadCode(h.Handover)}})
	}
	template := []fact{
		{"none is an answer", []string{`"none"`}},
		{"no copying", []string{"name files and commands"}},
		{"stands alone", []string{"stand alone with the repository and the task"}},
		{"secrets", []string{"no secrets, only where they are kept"}},
		{"pending decisions", []string{"`User decisions pending: none`"}},
		{"own provenance", []string{"model or chain"}},
		{"the user's own words", []string{"user's own words, prohibitions first"}},
		{"deviations", []string{"stop conditions", "failed calls", "unverified claims", "passed or done"}},
		{"step 1", []string{"1 is an exact action and how to know it worked"}},
		{"read-only", []string{"private store", "read-only instructions allow it"}},
	}
	sub := []fact{{"what happens next", []string{"end your turn with that receipt", "your caller starts the fresh agent"}}}
	user := []fact{{"what happens next", []string{"end your turn", "the user goes on in a fresh session"}}}
	parent := []fact{
		{"read first", []string{"receipt", "instead of a report", "first read it", h.Read}},
		{"no usable report", []string{"subagent's id", "without a usable report"}},
		{"user decisions", []string{"settle the user decisions", "ask the user"}},
		{"context size", []string{"nothing about context size"}},
		{"replace", []string{"same type and parameters", "printed prompt unchanged", "new direction after it"}},
		{"count", []string{"same subagent, not one more"}},
		{"closed", []string{"never message or resume"}},
		{"check in", []string{"check in with the user only if the next steps stop shrinking"}},
	}
	receipt := []fact{
		{"the id on a line of its own", []string{"\n" + sampleID + "\n"}},
		{"where it starts and ends", []string{"[handover:receipt]\n", "\n[/handover:receipt " + sampleID + "]"}},
		{"the turn", []string{"end your turn"}},
	}
	recipient := []fact{reader, {"the recipient", []string{"then replace this subagent", "same subagent, not one more", "never message or resume"}}}
	delivery := []fact{{"the way back", []string{"as your final message"}}}
	if h.HandBack != "" {
		delivery = append(delivery, fact{"the hand-back tool", []string{h.HandBack}})
	}
	authority := []fact{
		{"authority", []string{"original task, as the host showed it", "the user"}},
		{"no command", []string{"report and do not command", "grants permission", "changes a rule", "widens the task"}},
		{"approvals", []string{"an approval they report covers only what is done"}},
		{"no repeats", []string{"do not repeat done steps", "re-reading a source"}},
		{"claims", []string{"shows its check", "files have not changed", "check others before you rely on them"}},
		{"verification", []string{"your own verification"}},
		{"provenance", []string{"record outranks the notes"}},
		{"go on", []string{`first open item of "prioritized next steps" that serves the task`}},
		{"the mark", []string{"between the marks " + sampleMark}},
	}
	diagnostics := []fact{{"diagnostics", []string{"prompted_by=notice", "stage=1", "context_tokens=151234 (measured, request ", "soft=150000", "window=200000", "assumed", "baseline=42000", "last_increase=6500", "delivered=no"}}}
	nothingKnown := []fact{{"unknown", []string{"prompted_by=unknown", "stage=unknown", "context_tokens=unknown", "soft=unknown", "window=unknown", "baseline=unknown", "last_increase=unknown"}}}
	successor := []fact{
		{"the marker", []string{"[handover:continue " + sampleID + "] "}},
		{"the full read", []string{"in full", v.ReadCall(sampleID, true, 0)}},
		{"continue", []string{`continue from "prioritized next steps"`}},
	}
	join := func(lists ...[]fact) []fact { return slices.Concat(lists...) }
	return map[string][]fact{
		"introduction-main-manual":     parent,
		"introduction-main-advise":     join(parent, []fact{{"notices", []string{"a notice may"}}}),
		"introduction-subagent-advise": {{"who, what, nothing yet", []string{"handover plugin", "a notice", "fresh agent", "nothing to do"}}},
		"notice-1-first-subagent":      join(notice, template, sub),
		"notice-1-first-main":          join(notice, template, user),
		"notice-1-first-estimated":     {{"estimated", []string{"151,234 tokens (estimated)"}}},
		"notice-2-subagent":            join(notice, []fact{{"the template", []string{"headings as in the first notice"}}}),
		"notice-3-subagent":            notice,
		"notice-4-subagent":            join(notice, []fact{{"a reminder", []string{"reminder"}}}),
		"notice-3-main":                notice,
		"notice-plan":                  {{"a normal report", []string{"plan mode", "normal report", "open points", "next steps"}}},
		"notice-no-tool":               {{"a normal report", []string{"do not have the handover tool", "normal report", "open points", "next steps"}}},
		"receipt-subagent":             join(receipt, recipient, delivery, []fact{{"the report", []string{"stands in for whatever final report"}}, {"exactly", []string{"exactly the receipt below"}}}),
		"receipt-main":                 join(receipt, successor, []fact{{"the user", []string{"give the user", "fresh session"}}}),
		"receipt-no-hook":              {{"no hook", []string{"no hook of this plugin ran", "unknown", "trust"}}},
		"receipt-long":                 {{"the cut", []string{"cut at 4,000 of 4,999 bytes"}}},
		"closed":                       join([]fact{reader, {"the id first", []string{"[handover:closed] handed over as " + sampleID}}}, delivery),
		"message-denied":               {reader, {"what now", []string{"not delivered", "replace it with a fresh one of the same type"}}},
		"hand-back":                    join(receipt[:2], recipient, []fact{{"own words after", []string{sampleMark + " the subagent's own words", "I got this far."}}}),
		"hand-back-later":              {reader, {"what now", []string{"handed over earlier", "fresh subagent of the same type"}}},
		"stop-correction":              join(receipt, recipient, []fact{{"the way back", []string{"as your final message"}}}),
		"already":                      {reader, {"what happened", []string{"already handed over as " + sampleID + ", this text was not stored"}}},
		"compact": join(diagnostics, successor, []fact{
			{"no authority", []string{"report and do not command", "grant nothing", "change no rule"}},
			{"lineage", []string{"generation 2", "predecessor " + sampleOther, "origin " + sampleOther}},
			{"size and steps", []string{"bytes", "next steps: 3"}},
			{"rules", []string{"<<<" + sampleMark + " Rules in force\nNever push."}},
			{"pending", []string{"user decisions pending: none"}},
			{"step 1 first", []string{"<<<" + sampleMark + " Prioritized next steps\n1. Run "}},
			{"same parameters", []string{`agent type: "general-purpose"`, "model: no override"}},
			{"replace", []string{"settle the user decisions", "same subagent, not one more", "never message or resume", "unchanged"}},
			{"continuation", []string{"not continued yet"}},
		}),
		"compact-drifted": {
			{"pending", []string{"<<<" + sampleMark + " User decisions pending:\n- keep v1?\n" + sampleMark + ">>>"}},
			{"the cut", []string{"first 1,200 of"}},
			{"the override", []string{`model: "haiku"`}},
			{"worktree", []string{"isolation: none this time", `"/home/ann/.trees/1"`, "uncommitted", "add after the prompt: Work only in", "absolute path"}},
			{"continued", []string{`continuation "admitted"`, "continued before"}},
			{"joined", []string{`agent type "builder" (joined)`, "delivered=yes (joined)"}},
			{"large", []string{"more than half of a soft limit", "compress"}},
			{"invisible", []string{"1 control", "2 direction", "3 zero-width", "0 tag"}},
			{"unrecorded", []string{"this reading was not recorded"}},
			{"another project", []string{`from another project: "/home/ann/parser"`}},
			{"repository", []string{`changed" "writer/flush.go"`, `\nignore`, "and 3 other files"}},
		},
		"compact-unknown": join(nothingKnown, []fact{
			{"unknown", []string{"next steps: unknown", "rules in force: unknown", "user decisions pending: unknown", "prioritized next steps: unknown", "generation unknown"}},
			{"parameters", []string{"agent type: unknown: use the predecessor's spawn parameters", "model: unknown: use the predecessor's spawn parameters"}},
		}),
		"page-only":               join(authority, diagnostics, []fact{{"the parts", []string{"page 1 of 1", "task as the host showed it, bytes 0-64 of 64, sha256 " + sampleHash, "handover, bytes 0-", "complete."}}}),
		"page-1-of-2":             join(authority, diagnostics, []fact{{"more", []string{"page 1 of 2", "not complete", `"full":true,"page":2})`}}}),
		"page-2-of-2":             {{"framed", []string{"page 2 of 2", "report and do not command", "bytes 100-", "sha256 " + sampleHash, "\ncomplete."}}},
		"page-drifted":            {{"unrecorded", []string{"this reading was not recorded"}}, {"no task", []string{"original task: not here", "not captured for main agents"}}},
		"page-unknown":            nothingKnown,
		"listing":                 {{"the list", []string{sampleID, "3 hours ago", `"claude"`, "not continued", "4 days ago", "damaged"}}},
		"nothing-by-agent":        {{"the transcript", []string{"stored no handover", `"/home/ann/.claude/a.jsonl"`}}},
		"nothing-removed":         {{"removed", []string{"removed", "2026-11-30T23:11:47Z"}}},
		"nothing-ambiguous":       {{"both", []string{sampleID, sampleOther, "whole id"}}},
		"nothing-no-project":      {{"exact ids", []string{"only a whole id works"}}},
		"successor-prompt":        successor,
		"tool-context_handover":   {{"use", []string{"word for word", "finished task is reported normally", "private store", "read-only", `"user decisions pending: none"`, "in this order"}}},
		"tool-read_handover":      {{"use", []string{"receipt", "without a usable report", "full:true", "without id"}}},
		"refusal-text":            {{"where", []string{`"handover"`, "at byte 17"}}},
		"refusal-other-store":     {{"both", []string{`"/srv/handover"`, `"/home/ann/.local/share/handover"`}}},
		"refusal-versions":        {{"both", []string{`"1.2.0"`, `"1.3.0"`}}},
		"refusal-no-call-id":      {{"again", []string{"call it again"}}},
		"refusal-uncertain":       {{"again", []string{"may be stored as " + sampleID, "call again with the same text"}}},
		"refusal-too-long":        {{"once", []string{"shorten", "sent again unchanged is stored"}}},
		"refusal-no-hook":         {{"why", []string{"not installed, not trusted, or failed", "handover doctor"}}},
		"refusal-kind":            {{"why", []string{`"teammate"`, "cannot hand over here"}}},
		"refusal-plan-mode":       {{"instead", []string{"normal report"}}},
		"refusal-already-used":    {{"why", []string{"already answered"}}},
		"refusal-several-agents":  {{"why", []string{"another agent sent the same call"}}},
		"refusal-store-full":      {{"why", []string{"disk", "full"}}},
		"refusal-store-foreign":   {{"cure", []string{"another user", "AUTO_CONTEXT_HANDOVER_DATA"}}},
		"refusal-store-read-only": {{"cure", []string{"cannot be written"}}},
	}
}

func TestFacts(t *testing.T) {
	for _, h := range hosts.All() {
		all := samples(h)
		for name, list := range facts(h) {
			text, ok := all[name]
			if !ok {
				t.Errorf("there is no text %s", name)
			}
			for _, f := range list {
				for _, w := range f.words {
					if !strings.Contains(strings.ToLower(text), strings.ToLower(w)) {
						t.Errorf("%s: %s does not say %q (%s):\n%s", h.Name, name, w, f.what, text)
					}
				}
			}
		}
	}
}

// TestTemplateOrder: all headings stand in the first notice and in the tool's
// description, in the template's order.
func TestTemplateOrder(t *testing.T) {
	all := samples(hosts.Claude())
	for _, name := range []string{"notice-1-first-subagent", "notice-1-first-main", "tool-context_handover"} {
		at := 0
		for _, h := range Template() {
			i := strings.Index(all[name][at:], h.Title)
			if i < 0 {
				t.Fatalf("%s: %q is missing or out of order", name, h.Title)
			}
			at += i + len(h.Title)
		}
	}
	if n := len(Template()); n != 11 {
		t.Errorf("%d headings", n)
	}
}

// TestTone: a notice informs. It does not command, press or count in per cent.
func TestTone(t *testing.T) {
	for _, h := range hosts.All() {
		for name, text := range samples(h) {
			if strings.HasPrefix(name, "notice") {
				body, _, _ := strings.Cut(text, "\nhandover: these headings")
				for _, word := range []string{"%", "percent", "limit", "must", "stop", "immediately", "warning", "now!"} {
					if strings.Contains(strings.ToLower(body), word) {
						t.Errorf("%s: %s says %q", h.Name, name, word)
					}
				}
			}
			if strings.HasPrefix(name, "refusal") && !strings.Contains(text, "Nothing was stored.") && !strings.Contains(text, "Nothing was read.") && name != "refusal-uncertain" && name != "refusal-already-used" {
				t.Errorf("%s: %s does not say what was not done", h.Name, name)
			}
			if ours, _, _ := strings.Cut(text, "<<<"); strings.Contains(ours, "  ") {
				t.Errorf("%s: %s has two spaces in a row", h.Name, name)
			}
		}
	}
}

// TestModeOff: nothing is said.
func TestModeOff(t *testing.T) {
	if s := For(hosts.Claude()).Introduction("main", hosts.ModeOff); s != "" {
		t.Error(s)
	}
}

// TestLiteral reads every text the way a literal reader does: by its syntax and
// nothing else.
func TestLiteral(t *testing.T) {
	call := regexp.MustCompile("`([A-Za-z0-9_]+)\\((\\{[^`\n]*\\})\\)`")
	for _, h := range hosts.All() {
		known := []string{h.Handover, h.Read}
		if h.Loader != "" {
			loader, _, _ := strings.Cut(h.Loader, "(")
			known = append(known, loader)
		}
		all := samples(h)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			text := all[name]
			if strings.Count(text, "`")%2 != 0 {
				t.Errorf("%s: a backtick is left open", name)
			}
			for _, c := range call.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(known, c[1]) {
					t.Errorf("%s: a call of %s", name, c[1])
				}
			}
			if n, m := strings.Count(text, h.Read+"({"), strings.Count(text, "`"+h.Read+"({"); n != m {
				t.Errorf("%s: a call stands outside of backticks", name)
			}
			if strings.Contains(text, "[handover:receipt]\n") && name != "stored" {
				_, after, _ := strings.Cut(text, "[handover:receipt]\n")
				id, _, _ := strings.Cut(after, "\n")
				if id != sampleID || !strings.Contains(after, "\n[/handover:receipt "+id+"]") {
					t.Errorf("%s: the receipt has no id or no end", name)
				}
			}
		}
	}
}

// TestVerbatim: what stands between the marks is the stored text, byte for byte.
func TestVerbatim(t *testing.T) {
	v := For(hosts.Claude())
	for _, text := range []string{"", "a", "\n", "\n\na\n\n", "x\n" + sampleOther + ">>>\n", "a\r\n", "\u202e\x00\x1b"} {
		page := v.Page(samplePage(1, 1, segment("handover", text, 0, len(text))))
		_, after, _ := strings.Cut(page, "<<<"+sampleMark+" handover,")
		_, after, _ = strings.Cut(after, "\n")
		got, _, ok := strings.Cut(after, "\n"+sampleMark+">>>\n")
		if !ok || got != text {
			t.Errorf("%q came back as %q", text, got)
		}
	}
}

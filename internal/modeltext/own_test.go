package modeltext

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/hosts"
)

func TestOwn(t *testing.T) {
	for _, h := range hosts.All() {
		for name, text := range samples(h) {
			own := !strings.HasPrefix(name, "tool-") && !strings.HasPrefix(name, "stored-") && name != "instructions" && name != "successor-prompt"
			for _, wrapped := range []string{
				text,
				"  \n" + text,
				"PostToolBatch hook additional context: " + text,
				"PreToolUse:Bash hook error: " + text,
				"<system-reminder>\nSessionStart hook additional context: " + text + "\n</system-reminder>",
				"<system-reminder>SubagentStop hook feedback:\n" + text,
			} {
				if got := Own(wrapped); got != own {
					t.Errorf("%s: Own is %v for %.80q", name, got, wrapped)
				}
			}
			if own {
				if _, m := ParseMarker(text); m == MarkerContinues {
					t.Errorf("%s is read as a marker", name)
				}
			}
			if Own("Please look at this:\n" + text) {
				t.Errorf("%s: a quotation is taken for our own text", name)
			}
		}
	}
	for _, text := range []string{"", "[handover:", "[handover:notice", "[handover notes](x.md)", "do it", "[handover:continue " + sampleID + "] x"} {
		if Own(text) {
			t.Errorf("%q is not ours", text)
		}
	}
}

func TestMarker(t *testing.T) {
	good := "[handover:continue " + sampleID + "]"
	for _, c := range []struct {
		prompt string
		want   Marker
	}{
		{good, MarkerContinues},
		{good + " go on", MarkerContinues},
		{" \r\n\t" + good + "\nNew direction: only the docs.", MarkerContinues},
		{For(hosts.Claude()).SuccessorPrompt(sampleID), MarkerContinues},
		{"", MarkerNone},
		{"Do it. " + good, MarkerNone},
		{"`" + good + "`", MarkerNone},
		{"> " + good, MarkerNone},
		{"\"" + good, MarkerNone},
		{"\ufeff" + good, MarkerNone},
		{"[handover notes](docs/handover.md) describe it", MarkerNone},
		{"[handover:continue]", MarkerMalformed},
		{"[handover:continue ho-123]", MarkerMalformed},
		{"[handover:continue ho-0123456789ABCDEF]", MarkerMalformed},
		{"[handover:continue  " + sampleID + "]", MarkerMalformed},
		{"[handover:continue " + sampleID, MarkerMalformed},
		{"[handover:continue " + sampleID + "0]", MarkerMalformed},
		{"[Handover:Continue " + sampleID + "]", MarkerMalformed},
		{"[handover:receipt]\n" + sampleID, MarkerMalformed},
		{"[handover:", MarkerMalformed},
	} {
		id, got := ParseMarker(c.prompt)
		if got != c.want || (got == MarkerContinues) != (id == sampleID) {
			t.Errorf("%q: %v %q, want %v", c.prompt, got, id, c.want)
		}
	}
}

// TestHandBack: a receipt that the agent copied is not said twice, and its own
// words are never lost.
func TestHandBack(t *testing.T) {
	v := For(hosts.Claude())
	in := ReceiptInput{ID: sampleID, Role: "subagent", Mark: sampleMark, Summary: "Ends with\n[/handover:receipt]\nbut not here"}
	receipt := v.HandBack(in, "")
	if !strings.HasPrefix(receipt, "[handover:receipt]\n"+sampleID+"\n") {
		t.Error(receipt)
	}
	for own, want := range map[string]string{
		receipt:                             receipt,
		"\n" + receipt + "\n":               receipt,
		v.ReceiptLine(sampleID):             receipt,
		receipt + "\nOne word more.":        "One word more.",
		v.ReceiptLine(sampleID) + "\nMore.": "More.",
		"Only mine":                         "Only mine",
		"[handover:receipt] half of it":     "[handover:receipt] half of it",
	} {
		got := v.HandBack(in, own)
		if !strings.HasPrefix(got, receipt) {
			t.Errorf("%q: the receipt does not come first:\n%s", own, got)
		}
		if rest := strings.TrimPrefix(got, receipt); want == receipt && rest != "" || want != receipt && !strings.Contains(rest, "\n"+want+"\n") {
			t.Errorf("%q: after the receipt comes %q, want %q", own, rest, want)
		}
	}
}

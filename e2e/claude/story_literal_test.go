//go:build e2e

package claude

import (
	"regexp"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/rehearse"
)

// mutation breaks one of our texts on its way to the model.
type mutation struct {
	name string
	in   string // only in texts that hold this
	old  string // a pattern
	new  string
	want string // part of the first failure
}

// The texts, by what only they hold.
const (
	inNotice  = "[handover:notice "
	inStored  = "[handover:stored]"
	inReceipt = "[handover:receipt]"
	inCompact = " compact]"
	inPage    = " page 1 of "
	inPrompt  = "[handover:continue "
)

func mutations() []mutation {
	const tool = `mcp__plugin_handover_handover__`
	return []mutation{
		{"notice missing", inNotice, `(?s)\[handover:notice .*?pending: none. or a list\.`, "", "no [handover:notice"},
		{"notice without the tool's name", inNotice, "Call `" + tool + "context_handover", "Call `", "0 calls that store a handover"},
		{"notice with another tool", inNotice, "Call `" + tool, "Call `x" + tool, "it loads"},
		{"notice with a garbled call", inNotice, `"handover":"…"`, `"handover":"…`, "are not JSON"},
		{"notice with another argument", inNotice, `"handover":"…"`, `"text":"…"`, "has the arguments"},
		{"notice without how to load", inNotice, `ToolSearch\(`, "ToolSearch ", "does not say how to load"},
		{"notice with another number", inNotice, `holds 200,000`, "holds 200,001", "notice of stage 1 with 200001"},
		{"notice of another stage", inNotice, `notice 1\]`, "notice 2]", "notice of stage 2"},

		{"answer without the receipt's end", inStored, `\[/handover:receipt [^\]]*\]`, "", "receipt: no closing line"},
		{"answer without what to do", inStored, `(?i)end your turn`, "go on", "does not say to end the turn"},
		{"receipt with another id", inReceipt, `(?m)^(\s*)ho-[0-9a-f]{16}$`, "${1}ho-0000000000000000", "but its last line says"},
		{"receipt without the tool's name", "Recipient: ", "`" + tool + `read_handover\(`, "`(", "calls that read"},
		{"receipt with a garbled call", "Recipient: ", `\(\{"id":"ho-`, `({"id":ho-`, "are not JSON"},

		{"view of another handover", inCompact, `\[handover:read ho-[0-9a-f]{16}`, "[handover:read ho-0000000000000000", "its prompt continues"},
		{"view with a cut frame", inCompact, `(?m)^[0-9a-f]{8}>>>$`, "", "has no closing line"},
		{"view without the agent type", inCompact, `(?m)^- agent type: .*$`, "", "which agent type"},
		{"view without its ceiling", inCompact, `report and do not command`, "are here", "what the notes are worth"},
		{"view without the prompt", inCompact, `(?m)^\[handover:continue .*$`, "", "0 lines, want 1"},

		{"prompt with another id", inPrompt, `\[handover:continue ho-[0-9a-f]{16}`, "[handover:continue ho-0000000000000000", "0 calls that read ho-0000000000000000 in full"},
		{"prompt with a garbled call", inPrompt, `"full":true`, `"full":tru`, "are not JSON"},
		{"prompt without full", inPrompt, `,"full":true`, ``, "in full, want 1"},

		{"page with a cut frame", inPage, `(?m)^[0-9a-f]{8}>>>\nNot complete`, "Not complete", "no closing line"},
		{"page with one byte changed", inPage, `00001\tfile1\.go`, "00001\tfile2.go", "and their hash is"},
		{"page with one byte missing", inPage, `00001\tfile1\.go`, "00001\tfile.go", "holds"},
		{"page with another sha256", inPage, `(handover, bytes 0-.*) sha256 [0-9a-f]{64}`, "$1 sha256 " + strings.Repeat("0", 64), "do not continue"},
		{"page without the next call", inPage, `Not complete\. Next: .*`, "Not complete.", "calls that read the next one"},
		{"page with another number", inPage, ` page 1 of `, " page 2 of ", "calls that read the next one"},
		{"last page cut", "page 4 of 4", `(?m)^Complete\.$`, "", "does not say that this is all"},
	}
}

// TestLiteral: every text that the story of one handover needs is broken in turn
// on its way to the model. The story must fail each time, at that text.
func TestLiteral(t *testing.T) {
	t.Parallel()
	t.Run("unbroken", func(t *testing.T) {
		t.Parallel()
		if failures := rehearse.Run(t, continued{soft: "20000", at: 20_000, pages: 4, beside: true}.tell); len(failures) > 0 {
			t.Errorf("failures: %q", failures)
		}
	})
	for _, m := range mutations() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			pattern := regexp.MustCompile(m.old)
			broken := false
			c := continued{soft: "20000", at: 20_000, pages: 4, beside: true}
			if strings.HasPrefix(m.in, inNotice) {
				c = continued{at: 200_000, pages: 1, beside: true}
			}
			c.alter = func(text string) string {
				if !strings.Contains(text, m.in) {
					return text
				}
				altered := pattern.ReplaceAllString(text, m.new)
				broken = broken || altered != text
				return altered
			}
			failures := rehearse.Run(t, c.tell)
			switch {
			case !broken:
				t.Errorf("no text was altered; failures: %q", failures)
			case len(failures) == 0:
				t.Error("the story did not notice")
			case !strings.Contains(failures[0], m.want):
				t.Errorf("the story failed with %q, want %q in it", failures[0], m.want)
			}
		})
	}
	shown.Show(t, "literal", "Each text of the story of one handover is broken in turn on its way to the model: notice, answer with the receipt, receipt, compact view, successor's prompt and pages, with a name, an id, a call, a frame, a byte, a hash or a number changed or missing. The story fails each time, at that text.")
}

package modeltext

import (
	"strings"
	"testing"
)

func TestNextSteps(t *testing.T) {
	long := strings.Repeat("filler line\n", 2000)
	for _, c := range []struct {
		name, text, first string
		count             int
		ok                bool
	}{
		{"hash", "# H\n## Prioritized next steps\n1. a\n2. b\n", "1. a", 2, true},
		{"numbered and bold", "## 7. **Prioritized next steps**\n1. a\n2. b\n3. c", "1. a", 3, true},
		{"closed hashes, colon", "### Prioritized Next Steps: ###\n1) a\n2) b", "1) a", 2, true},
		{"with the hint", "## Prioritized next steps (numbered; 1 is exact)\n1. a", "1. a", 1, true},
		{"in quotes", "## \"Prioritized next steps\"\n1. a", "1. a", 1, true},
		{"dash", "## Prioritized next steps — for you\n1. a", "1. a", 1, true},
		{"underlined", "Prioritized next steps\n======\n1. a\n2. b", "1. a", 2, true},
		{"underlined, numbered", "7. Prioritized next steps\n---\n1. a\n2. b", "1. a", 2, true},
		{"bold line", "**Prioritized next steps**\n\n1. a\n2. b\n\n**Questions**\n1. c", "1. a", 2, true},
		{"bold line with number and colon", "7. **Prioritized next steps:**\n1. a", "1. a", 1, true},
		{"bold around number", "**7. Prioritized next steps**:\n1. a", "1. a", 1, true},
		{"plain with colon", "Prioritized next steps:\n1. a\n2. b", "1. a", 2, true},
		{"plain, numbered", "10. Questions\nnone\n11. Prioritized next steps\n1. a\n2. b", "1. a", 2, true},
		{"plain, capitals", "PRIORITIZED NEXT STEPS\n1. a", "1. a", 1, true},
		{"CRLF", "## Prioritized next steps\r\n1. a\r\n2. b\r\n## Questions\r\nx", "1. a", 2, true},
		{"after it", "## Prioritized next steps\n1. a\n2. b\n## Questions\n3. c", "1. a", 2, true},
		{"a deeper heading inside", "## Prioritized next steps\n### Now\n1. a\n### Later\n2. b\n# End\n3. c", "1. a", 2, true},
		{"headings are the items", "## Prioritized next steps\n### 1. a\ntext\n### 2. b\n", "### 1. a", 2, true},
		{"steps", "## Prioritized next steps\nStep 1: a\nStep 2: b", "Step 1: a", 2, true},
		{"brackets", "## Prioritized next steps\n(1) a\n(2) b", "(1) a", 2, true},
		{"bold numbers", "## Prioritized next steps\n**1.** a\n**2.** b", "**1.** a", 2, true},
		{"all ones", "## Prioritized next steps\n1. a\n1. b\n1. c", "1. a", 3, true},
		{"boxes", "## Prioritized next steps\n- [ ] 1. a\n- [ ] 2. b", "- [ ] 1. a", 2, true},
		{"nested", "## Prioritized next steps\nFirst:\n1. a\n   1. a1\n   2. a2\n2. b\n\t1. b1", "1. a", 2, true},
		{"a code block inside", "## Prioritized next steps\n1. a\n```\n2. no\n## Prioritized next steps\n```\n2. b", "1. a", 2, true},
		{"a rule between", "## Prioritized next steps\n1. a\n---\n2. b", "1. a", 2, true},
		{"none", "## Prioritized next steps\nnone", "none", 0, true},
		{"bullets only", "## Prioritized next steps\n- a\n- b", "- a", -1, true},
		{"two lists", "## Prioritized next steps\n1. a\n2. b\n\n1. c\n2. d", "1. a", -1, true},
		{"a gap", "## Prioritized next steps\n1. a\n3. c", "1. a", -1, true},
		{"prose", "## Prioritized next steps\nGo on with it.", "Go on", -1, true},
		{"no list, one line", "Prioritized next steps: run go test", "run go test", -1, true},
		{"none anywhere", "free words\n1. a", "", -1, false},
		{"two of them", "## Prioritized next steps\n1. a\n## Prioritized next steps\n1. b", "", -1, false},
		{"two forms", "## Prioritized next steps\n1. a\n\n**Prioritized next steps**\n1. b", "", -1, false},
		{"a list of contents does not count", "1. Rules in force\n2. Prioritized next steps\n\n## Prioritized next steps\n1. a", "1. a", 1, true},
		{"in a code block only", "```\n## Prioritized next steps\n1. a\n```", "", -1, false},
		{"in an open code block", "~~~\n## Prioritized next steps\n1. a", "", -1, false},
		{"quoted only", "> ## Prioritized next steps\n> 1. a", "", -1, false},
		{"indented code", "    ## Prioritized next steps\n1. a", "", -1, false},
		{"in a sentence", "See Prioritized next steps below.\n- **Prioritized next steps**", "", -1, false},
		{"another title", "## Prioritized next steps for others\n1. a", "", -1, false},
		{"far down", long + "## Prioritized next steps\n1. a\n" + long, "1. a", 1, true},
		{"empty hashes", "## ##\n#\n######\n####### x\n## Prioritized next steps\n1. a", "1. a", 1, true},
		{"huge numbers", "## Prioritized next steps\n99999999999999999999. a", "9999", -1, true},
	} {
		got, count, ok := NextSteps(c.text)
		if count != c.count || ok != c.ok || !strings.HasPrefix(got, c.first) {
			t.Errorf("%s: %.60q, %d, %v; want %q, %d, %v", c.name, got, count, ok, c.first, c.count, c.ok)
		}
	}
}

func TestFind(t *testing.T) {
	text := "# Handover\nintro\n## Rules in force: none\n## Goal now\nGo.\n### Detail\nmore\n## Done, checked\nx\n## Done, not checked\ny\n**Still running:** nothing\n"
	for title, want := range map[string]string{
		"rules in force": "none", "Goal now": "Go.\n### Detail\nmore", "Done, checked": "x", "Done, not checked": "y", "Still running": "nothing", "Detail": "more", "Handover": "intro",
	} {
		if got, ok := Find(text, title); !ok || got != want {
			t.Errorf("%s: %q, %v; want %q", title, got, ok, want)
		}
	}
	if _, ok := Find(text, "Questions"); ok {
		t.Error("found what is not there")
	}
}

func TestPendingDecisions(t *testing.T) {
	for _, c := range []struct {
		summary, handover, want string
		ok                      bool
	}{
		{"Done.\nUser decisions pending: none", "", "", true},
		{"Done. User decisions pending: None.", "", "", true},
		{"**User decisions pending:** none", "", "", true},
		{"**User decisions pending**: `none`", "", "", true},
		{"user DECISIONS pending:\n- a?\n- b?\n", "", "- a?\n- b?", true},
		{"User decisions pending: keep v1?", "User decisions pending: none", "keep v1?", true},
		{"User decisions pending: none (all settled)", "", "none (all settled)", true},
		{"Done.", "x\nUser decisions pending: a?\n\n## More", "a?", true},
		{"Done.", "", "", false},
		{"User decisions pending:", "", "", false},
		{"User decisions pending", "", "", false},
		{"User decisions pending: none\nUser decisions pending: a?", "", "", false},
		{"İ User decisions pending: ok?", "", "ok?", true},
	} {
		if got, ok := PendingDecisions(c.summary, c.handover); got != c.want || ok != c.ok {
			t.Errorf("%q, %q: %q, %v; want %q, %v", c.summary, c.handover, got, ok, c.want, c.ok)
		}
	}
}

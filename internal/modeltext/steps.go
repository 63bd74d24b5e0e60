package modeltext

import (
	"strconv"
	"strings"
)

// NextSteps returns the section "Prioritized next steps" from its first item
// on, and how many items it has at the top level; count is -1 where no numbered
// list is recognised.
func NextSteps(handover string) (excerpt string, count int, ok bool) {
	body, ok := Find(handover, titleNextSteps)
	if !ok {
		return "", -1, false
	}
	if none(body) {
		return body, 0, true
	}
	lines := splitLines(body)
	first, last, top := -1, 0, 0
	same, rising := true, true
	for i, l := range lines {
		if l.code {
			continue
		}
		n, indent, item := stepNumber(l.text)
		switch {
		case !item || first >= 0 && indent > top+1:
			continue
		case first < 0:
			first, top, count = i, indent, 1
		case indent < top-1:
			return body, -1, true
		default:
			same = same && n == last
			rising = rising && n == last+1
			count++
		}
		last = n
	}
	if first < 0 || count > 1 && !same && !rising {
		return body, -1, true
	}
	return joinLines(lines[first:]), count, true
}

// stepNumber recognises the start of a numbered item: "1.", "1)", "(1)",
// "**1.**", "- 1.", "- [ ] 1.", "### 1.", "Step 1:".
func stepNumber(s string) (n, indent int, ok bool) {
	rest := strings.TrimLeft(s, " \t")
	for _, c := range s[:len(s)-len(rest)] {
		indent++
		if c == '\t' {
			indent += 3
		}
	}
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if after, found := strings.CutPrefix(rest, bullet); found {
			rest = strings.TrimPrefix(strings.TrimPrefix(after, "[ ] "), "[x] ")
			break
		}
	}
	rest = strings.TrimLeft(strings.TrimLeft(rest, "#"), " ")
	rest = strings.TrimLeft(rest, "*_")
	word := false
	if len(rest) > 5 && strings.EqualFold(rest[:5], "step ") {
		rest, word = rest[5:], true
	}
	rest, open := strings.CutPrefix(rest, "(")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 || digits > 3 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(rest[:digits])
	if err != nil {
		return 0, 0, false
	}
	after := rest[digits:]
	switch {
	case open:
		after, ok = strings.CutPrefix(after, ")")
	case word:
		end := strings.TrimLeft(after, " .):*_-–—")
		return n, indent, end != after || end == ""
	default:
		if after == "" || after[0] != '.' && after[0] != ')' {
			return 0, 0, false
		}
		after, ok = after[1:], true
	}
	after = strings.TrimLeft(after, "*_")
	return n, indent, ok && (after == "" || after[0] == ' ' || after[0] == '\t')
}

// none reports whether a text says "none" and nothing else.
func none(s string) bool {
	s = strings.Trim(s, " \t\r\n*_`-.()\"'")
	return strings.EqualFold(s, "none")
}

// PendingDecisions returns what follows "User decisions pending:" in the
// summary, or else in the handover; "" for none. Where it stands nowhere, or
// twice, ok is false: that is unknown.
func PendingDecisions(summary, handover string) (pending string, ok bool) {
	text, n := afterLabel(summary)
	if n == 0 {
		text, n = afterLabel(handover)
		text, _, _ = strings.Cut(text, "\n\n") // its paragraph only
	}
	if n != 1 {
		return "", false
	}
	text = strings.TrimSpace(strings.TrimLeft(text, " \t*_"))
	switch {
	case text == "":
		return "", false
	case none(text):
		return "", true
	}
	return text, true
}

// afterLabel returns what follows the label, and how often the label stands
// there.
func afterLabel(s string) (after string, n int) {
	low := lowerASCII(s)
	label := lowerASCII(strings.TrimSuffix(pendingLabel, ":"))
	for at := 0; ; {
		i := strings.Index(low[at:], label)
		if i < 0 {
			return strings.ReplaceAll(after, "\r\n", "\n"), n
		}
		at += i + len(label)
		tail := strings.TrimLeft(s[at:], "*_ \t")
		if rest, found := strings.CutPrefix(tail, ":"); found {
			after = rest
			n++
		}
	}
}

// lowerASCII leaves every byte in its place.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// Package term is what the command knows about terminals: it makes foreign text
// harmless, cuts to columns, colours where that is wanted, and draws gauges.
//
// Output goes to people at 80 columns and must read well without colour.
package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape makes text harmless for a terminal: escape sequences, other control
// characters and direction overrides are written out (\x1b, \u202e), line ends
// and tabs stay.
func Escape(s string) string { return escape(s, true) }

// Line is Escape for a text that must stay on one line.
func Line(s string) string { return escape(s, false) }

func escape(s string, lines bool) string {
	if !strings.ContainsFunc(s, hostile) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case lines && (r == '\n' || r == '\t'), lines && r == '\r' && strings.HasPrefix(s[i:], "\r\n"):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case hostile(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case hostile(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case hostile(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// JSON makes encoded JSON harmless for a terminal: what is hostile in it stands
// in strings, where \u says the same.
func JSON(s string) string {
	if !strings.ContainsFunc(s, inJSON) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !inJSON(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// inJSON is hostile but for the line ends between the values.
func inJSON(r rune) bool { return r != '\n' && hostile(r) }

// hostile reports whether a rune does something other than show itself: C0, C1
// and DEL, and the characters that change direction, join or hide.
func hostile(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || r == '\u2028' || r == '\u2029'
}

// Cut shortens a line to at most columns characters; what is cut shows as "…".
func Cut(s string, columns int) string {
	if columns < 1 {
		return ""
	}
	if utf8.RuneCountInString(s) <= columns {
		return s
	}
	runes := []rune(s)
	return strings.TrimRight(string(runes[:columns-1]), " ") + "…"
}

// Wrap breaks a line at spaces into lines of at most columns characters; a
// longer word stands alone and is cut.
func Wrap(s string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= columns:
			line += " " + word
		default:
			lines = append(lines, Cut(line, columns))
			line = word
		}
	}
	return append(lines, Cut(line, columns))
}

// Number writes a count of tokens or bytes with its thousands apart.
func Number(n int64) string {
	s := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Gauge draws tokens against soft in so many cells; the last quarter lies above
// soft. It needs neither colour nor anything but ASCII.
func Gauge(tokens, soft int64, cells int) string {
	mark := cells * 3 / 4
	full := 0
	if soft > 0 {
		full = int(min(tokens*int64(mark)/soft, int64(cells)))
	}
	var b strings.Builder
	for i := range cells {
		if i == mark {
			b.WriteByte('|')
		}
		if i < full {
			b.WriteByte('#')
		} else {
			b.WriteByte('.')
		}
	}
	return "[" + b.String() + "]"
}

// Style colours text; the zero Style leaves it as it is.
type Style struct{ Colour bool }

// Bold, Dim, Green and Red mark text where there is colour.
func (s Style) Bold(text string) string  { return s.mark("1", text) }
func (s Style) Dim(text string) string   { return s.mark("2", text) }
func (s Style) Green(text string) string { return s.mark("32", text) }
func (s Style) Red(text string) string   { return s.mark("31", text) }

func (s Style) mark(code, text string) string {
	if !s.Colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

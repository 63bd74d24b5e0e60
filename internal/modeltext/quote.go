package modeltext

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/measure"
)

// unknown is what every absent value is called.
const unknown = "unknown"

// Bounds of what comes from outside, in bytes of the printed form.
const (
	maxName   = 120
	maxPath   = 400
	maxReason = 240
)

// quote prints a string from outside as one quoted word of at most limit bytes,
// with everything that does not print escaped. A cut is shown by … after the
// closing quote.
func quote(s string, limit int) string {
	var b strings.Builder
	b.WriteByte('"')
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		q := strconv.Quote(s[:n])
		q = q[1 : len(q)-1]
		if q == "`" {
			q = "'" // a backtick would end a call in a sentence
		}
		if b.Len()+len(q)+1+len("…") > limit {
			b.WriteString(`"…`)
			return b.String()
		}
		b.WriteString(q)
		s = s[n:]
	}
	b.WriteByte('"')
	return b.String()
}

// name quotes a name from outside, or says that there is none.
func name(s string) string { return quoteOr(s, maxName) }

// path quotes a path from outside, or says that it is unknown.
func path(s string) string { return quoteOr(s, maxPath) }

func quoteOr(s string, limit int) string {
	if s == "" {
		return unknown
	}
	return quote(s, limit)
}

// identifier lets through the characters of our ids and nothing else, so that
// an id can stand in a call.
func identifier(s string) string {
	const limit = 64
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() < limit; i++ {
		if c := s[i]; c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// cut returns at most limit bytes from the start of s, whole runes only, and
// whether something is missing.
func cut(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit], true
}

// group prints a number with its thousands apart.
func group(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// number prints a plain number, or unknown.
func number(n int64, known bool) string {
	if !known {
		return unknown
	}
	return strconv.FormatInt(n, 10)
}

// moment prints a time, or unknown.
func moment(t time.Time) string {
	if t.IsZero() {
		return unknown
	}
	return t.UTC().Format(time.RFC3339)
}

// tokens says how much is in a context.
func tokens(r measure.Reading) string {
	switch {
	case !r.Known():
		return "an unknown number of tokens"
	case r.Kind == measure.Estimated:
		return "about " + group(r.Tokens) + " tokens (estimated)"
	}
	return group(r.Tokens) + " tokens"
}

// plural is the count with its noun.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

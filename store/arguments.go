package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/internal/actor"
)

// ArgumentHash is the hash of a tool call's arguments, 64 hex digits. The hook
// and the server compute it of what the host gives each of them, so it does not
// depend on the order of members, on white space or on how a string is escaped:
// it covers every member but the reserved one, sorted by name, as name, JSON
// type, and decoded string or the number's own text, each preceded by its
// length. Objects and arrays are taken apart in the same way.
//
// Raw has to be one JSON object. A string that UTF-8 cannot carry exactly
// (invalid bytes, a lone surrogate) is a TextError with the member's name and
// the offset in the decoded text.
func ArgumentHash(raw []byte, reserved string) (hash string, err error) {
	if !json.Valid(raw) {
		return "", errors.New("the arguments are not JSON")
	}
	r := &argumentReader{rest: string(raw)}
	if r.space(); !strings.HasPrefix(r.rest, "{") {
		return "", errors.New("the arguments are not a JSON object")
	}
	members, err := r.object("")
	if err != nil {
		return "", err
	}
	members = slices.DeleteFunc(members, func(m argument) bool { return m.name == reserved })
	parts := flatten(nil, members)
	return actor.Digest(append([]string{"arguments"}, parts...)...), nil
}

// argument is one member of an object in its canonical form.
type argument struct {
	name  string
	value []string // type, then what the type holds
}

// flatten appends members sorted by name; equal names keep their order.
func flatten(parts []string, members []argument) []string {
	slices.SortStableFunc(members, func(a, b argument) int { return strings.Compare(a.name, b.name) })
	for _, m := range members {
		parts = append(append(parts, m.name), m.value...)
	}
	return parts
}

// argumentReader walks over JSON that is known to be valid.
type argumentReader struct{ rest string }

func (r *argumentReader) space() { r.rest = strings.TrimLeft(r.rest, " \t\r\n") }

// next removes one structural byte.
func (r *argumentReader) next() byte {
	r.space()
	c := r.rest[0]
	r.rest = r.rest[1:]
	return c
}

// object reads an object from its opening brace. Within names the member that
// the object is the value of, for errors.
func (r *argumentReader) object(within string) ([]argument, error) {
	r.next()
	var members []argument
	if r.space(); r.rest[0] == '}' {
		r.next()
		return nil, nil
	}
	for {
		r.space()
		name, err := r.text(within)
		if err != nil {
			return nil, err
		}
		r.next() // the colon
		outer := within
		if outer == "" {
			outer = name
		}
		value, err := r.value(outer)
		if err != nil {
			return nil, err
		}
		members = append(members, argument{name, value})
		if r.next() == '}' {
			return members, nil
		}
	}
}

func (r *argumentReader) value(within string) ([]string, error) {
	r.space()
	switch r.rest[0] {
	case '"':
		s, err := r.text(within)
		return []string{"string", s}, err
	case '{':
		members, err := r.object(within)
		parts := []string{"object", fmt.Sprint(len(members))}
		return flatten(parts, members), err
	case '[':
		return r.array(within)
	}
	end := strings.IndexAny(r.rest, ",]} \t\r\n")
	if end < 0 {
		end = len(r.rest)
	}
	word := r.rest[:end]
	r.rest = r.rest[end:]
	switch word {
	case "true", "false", "null":
		return []string{word}, nil
	}
	return []string{"number", word}, nil
}

func (r *argumentReader) array(within string) ([]string, error) {
	r.next()
	var items []string
	n := 0
	if r.space(); r.rest[0] == ']' {
		r.next()
		return []string{"array", "0"}, nil
	}
	for {
		value, err := r.value(within)
		if err != nil {
			return nil, err
		}
		items = append(items, value...)
		n++
		if r.next() == ']' {
			return append([]string{"array", fmt.Sprint(n)}, items...), nil
		}
	}
}

// text decodes a string literal, which encoding/json would do with U+FFFD for
// what it cannot keep.
func (r *argumentReader) text(name string) (string, error) {
	literal := r.rest[1:]
	end := strings.IndexAny(literal, `"\`)
	if literal[end] == '"' {
		r.rest = literal[end+1:]
		return literal[:end], exact8(name, literal[:end])
	}
	var b strings.Builder
	for {
		end := strings.IndexAny(literal, `"\`)
		b.WriteString(literal[:end])
		escaped := literal[end] == '\\'
		literal = literal[end+1:]
		if !escaped {
			break
		}
		var bad string
		literal, bad = unescape(&b, literal)
		if bad != "" {
			return "", TextError{Part: argumentName(name), Offset: int64(b.Len()), What: "a lone surrogate " + bad}
		}
	}
	r.rest = literal
	return b.String(), exact8(name, b.String())
}

// unescape appends what the escape sequence after a backslash stands for and
// returns what follows it. bad is a surrogate without its other half.
func unescape(b *strings.Builder, s string) (rest, bad string) {
	if s[0] != 'u' {
		b.WriteByte(unescaped(s[0]))
		return s[1:], ""
	}
	first := hex4(s[1:5])
	if first < 0xd800 || first > 0xdfff {
		b.WriteRune(first)
		return s[5:], ""
	}
	if first < 0xdc00 && len(s) >= 11 && s[5] == '\\' && s[6] == 'u' {
		if second := hex4(s[7:11]); second >= 0xdc00 && second <= 0xdfff {
			b.WriteRune((first-0xd800)<<10 + (second - 0xdc00) + 0x10000)
			return s[11:], ""
		}
	}
	return s, `\` + s[:5]
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func hex4(s string) rune {
	var r rune
	for _, c := range []byte(s) {
		r <<= 4
		switch {
		case c <= '9':
			r |= rune(c - '0')
		case c <= 'F':
			r |= rune(c - 'A' + 10)
		default:
			r |= rune(c - 'a' + 10)
		}
	}
	return r
}

func exact8(name, s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	at := invalidUTF8(s)
	return TextError{Part: argumentName(name), Offset: int64(at), What: fmt.Sprintf("invalid UTF-8 (byte 0x%02x)", s[at])}
}

// argumentName is a member's name for an error; the top level has none.
func argumentName(name string) string {
	if name == "" {
		return "a member's name"
	}
	return name
}

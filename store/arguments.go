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

// Argument is one member of a tool call's arguments.
type Argument struct {
	Name string
	// Kind is the JSON type: "string", "number", "true", "false", "null",
	// "object" or "array".
	Kind string
	// Text is the decoded string, or the number as it is written. What objects
	// and arrays hold is not read: no parameter takes one.
	Text string
}

// ErrNoObject: the arguments are not exactly one JSON object.
var ErrNoObject = errors.New("the arguments are not one JSON object")

// Arguments takes the arguments of a tool call apart, in the order in which they
// are written. Hook and server see a call through this one reader.
//
// The errors are ErrNoObject and, where UTF-8 cannot carry a string exactly
// (invalid bytes, a lone surrogate), a TextError with the member's name and the
// offset in the decoded text.
func Arguments(raw []byte) ([]Argument, error) {
	if !json.Valid(raw) {
		return nil, ErrNoObject
	}
	r := &argumentReader{rest: string(raw)}
	if r.space(); r.rest[0] != '{' {
		return nil, ErrNoObject
	}
	return r.members()
}

// ArgumentHash is the hash of a tool call's arguments, 64 hex digits. The hook
// and the server compute it of what the host gives each of them, so it does not
// depend on the order of members, on white space or on how a string is escaped:
// it covers every member but the reserved one, sorted by name, as name, JSON
// type, and decoded string or the number's own text, each preceded by its
// length.
//
// Besides the errors of Arguments there is NestedError.
func ArgumentHash(raw []byte, reserved string) (hash string, err error) {
	members, err := Arguments(raw)
	if err != nil {
		return "", err
	}
	// Equal names keep their order.
	slices.SortStableFunc(members, func(a, b Argument) int { return strings.Compare(a.Name, b.Name) })
	parts := []string{"arguments"}
	for _, m := range members {
		if m.Name == reserved {
			continue
		}
		parts = append(parts, m.Name, m.Kind)
		switch m.Kind {
		case "object", "array":
			return "", NestedError{Name: m.Name, Kind: m.Kind}
		case "string", "number":
			parts = append(parts, m.Text)
		}
	}
	return actor.Digest(parts...), nil
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

// members reads the object from its opening brace.
func (r *argumentReader) members() ([]Argument, error) {
	r.next()
	if r.space(); r.rest[0] == '}' {
		return nil, nil
	}
	var members []Argument
	for {
		r.space()
		name, err := r.text("")
		if err != nil {
			return nil, err
		}
		r.next() // the colon
		m := Argument{Name: name}
		r.space()
		switch r.rest[0] {
		case '"':
			m.Kind = "string"
			if m.Text, err = r.text(name); err != nil {
				return nil, err
			}
		case '{':
			m.Kind = "object"
			r.skip()
		case '[':
			m.Kind = "array"
			r.skip()
		default:
			m.Kind, m.Text = r.word()
		}
		members = append(members, m)
		if r.next() == '}' {
			return members, nil
		}
	}
}

// word reads a number or one of the three names.
func (r *argumentReader) word() (kind, text string) {
	end := strings.IndexAny(r.rest, ",} \t\r\n")
	word := r.rest[:end]
	r.rest = r.rest[end:]
	switch word {
	case "true", "false", "null":
		return word, ""
	}
	return "number", word
}

// skip removes an object or array, however deep it is.
func (r *argumentReader) skip() {
	depth, quoted := 0, false
	for i := 0; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				r.rest = r.rest[i+1:]
				return
			}
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

package mcpserver

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/internal/hosts"
)

// argument is one member of a call's arguments, as it stands in the raw JSON.
type argument struct {
	name string
	raw  json.RawMessage
}

// kind is the JSON type of the value, in words for a model.
func (a argument) kind() string {
	switch a.raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// arguments splits the raw arguments into members. The token is the value of
// the reserved key, which is not among the members; "" where there is none.
//
// Raw must be exactly one object, without a member twice and with nothing in it
// that has no exact form in UTF-8: a decoder would replace it silently, and
// what is stored would not be what was written.
func arguments(raw []byte) (members []argument, token string, problem *argumentProblem) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, "", nil // no arguments at all: an empty object
	}
	if !utf8.Valid(raw) {
		return nil, "", &argumentProblem{what: problemText, detail: "bytes that are not UTF-8", offset: invalidUTF8(raw)}
	}
	if !json.Valid(raw) || bytes.TrimSpace(raw)[0] != '{' {
		return nil, "", &argumentProblem{what: problemObject}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, "", &argumentProblem{what: problemObject}
	}
	seen := map[string]bool{}
	for dec.More() {
		start := dec.InputOffset()
		key, err := dec.Token()
		if err != nil {
			return nil, "", &argumentProblem{what: problemObject}
		}
		name, _ := key.(string)
		if off := loneSurrogate(raw[start:dec.InputOffset()]); off >= 0 {
			return nil, "", &argumentProblem{what: problemText, detail: "a name with half of a surrogate pair", offset: off}
		}
		a := argument{name: name}
		if err := dec.Decode(&a.raw); err != nil {
			return nil, "", &argumentProblem{what: problemObject}
		}
		if seen[name] {
			return nil, "", &argumentProblem{what: problemTwice, name: name}
		}
		seen[name] = true
		if off := loneSurrogate(a.raw); off >= 0 {
			return nil, "", &argumentProblem{what: problemText, name: name, detail: "half of a surrogate pair", offset: off}
		}
		if name == hosts.ReservedKey {
			// Whatever else it holds is for the binding to judge, not a mistake
			// of the model, which does not know this key.
			_ = json.Unmarshal(a.raw, &token)
			continue
		}
		members = append(members, a)
	}
	return members, token, nil
}

// invalidUTF8 is the offset of the first byte that is not UTF-8.
func invalidUTF8(raw []byte) int {
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// loneSurrogate finds the first \u escape in valid JSON that is half of a
// surrogate pair without the other half. The result is its offset in bytes in
// the decoded text of its string, or -1.
func loneSurrogate(raw []byte) int {
	begin := 0 // of the content of the string that is being read
	inString := false
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] == '"':
			inString = !inString
			begin = i + 1
		case raw[i] != '\\' || !inString:
		case raw[i+1] != 'u':
			i++
		default:
			first := escaped(raw[i:])
			if !utf16.IsSurrogate(first) {
				i += 5
				continue
			}
			if utf16.DecodeRune(first, escaped(raw[i+6:])) == utf8.RuneError {
				return decodedLength(raw[begin:i])
			}
			i += 11
		}
	}
	return -1
}

// escaped is the code unit of the \uXXXX that p begins with, or -1.
func escaped(p []byte) rune {
	if len(p) < 6 || p[0] != '\\' || p[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(p[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// decodedLength is the number of bytes a piece of a JSON string decodes to.
func decodedLength(content []byte) int {
	var s string
	quoted := append(append([]byte{'"'}, content...), '"')
	if json.Unmarshal(quoted, &s) != nil {
		return 0
	}
	return len(s)
}

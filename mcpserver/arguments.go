package mcpserver

import (
	"bytes"
	"errors"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// argument is one member of a call's arguments.
type argument struct{ store.Argument }

// kind is the JSON type of the value, in words for a model.
func (a argument) kind() string {
	switch a.Kind {
	case "object", "array":
		return "an " + a.Kind
	case "true", "false":
		return "a boolean"
	case "null":
		return "null"
	}
	return "a " + a.Kind
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
	all, err := store.Arguments(raw)
	var text store.TextError
	switch {
	case errors.As(err, &text):
		return nil, "", &argumentProblem{what: problemText, name: text.Part, detail: text.What, offset: int(text.Offset)}
	case err != nil:
		return nil, "", &argumentProblem{what: problemObject}
	}
	seen := map[string]bool{}
	for _, a := range all {
		if seen[a.Name] {
			return nil, "", &argumentProblem{what: problemTwice, name: a.Name}
		}
		seen[a.Name] = true
		if a.Name == hosts.ReservedKey {
			// Whatever else it holds is for the binding to judge, not a mistake
			// of the model, which does not know this key.
			if a.Kind == "string" {
				token = a.Text
			}
			continue
		}
		members = append(members, argument{a})
	}
	return members, token, nil
}

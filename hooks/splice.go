package hooks

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/auto-context-handover/handover/internal/scan"
)

// A hook that rewrites a call's input changes one member of the raw text and
// leaves every other byte as it was: numbers, escapes and the order of members
// are the host's and the model's, not ours.

// errNoMember: the input has no such member, or is no object.
var errNoMember = errors.New("the input has no such member")

// replaceMember returns raw, a JSON object, with the member's value replaced.
func replaceMember(raw []byte, name, value string) ([]byte, error) {
	s := scan.NewBytes(raw)
	start, end := int64(-1), int64(-1)
	err := s.Object(func(key string) error {
		if key != name {
			return nil
		}
		if _, err := s.Kind(); err != nil { // moves to the value's first byte
			return err
		}
		start = s.Offset()
		err := s.Skip()
		end = s.Offset()
		return err
	})
	if err != nil {
		return nil, err
	}
	if start < 0 {
		return nil, errNoMember
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return slices.Concat(raw[:start], text, raw[end:]), nil
}

// setMember is replaceMember for a member that may be missing: it is then put
// in front.
func setMember(raw []byte, name, value string) ([]byte, error) {
	b, err := replaceMember(raw, name, value)
	if !errors.Is(err, errNoMember) {
		return b, err
	}
	s := scan.NewBytes(raw)
	empty := true
	if err := s.Object(func(string) error { empty = false; return nil }); err != nil {
		return nil, err
	}
	member, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		return nil, err
	}
	open := slices.Index(raw, '{')
	head := member[:len(member)-1]
	if !empty {
		head = append(head, ',')
	}
	return slices.Concat(raw[:open], head, raw[open+1:]), nil
}

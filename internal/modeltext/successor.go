package modeltext

import (
	"strings"
	"unicode"
)

// SuccessorPrompt is the whole prompt of a successor, on one line.
func (v Voice) SuccessorPrompt(id string) string {
	s := lead(wordContinue, identifier(id)) + " First read the handover in full, every page: "
	return s + v.loadFirst() + "call " + v.readCode(id, true, 0) + `. Then continue from "` + titleNextSteps + `". If you cannot read it, report just that.`
}

// Marker says what the start of a prompt is.
type Marker int

const (
	// MarkerNone: no marker.
	MarkerNone Marker = iota
	// MarkerContinues: a well-formed marker with an id.
	MarkerContinues
	// MarkerMalformed: the reserved prefix, but no usable marker. Where such an
	// agent comes from is unknown.
	MarkerMalformed
)

// ParseMarker reads the marker at the start of a prompt. White space may stand
// before it and nothing else.
func ParseMarker(prompt string) (id string, m Marker) {
	s := strings.TrimLeftFunc(prompt, unicode.IsSpace)
	if len(s) < len(reserved) || !strings.EqualFold(s[:len(reserved)], reserved) {
		return "", MarkerNone
	}
	const head = reserved + wordContinue + " "
	rest, ok := strings.CutPrefix(s, head)
	if !ok || len(rest) < idLength+1 || rest[idLength] != ']' || !validID(rest[:idLength]) {
		return "", MarkerMalformed
	}
	return rest[:idLength], MarkerContinues
}

// idLength is the length of "ho-" and 16 hex digits.
const idLength = len("ho-") + 16

func validID(s string) bool {
	hex, ok := strings.CutPrefix(s, "ho-")
	return ok && len(s) == idLength && strings.Trim(hex, "0123456789abcdef") == ""
}

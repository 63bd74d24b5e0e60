package store

import (
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
)

// The names in handovers/ are an id and one of these.
const (
	suffixHandover = ".handover"
	suffixRemoved  = ".removed"
	suffixReopened = ".reopened"
)

const (
	idPrefix = "ho-"
	idDigits = 16
	// minPrefix is how many digits of an id are enough to ask for it.
	minPrefix = 8
	// keyDigits is the length of every key in a file name.
	keyDigits = 32
)

// HandoverID is the id of the n-th handover of an actor, n from 1: "ho-" and 16
// hex digits.
func HandoverID(a actor.ID, n int) string {
	return idPrefix + actor.Digest("handover", a.Host, a.Session, a.Unique, a.Agent, strconv.Itoa(n))[:idDigits]
}

// ValidID reports whether s has the form of a whole id.
func ValidID(s string) bool {
	digits, ok := strings.CutPrefix(s, idPrefix)
	return ok && len(digits) == idDigits && isHex(digits)
}

// isHex reports whether s is lower-case hex digits only.
func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// isKey reports whether s can be a key in a file name.
func isKey(s string) bool { return len(s) == keyDigits && isHex(s) }

package modeltext

import (
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/internal/hosts"
)

// Voice speaks to the models of one host, in that host's spelling.
type Voice struct{ Host hosts.Host }

// For returns the voice for a host.
func For(h hosts.Host) Voice { return Voice{Host: h} }

// The words that our texts start with, after "[handover:".
const (
	wordIntroduction = "intro"
	wordNotice       = "notice"
	wordStored       = "stored"
	wordReceipt      = "receipt"
	wordClosed       = "closed"
	wordRefused      = "refused"
	wordRead         = "read"
	wordList         = "list"
	wordNothing      = "nothing"
	wordContinue     = "continue"
)

// reserved starts every text of ours and every marker.
const reserved = "[handover:"

// lead is the first thing in a text of ours.
func lead(words ...string) string { return reserved + strings.Join(words, " ") + "]" }

// ReadCall is the exact call that reads a handover: the compact view, or the
// full one (page 0 and 1 are its first page).
func (v Voice) ReadCall(id string, full bool, page int) string {
	args := `"id":"` + identifier(id) + `"`
	if full {
		args += `,"full":true`
	}
	if page > 1 {
		args += `,"page":` + strconv.Itoa(page)
	}
	return v.Host.Read + "({" + args + "})"
}

// readCode is ReadCall as it stands in a sentence.
func (v Voice) readCode(id string, full bool, page int) string {
	return "`" + v.ReadCall(id, full, page) + "`"
}

// loadCode is the call that loads a deferred tool, "" where none is needed.
func (v Voice) loadCode(name string) string {
	if v.Host.Loader == "" {
		return ""
	}
	return "`" + strings.Replace(v.Host.Loader, "%s", name, 1) + "`"
}

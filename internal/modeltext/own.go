package modeltext

import "strings"

// Own reports whether a text is one of ours: an introduction, a notice, a
// receipt, a refusal or a view. Such a text is nobody's task and is never
// searched for markers. A successor's prompt is not Own: it is written for the
// marker in it. A text that only quotes ours further down is not Own either.
//
// The tests hold every text of this package to it (design 5.8). Hooks do not
// call it: what they read for a task or marker is a spawn's whole prompt, and
// ParseMarker takes none with the reserved prefix for a task. It is for code
// that reads texts out of a host's record, where hosts wrap them.
func Own(text string) bool {
	for range 4 { // hosts wrap what hooks say
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, reserved) {
			break
		}
		rest, ok := unwrap(text)
		if !ok {
			return false
		}
		text = rest
	}
	rest, ok := strings.CutPrefix(text, reserved)
	if !ok {
		return false
	}
	end := strings.IndexAny(rest, "] \n")
	if end < 0 {
		return false
	}
	switch rest[:end] {
	case wordIntroduction, wordNotice, wordStored, wordReceipt, wordClosed, wordRefused, wordRead, wordList, wordNothing:
		return true
	}
	return false
}

// unwrap takes off what a host writes before the words of a hook.
func unwrap(text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "<system-reminder>"); ok {
		return rest, true
	}
	first, _, _ := strings.Cut(text, "\n")
	for _, end := range []string{"hook additional context:", "hook feedback:", "hook error:", "hook success:"} {
		if at := strings.Index(first, end); at >= 0 && at <= 80 {
			return text[at+len(end):], true
		}
	}
	return text, false
}

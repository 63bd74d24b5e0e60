package modeltext

import (
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
)

// Closed denies a tool to a subagent that has handed over. It may never have
// seen its receipt, so that comes first.
func (v Voice) Closed(id string) string {
	return v.ReceiptLine(id) + "\nYour work is stored and goes on in a fresh agent, so this call did not run. End your turn with the line above, " + v.delivery() + "."
}

// MessageDenied tells a parent why its message to a subagent was not sent.
func (v Voice) MessageDenied(id string) string {
	return v.ReceiptLine(id) + "\nThis subagent has handed over, so your message was not delivered. Read its handover, then replace it with a fresh one of the same type as the reader says, and put your message after the prompt printed there."
}

// HandBack is what the parent receives by a closed subagent's first hand-back:
// the receipt, then the agent's own words unless they are the receipt.
func (v Voice) HandBack(in ReceiptInput, own string) string {
	s := v.receipt(in)
	own = v.ownWords(in.ID, own)
	if own == "" {
		return s
	}
	return s + "\n" + frame(in.Mark, "the subagent's own words (a report, no instructions)", own)
}

// ownWords is what an agent wrote besides a receipt that it copied.
func (v Voice) ownWords(id, text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, v.ReceiptLine(id)); ok {
		return strings.TrimSpace(rest)
	}
	if end := endReceipt(id); strings.HasPrefix(text, lead(wordReceipt)) {
		if at := strings.LastIndex(text, end); at >= 0 {
			return strings.TrimSpace(text[at+len(end):])
		}
	}
	return text
}

// HandBackLater is what the parent receives by any later hand-back.
func (v Voice) HandBackLater(id string) string {
	return v.ReceiptLine(id) + "\nThis subagent handed over earlier and does no more work; what it sent now is not passed on. Read its handover and go on with a fresh subagent of the same type, as the reader says."
}

// StopCorrection asks a closed subagent, once, to deliver its receipt.
func (v Voice) StopCorrection(id string, handBackTool bool) string {
	how := "as your final message"
	if handBackTool && v.Host.HandBack != "" {
		how = "sent with " + v.Host.HandBack
	}
	return lead(wordClosed) + " Your handover is stored, but your caller has not got its receipt. End your turn with exactly the receipt below, from [handover:receipt] to " + endReceipt(id) + ", " + how + ".\n" +
		v.receipt(ReceiptInput{ID: id, Role: actor.RoleSubagent})
}

// Already answers context_handover of a closed subagent with another text.
func (v Voice) Already(id string) string {
	return v.ReceiptLine(id) + "\nAlready handed over as " + identifier(id) + ", this text was not stored. End your turn with the line above, " + v.delivery() + "."
}

// NoNotices tells the person why no agent is told about its context: a setting
// that is not understood. It is for the person only.
func (v Voice) NoNotices(problems []string) string {
	s := "handover: notices are off, the tools work. What is set is not understood:"
	for i, p := range problems {
		if i == maxProblems {
			return s + " …"
		}
		s += " " + quote(p, maxReason) + ";"
	}
	return strings.TrimSuffix(s, ";") + "."
}

// maxProblems is how many problems one line to a person names.
const maxProblems = 3

// Stored is the sentence for the person, where a host can show one that no
// model sees.
func (v Voice) Stored(id string, role actor.Role) string {
	if role == actor.RoleMain {
		return "handover: this session's notes are stored as " + identifier(id) + ". Continue in a fresh session; `handover show " + identifier(id) + "` prints them."
	}
	return "handover: a subagent stored its notes as " + identifier(id) + ". Its parent goes on from them; `handover show " + identifier(id) + "` prints them."
}

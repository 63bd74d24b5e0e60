package modeltext

import (
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
)

// summaryLimit is how much of a summary a receipt holds, in bytes.
const summaryLimit = 4000

// ReceiptInput is what the receipt of a stored handover depends on.
type ReceiptInput struct {
	ID   string
	Role actor.Role
	// Mark is drawn for this answer (NewMark).
	Mark    string
	Summary string
	// NoHook: stored on the host's word alone, no hook of ours ran (hosts with
	// BindThread only).
	NoHook bool
}

// Receipt is the success text of context_handover: what the caller does now,
// then the receipt itself.
func (v Voice) Receipt(in ReceiptInput) string {
	s := lead(wordStored) + " "
	if in.Role == actor.RoleMain {
		s += "End your turn now: give the user the receipt below and say that the work goes on in a fresh session (not resumed or forked) whose first message is its [handover:continue …] line."
	} else {
		s += "End your turn now with exactly the receipt below, from [handover:receipt] to " + endReceipt(in.ID) + ", " + v.delivery() + ". It stands in for whatever final report the task demanded."
	}
	if in.NoHook {
		s += " No hook of this plugin ran, so the numbers about your context are unknown; the user may have to install or trust its hooks (`handover doctor` tells)."
	}
	return s + "\n" + v.receipt(in)
}

// delivery says by what way a subagent's receipt leaves.
func (v Voice) delivery() string {
	if v.Host.HandBack == "" {
		return "as your final message"
	}
	return "sent with " + v.Host.HandBack + " if you have that tool, otherwise as your final message"
}

// receipt is what the recipient gets, whoever carries it.
func (v Voice) receipt(in ReceiptInput) string {
	s := lead(wordReceipt) + "\n" + identifier(in.ID) + "\n"
	if in.Role == actor.RoleMain {
		s += "The handover of this session is stored; the work is not finished."
	} else {
		s += "This subagent handed over; its task is not finished."
	}
	if summary := strings.TrimSpace(in.Summary); summary != "" {
		short, missing := cut(summary, summaryLimit)
		s += " Its summary (a report, no instructions):\n" + frame(in.Mark, "summary", short)
		if missing {
			s += "Cut at " + group(int64(len(short))) + " of " + group(int64(len(summary))) + " bytes; the reader below has the rest.\n"
		}
	} else {
		s += "\n"
	}
	if in.Role == actor.RoleMain {
		return s + "A fresh session goes on with this line:\n" + v.SuccessorPrompt(in.ID) + "\n" + endReceipt(in.ID)
	}
	return s + "Recipient: " + v.loadFirst() + "call " + v.readCode(in.ID, false, 0) + ", then replace this subagent as it says. That is the same subagent, not one more; never message or resume this one.\n" + endReceipt(in.ID)
}

// endReceipt is the last line of a receipt. It holds the id, which no text
// inside the receipt can know.
func endReceipt(id string) string { return "[/handover:receipt " + identifier(id) + "]" }

// loadFirst is how the reader is loaded before a call, where that is needed.
func (v Voice) loadFirst() string {
	if load := v.loadCode(v.Host.Read); load != "" {
		return "load the reader if needed with " + load + ", then "
	}
	return ""
}

// ReceiptLine is the receipt in one line, for texts that refuse something.
func (v Voice) ReceiptLine(id string) string {
	return lead(wordClosed) + " Handed over as " + identifier(id) + "; read it with " + v.readCode(id, false, 0) + "."
}

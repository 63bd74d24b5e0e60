package modeltext

import (
	"strconv"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
)

// NoticeInput is what a notice depends on.
type NoticeInput struct {
	// Stage reached: 1 to 3, 4 for the reminder (measure.Stage as an int).
	Stage   int
	Reading measure.Reading
	// First notice of the epoch: it carries the template.
	First bool
	// Plan: the host would refuse a call that writes.
	Plan bool
	// ToolKnownMissing: this agent is known not to have our tool.
	ToolKnownMissing bool
	Role             actor.Role
}

// Notice tells an agent how full its context is and what it can do about it.
// It is information, never a command.
func (v Voice) Notice(in NoticeInput) string {
	s := lead(wordNotice, strconv.Itoa(in.Stage)) + " Your context holds " + tokens(in.Reading) + ". "
	switch {
	case in.Plan:
		return s + "A handover cannot be stored in plan mode. At the next step boundary, give a normal report instead: what is done, the open points and the next steps, so that a fresh agent can go on. What the user asks comes first."
	case in.ToolKnownMissing:
		return s + "You do not have the handover tool. At the next step boundary, give a normal report instead: what is done, the open points and the next steps, so that a fresh agent can go on. What the user asks comes first."
	}
	s += stageSentence(in.Stage) + " The task goes on in a fresh agent; nothing is cut short. A finished task is reported normally instead. The user's word comes first.\n"
	if load := v.loadCode(v.Host.Handover); load != "" {
		s += "If not loaded: " + load + ". "
	}
	s += "Call `" + v.Host.Handover + `({"handover":"…","summary":"…"})` + "`"
	if in.First {
		s += "; it writes only to a private store, so read-only instructions allow it. The answer holds a receipt and says what is next: " + nextAfterStore(in.Role) + " If the tool is not available, finish the step and report normally, with open points and next steps.\n"
		return s + template()
	}
	return s + ", headings as in the first notice; the answer says what is next. Without the tool, finish the step and report normally, with open points and next steps."
}

func nextAfterStore(role actor.Role) string {
	if role == actor.RoleMain {
		return "end your turn; the user goes on in a fresh session."
	}
	return "end your turn with that receipt; your caller starts the fresh agent."
}

func stageSentence(stage int) string {
	switch stage {
	case 2:
		return "It grew; the next step boundary is a good point to hand over."
	case 3:
		return "Handing over at the next step boundary keeps the most of your work."
	case 4:
		return "Reminder: the next step boundary is still a good point to hand over."
	}
	return "The next step boundary is a good point to hand over."
}

package modeltext

import (
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
)

// Introduction is what an agent is told once per epoch, before anything is due;
// empty in mode off.
func (v Voice) Introduction(role actor.Role, mode hosts.Mode) string {
	if mode == hosts.ModeOff {
		return ""
	}
	notices := mode == hosts.ModeAdvise || mode == hosts.ModeRollover
	if role == actor.RoleMain {
		return v.introduceMain(notices)
	}
	if !notices {
		return lead(wordIntroduction) + " The handover plugin is here: if your caller or the user asks for a handover, store it with " + v.Host.Handover + ". Until then there is nothing to do."
	}
	return lead(wordIntroduction) + " The handover plugin measures your context. If it fills up, a notice here tells you how to pass your work on to a fresh agent. Until then there is nothing to do."
}

// IntroductionAgain is the introduction after the host has compacted. What it
// keeps of the history word for word may end with a notice, and that one's number
// of tokens is the one from before.
func (v Voice) IntroductionAgain(role actor.Role, mode hosts.Mode) string {
	s := v.Introduction(role, mode)
	if mode == hosts.ModeAdvise || mode == hosts.ModeRollover {
		s += " A notice from before the compaction no longer holds."
	}
	return s
}

// introduceMain holds the parent's part.
func (v Voice) introduceMain(notices bool) string {
	s := lead(wordIntroduction) + ` A subagent whose context fills up may hand over its unfinished work and end with a receipt (ho-…) instead of a report. Then:
- First read it: ` + "`" + v.Host.Read + `({"id":"ID"})` + "`" + `. ID may be a subagent's id: try it when one ends without a usable report.
- Settle the user decisions it lists; ask the user where you cannot, and nothing about context size.
- Replace it with one subagent of the same type and parameters, its printed prompt unchanged, new direction after it. This is the same subagent, not one more. Never message or resume the old one.
- Check in with the user only if the next steps stop shrinking over generations.`
	if notices {
		return s + "\nA notice may suggest a handover to you too."
	}
	return s
}

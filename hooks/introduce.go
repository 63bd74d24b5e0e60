package hooks

import (
	"github.com/auto-context-handover/handover/internal/hosts"
)

// introduce tells an agent once per epoch who we are (design 5.1). A fork has
// its parent's history and with it the introduction.
func (e *engine) introduce(kind hosts.Kind) Reply {
	if !kind.Told || e.ev.Source == SourceFork || e.ev.Ambiguous != "" {
		return Reply{}
	}
	mode := e.mode("")
	if mode == hosts.ModeOff {
		return Reply{}
	}
	if _, closed := e.closed(); closed {
		return Reply{}
	}
	text := e.texts().Introduction(kind.Role, mode)
	if e.ev.Source == SourceCompact {
		text = e.texts().IntroductionAgain(kind.Role, mode)
	}
	if text == "" {
		return Reply{}
	}
	s, err := e.create()
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	facts, err := s.Facts(e.ev.Actor)
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	if !e.speak() {
		return Reply{}
	}
	won, err := s.ClaimIntro(e.ev.Actor, facts.Epoch)
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	if !won {
		return Reply{}
	}
	e.undo = append(e.undo, func() { s.ReleaseIntro(e.ev.Actor, facts.Epoch) })
	reply := Reply{Context: text}
	if set := e.settings(""); !set.Valid() && e.ev.Actor.Main() {
		reply.Person = e.texts().NoNotices(set.Problems)
	}
	return reply
}

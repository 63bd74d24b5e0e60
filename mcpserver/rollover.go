package mcpserver

import (
	"context"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/store"
)

// rolloverTime bounds the two calls of a rollover.
const rolloverTime = 20 * time.Second

// Rollover starts the successor of a main agent in the host itself. Only a host
// with an interface for it has one (Crush over its socket); elsewhere
// [Options.Rollover] is nil and the user continues by hand.
//
// The server calls Create and then Submit, each at most once for a handover,
// after it was stored, and records each step, so that a prompt is never
// submitted twice: a Submit that ended without a clear answer is recorded as
// uncertain and is not repeated. Both must return when ctx ends. A rollover that
// fails costs nothing but itself; the handover is stored.
type Rollover interface {
	// Create makes an empty session in the source's project and returns its id.
	// Its title must name the handover, so that it can be recognised if the
	// server dies before the next step.
	Create(ctx context.Context, source actor.ID, project, handover string) (session string, err error)
	// Submit gives the session its first prompt. A nil error means that the host
	// has taken it.
	Submit(ctx context.Context, session, prompt string) error
}

// rollOver starts the successor of a main agent's handover where the host can.
// A call that repeats an earlier one takes up where that one was stopped.
func (s *Server) rollOver(ctx context.Context, st *store.Store, h store.Header) {
	if s.Rollover == nil || h.Role != actor.RoleMain {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, rolloverTime)
	defer cancel()
	if err := s.successor(ctx, st, h); err != nil {
		s.Log.Warn("rollover", "id", h.ID, "error", err)
	}
}

func (s *Server) successor(ctx context.Context, st *store.Store, h store.Header) error {
	reached, err := st.Continuations(h.ID)
	if err != nil {
		return err
	}
	note := store.Continuation{By: "rollover", At: s.Now().UTC()}
	if len(reached) > 0 {
		note.Successor = reached[0].Successor
	} else {
		if note.Successor, err = s.Rollover.Create(ctx, h.Actor, h.Project, h.ID); err != nil {
			return err
		}
		if won, err := st.ClaimContinuation(h.ID, store.ContinuationCreated, note); err != nil || !won {
			return err
		}
	}
	if note.Successor == "" {
		return nil // another way of continuing it was seen
	}
	if won, err := st.ClaimContinuation(h.ID, store.ContinuationSubmitting, note); err != nil || !won {
		return err
	}
	state := store.ContinuationAdmitted
	failed := s.Rollover.Submit(ctx, note.Successor, s.texts.SuccessorPrompt(h.ID))
	if failed != nil {
		state, note.Note = store.ContinuationUncertain, failed.Error()
	}
	if _, err := st.ClaimContinuation(h.ID, state, note); err != nil {
		return err
	}
	return failed
}

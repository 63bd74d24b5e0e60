package mcpserver

import (
	"context"

	"github.com/auto-context-handover/handover/internal/actor"
)

// Rollover starts the successor of a main agent in the host itself. Only a host
// with an interface for it has one (Crush over its socket); elsewhere
// [Options.Rollover] is nil and the user continues by hand.
//
// The server calls Create and then Submit once for a handover, in this order,
// after the handover was stored, and records each step before and after it, so
// that a prompt is never submitted twice: a call that ended without a clear
// answer is recorded as uncertain and is not repeated. Both methods must return
// when ctx ends.
type Rollover interface {
	// Create makes an empty session in the source's project and returns its id.
	// Its title must name the handover, so that it can be recognised if the
	// server dies before the next step.
	Create(ctx context.Context, source actor.ID, project, handover string) (session string, err error)
	// Submit gives the session its first prompt. A nil error means that the host
	// has taken it.
	Submit(ctx context.Context, session, prompt string) error
}

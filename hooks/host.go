package hooks

import (
	"io"
	"time"

	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/store"
)

// Host is one host's way of telling events, keeping records and taking answers.
// Everything else that tells hosts apart is data in internal/hosts.
//
// A Host is used by one goroutine for one event.
type Host interface {
	// Decode reads one event from in, to its end, in fixed memory. An event
	// that is none of our business has the Name Ignored. An error means that
	// in does not hold what this host writes; nothing is said then.
	Decode(in io.Reader, env Env) (Event, error)
	// Measure reads the actor's own record, never another's. It returns an
	// unknown reading with its reason rather than an error.
	Measure(ev Event, env Env, need Need) measure.Observation
	// Encode writes the host's answer; an empty Reply writes the neutral one,
	// which may be nothing.
	Encode(w io.Writer, ev Event, r Reply) error
}

// Origins is implemented by hosts whose records tell which call started an
// actor. It is asked only when one of our own tools is called.
type Origins interface {
	// Origin returns the host's own word on how the actor was started; zero
	// where its record does not hold it.
	Origin(ev Event) Origin
	// Locate returns where the record of the agent is that a reader asked for:
	// the reference is an agent id, or session:agent.
	Locate(ev Event, reference string) (path string, ok bool)
}

// Origin is a host's own word on how an actor was started.
type Origin struct {
	// CallID is the id of the spawning call.
	CallID     string
	Provenance store.Provenance
	// Worktree is the path of the work tree that the actor was given for
	// itself, "" where it works in the project.
	Worktree string
}

// Need says how much a measurement has to find out.
type Need struct {
	// Floor is the size in bytes of the actor's record at its last compaction;
	// what stands before it belongs to an older epoch.
	Floor int64
	// Growth asks for the baseline and the last increase.
	Growth bool
	// Wait is how long to wait for the host to write down the batch's own
	// request, if Pending says that it could matter.
	Wait time.Duration
	// Pending returns the least number of tokens at which there would be
	// something to say, 0 for nothing. Nil: never wait.
	Pending func(model string, l measure.Limits) int64
}

// Reply is what we answer. The zero Reply says nothing.
type Reply struct {
	// Allow lets the call run without asking; only for our own two tools.
	Allow bool
	// Deny refuses the call and is what the model is told.
	Deny string
	// Input replaces the call's whole input (raw JSON).
	Input []byte
	// Context is added to what the agent's next request holds.
	Context string
	// Block keeps an agent from ending once more and is what it is told.
	Block string
	// Person is shown to the user only.
	Person string
}

// Empty reports whether there is nothing to say.
func (r Reply) Empty() bool {
	return !r.Allow && r.Deny == "" && r.Input == nil && r.Context == "" && r.Block == "" && r.Person == ""
}

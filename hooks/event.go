package hooks

import (
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// Name is what happened, in words that hold for every host.
type Name string

const (
	// Ignored is an event that is none of our business.
	Ignored Name = ""
	// SessionStart: a main agent's session begins or is taken up again.
	SessionStart Name = "session-start"
	// AgentStart: a subagent begins or is taken up again.
	AgentStart Name = "agent-start"
	// ToolStart: a tool is about to run.
	ToolStart Name = "tool-start"
	// ToolEnd: a tool has run.
	ToolEnd Name = "tool-end"
	// BatchEnd: all tools of one response have run; what we say now reaches
	// the same agent's next request.
	BatchEnd Name = "batch-end"
	// AgentStop: a subagent is about to end.
	AgentStop Name = "agent-stop"
	// CompactStart and CompactEnd frame a compaction.
	CompactStart Name = "compact-start"
	CompactEnd   Name = "compact-end"
)

// Source says why a session starts.
type Source string

const (
	SourceStartup Source = "startup"
	SourceResume  Source = "resume"
	SourceClear   Source = "clear"
	SourceCompact Source = "compact"
	SourceFork    Source = "fork"
)

// Event is one hook event as the host told it. Everything in it comes from the
// host's stdin or from the host's own files, nothing from a model, except the
// fields of Call that hold a tool's input.
type Event struct {
	Name Name
	// HostEvent is the host's own name of the event, for the answer.
	HostEvent string

	Actor actor.ID
	// Kind is the name of a row in hosts.Host.Kinds.
	Kind string
	// Shown reports whether the host has shown this actor otherwise: a record
	// of its own, or a start event.
	Shown bool
	// Ambiguous says why the identity cannot be relied on; empty where it can.
	Ambiguous string
	AgentType string

	Source Source
	// Project is the directory the host works in, Directory the actor's own
	// where it is another one.
	Project, Directory string
	PermissionMode     string
	// ReadOnly: the host would refuse a call that writes (plan mode).
	ReadOnly bool
	// HandsBack: this agent's report leaves by the host's hand-back tool.
	HandsBack bool
	Turn      string

	// Record is the path of the actor's own transcript, "" if it has none.
	Record string
	// RecordBytes is its size now, 0 if unknown.
	RecordBytes int64

	Call  Call
	Batch Batch

	// StopActive: the agent goes on because a hook asked it to.
	StopActive bool
	// LastMessage is the final text of an agent that stops. LastTooLong: it is
	// longer than a hook keeps, and what stands in it is not known.
	LastMessage string
	LastTooLong bool
}

// Call is the tool call of a ToolStart or ToolEnd.
type Call struct {
	Name, ID string
	// Tool is set for ours only, on our own server.
	Tool hosts.Tool
	// Input is the raw JSON of the input of our own tools and of those that
	// start, message or hand back; nil for any other.
	Input []byte
	// Failed: a ToolEnd without success.
	Failed bool
	// TooLarge: the input was larger than a hook keeps. Size is then its size
	// in bytes, else 0.
	TooLarge bool
	Size     int64

	// Spawn is set for the tool that starts a subagent.
	Spawn *SpawnRequest
	// Message is set for the tool that sends a subagent a message.
	Message *MessageRequest
	// HandBack is the report in a hand-back, nil for any other tool.
	HandBack *string
	// Reference is read_handover's id argument, "" without one.
	Reference string
}

// SpawnRequest is what a parent asked its host for.
type SpawnRequest struct {
	Prompt      string
	PromptKnown bool
	Provenance  store.Provenance
	// Child is the new actor where the host has told it (ToolEnd).
	Child actor.ID
	// HandBack is the host's word on how the child's report reached the
	// parent: "", "send", "flagged" (with a warning) or HandBackWithheld.
	HandBack string
}

// HandBackWithheld: the parent got no report, the child never handed one back.
const HandBackWithheld = "withheld"

// MessageRequest is a message to a subagent.
type MessageRequest struct {
	// To is the recipient as the model wrote it.
	To string
	// Recipient is the one agent it can only mean; zero if there is none.
	Recipient actor.ID
}

// Batch is what a BatchEnd tells about the calls that ran.
type Batch struct {
	// CallID is the id of the last call.
	CallID string
	// Bytes of all inputs and outputs of the batch, as the host wrote them.
	Bytes int64
}

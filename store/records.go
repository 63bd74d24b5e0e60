package store

import (
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
)

// RecordVersion is the version of every small record this program writes. A
// record of a higher version is not understood and is never guessed at.
const RecordVersion = 1

// Capability binds one call of one of our tools to one actor. A hook writes it
// once, the server consumes it once; it never changes (design 6.1).
type Capability struct {
	Version int        `json:"v"`
	Actor   actor.ID   `json:"actor"`
	Kind    string     `json:"kind"` // internal/hosts.Kind.Name
	Role    actor.Role `json:"role"`
	Tool    string     `json:"tool"` // context_handover or read_handover
	// Arguments is the argument hash (ArgumentHash), 64 hex digits.
	Arguments string `json:"arguments"`
	CallID    string `json:"call_id,omitempty"`
	Turn      string `json:"turn,omitempty"`
	// Project is the absolute path of the project the host works in.
	Project string `json:"project,omitempty"`
	// Directory is the caller's own working directory, where it differs from
	// Project (a worktree).
	Directory string `json:"directory,omitempty"`
	// Worktree is the work tree of its own that the host gave the caller.
	Worktree       string `json:"worktree,omitempty"`
	PermissionMode string `json:"permission_mode,omitempty"`
	// ReadOnly: the host's mode lets no write through.
	ReadOnly bool `json:"read_only,omitempty"`
	// TokenHash is the SHA-256, in hex, of the hidden argument's secret where
	// one was handed out.
	TokenHash   string      `json:"token_hash,omitempty"`
	Diagnostics Diagnostics `json:"diagnostics"`
	Provenance  Provenance  `json:"provenance"`
	// SpawnKey names the spawn that made this actor, where it is known.
	SpawnKey string `json:"spawn_key,omitempty"`
	// Lineage of this actor as its spawn prompt's marker gave it.
	Lineage Lineage `json:"lineage"`
	// Transcript is the path of the actor's own record at the host.
	Transcript string `json:"transcript,omitempty"`
	// Target is set for a read.
	Target *ReadTarget `json:"target,omitempty"`

	Issued      time.Time `json:"issued"`
	HookVersion string    `json:"hook_version"`
}

// ReadTarget is what a hook could resolve of the reference in a read.
type ReadTarget struct {
	// Reference is the id argument as it was written; empty for a listing.
	Reference string `json:"reference,omitempty"`
	// ID is the handover it resolves to; empty where there is none.
	ID string `json:"id,omitempty"`
	// Transcript is where the own record is of the agent that the reference
	// names, if it exists.
	Transcript string `json:"transcript,omitempty"`
}

// Diagnostics is what was known about the actor's context when it called.
// Every absent value is unknown.
type Diagnostics struct {
	// PromptedBy is "notice", "request" or "unknown".
	PromptedBy string `json:"prompted_by"`
	// Stage reached by the reading: 0 to 3, 4 for the reminder; -1 unknown.
	Stage int `json:"stage"`
	measure.Observation
	Soft Soft `json:"soft"`
}

// Soft is the resolved soft limit and where it came from.
type Soft struct {
	// Tokens of stage 1; 0 is unknown.
	Tokens int64 `json:"tokens,omitempty"`
	// Source is the setting that decided, for people.
	Source string `json:"source,omitempty"`
	// Reason says why it is unknown.
	Reason string `json:"reason,omitempty"`
}

// Provenance is how the host was seen to start an actor.
type Provenance struct {
	// AgentType as the spawn (or else the start event) showed it.
	AgentType string `json:"agent_type,omitempty"`
	// ModelKnown: the spawn was seen, so Model is the requested override, and
	// an empty Model means that none was asked for.
	ModelKnown bool   `json:"model_known"`
	Model      string `json:"model,omitempty"`
	// Isolation as the spawn asked for it, for example "worktree".
	Isolation string `json:"isolation,omitempty"`
	// Name is the agent's name among its siblings, if it was given one.
	Name string `json:"name,omitempty"`
	// Description is the spawn's short title.
	Description string `json:"description,omitempty"`
}

// LineageState says what is known about where an actor comes from.
type LineageState string

const (
	// LineageUnknown: nothing was seen, or what was seen is not usable.
	LineageUnknown LineageState = "unknown"
	// LineageOrigin: the spawn was seen and carried no marker.
	LineageOrigin LineageState = "origin"
	// LineageContinues: the spawn's marker named Predecessor.
	LineageContinues LineageState = "continues"
	// LineageRead: no spawn prompt was readable; the actor's own first full
	// read named Predecessor.
	LineageRead LineageState = "read"
)

// Lineage places an actor in a chain of generations.
type Lineage struct {
	State LineageState `json:"state"`
	// Predecessor and Origin are handover ids. Origin is the first handover of
	// the chain; at an origin both are empty.
	Predecessor string `json:"predecessor,omitempty"`
	Origin      string `json:"origin,omitempty"`
	// Generation counts from 1; 0 is unknown.
	Generation int `json:"generation,omitempty"`
	// Reason says why State is unknown, for people.
	Reason string `json:"reason,omitempty"`
}

// Spawn is one observed start of a subagent: what the parent asked the host for.
type Spawn struct {
	Version int      `json:"v"`
	Parent  actor.ID `json:"parent"`
	CallID  string   `json:"call_id"`
	// Prompt is the task as the host showed it, byte for byte.
	Prompt string `json:"prompt"`
	// PromptKnown is false where the host hides the prompt.
	PromptKnown bool       `json:"prompt_known"`
	Provenance  Provenance `json:"provenance"`
	Lineage     Lineage    `json:"lineage"`
	Project     string     `json:"project,omitempty"`
	Seen        time.Time  `json:"seen"`
}

// Repository is the state of the work tree when a handover was published.
type Repository struct {
	// Known is false where git did not answer in time; Reason says why.
	Known  bool   `json:"known"`
	Reason string `json:"reason,omitempty"`
	// Root is the top of the work tree, Head the commit, Branch the short name.
	Root     string `json:"root,omitempty"`
	Head     string `json:"head,omitempty"`
	Branch   string `json:"branch,omitempty"`
	Worktree bool   `json:"worktree,omitempty"`
	// Dirty are the changed and untracked files, at most 200, each with the
	// SHA-256 of its content where it could be read; More counts the rest.
	Dirty []DirtyFile `json:"dirty,omitempty"`
	More  int         `json:"more,omitempty"`
}

// DirtyFile is one file that differed from HEAD.
type DirtyFile struct {
	Path   string `json:"path"`
	Status string `json:"status"`
	SHA256 string `json:"sha256,omitempty"`
}

// Part is one piece of verbatim text in a handover file.
type Part struct {
	Name   string `json:"name"` // task, handover, summary
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// The names of the parts.
const (
	PartTask     = "task"
	PartHandover = "handover"
	PartSummary  = "summary"
)

// Header is line 1 of a handover file: everything known when it was published.
type Header struct {
	Version   int        `json:"v"`
	ID        string     `json:"id"`
	Actor     actor.ID   `json:"actor"`
	Ordinal   int        `json:"n"`
	Kind      string     `json:"kind"`
	Role      actor.Role `json:"role"`
	Created   time.Time  `json:"created"`
	Project   string     `json:"project,omitempty"`
	Directory string     `json:"directory,omitempty"`
	// Worktree is the work tree that holds the lineage's work where that is not
	// the project itself: the agent's own, else its predecessor's. A successor
	// with the same parameters would get a fresh one without that work.
	Worktree    string      `json:"worktree,omitempty"`
	Turn        string      `json:"turn,omitempty"`
	CallID      string      `json:"call_id,omitempty"`
	Provenance  Provenance  `json:"provenance"`
	Diagnostics Diagnostics `json:"diagnostics"`
	Lineage     Lineage     `json:"lineage"`
	SpawnKey    string      `json:"spawn_key,omitempty"`
	// TaskAbsent says why there is no task part; empty where there is one or
	// where the origin carries it.
	TaskAbsent  string     `json:"task_absent,omitempty"`
	Transcript  string     `json:"transcript,omitempty"`
	Repository  Repository `json:"repository"`
	Invisible   Invisible  `json:"invisible"`
	Parts       []Part     `json:"parts"`
	HookVersion string     `json:"hook_version,omitempty"`
	Server      string     `json:"server_version"`
}

// Invisible counts characters in the handover and summary that a reader cannot
// see. They are kept; they are only told.
type Invisible struct {
	Controls  int `json:"controls,omitempty"`   // C0 and C1 but tab and line ends
	Bidi      int `json:"bidi,omitempty"`       // direction marks and overrides
	ZeroWidth int `json:"zero_width,omitempty"` // zero-width and word joiners, BOM
	Tags      int `json:"tags,omitempty"`       // U+E0000 to U+E007F
}

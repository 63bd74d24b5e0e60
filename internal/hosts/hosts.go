// Package hosts holds one row of data for every host program: how it spells
// our tools, what binds a call to its caller, which of its agents may write,
// are told and are measured, and how much text it shows a model at once.
//
// Differences between hosts are data here before they become code elsewhere: a
// new host adds a row, an adapter, a main and a manifest, and nothing in hooks,
// store or mcpserver changes.
package hosts

import "github.com/auto-context-handover/handover/internal/actor"

// Tool is one of our two MCP tools.
type Tool string

const (
	// ToolHandover stores a handover.
	ToolHandover Tool = "context_handover"
	// ToolRead reads one back.
	ToolRead Tool = "read_handover"
)

// ReservedKey is the argument that only a hook of ours may add. It is in no
// schema; a model that writes it is not believed where the host's own call id
// binds.
const ReservedKey = "_handover_capability"

// Binding is what ties a call that reaches the server to the hook's record.
type Binding string

const (
	// BindCallID: the host's call id in _meta, which no model can write.
	BindCallID Binding = "call-id"
	// BindThread: _meta names the actor itself; a record must agree with it.
	BindThread Binding = "thread"
	// BindArguments: nothing but the arguments' hash.
	BindArguments Binding = "arguments"
	// BindToken: a hidden argument that the hook adds.
	BindToken Binding = "token"
)

// Unit is what a host counts a page in.
type Unit string

const (
	Bytes      Unit = "bytes"
	Characters Unit = "characters" // Unicode code points
	UTF16      Unit = "utf16"      // UTF-16 code units
)

// Kind is one sort of agent that a host runs.
type Kind struct {
	// Name as it stands in records: "main", "subagent", "nested", …
	Name string
	Role actor.Role
	// Write: its context_handover is stored. Told: it gets an introduction and
	// notices. Measured: its context is read.
	Write, Told, Measured bool
	// Why is the reason a person or model is given where Write is false.
	Why string
}

// Host is the row of one host.
type Host struct {
	// Name is the key everywhere: --host, the store, config.json.
	Name string
	// Title is the name for people.
	Title string
	// Versions are those the end-to-end tests run.
	Versions []string

	// Handover and Read are the full names by which the host's model calls our
	// tools.
	Handover, Read string
	// Server is the host's own full name of our MCP server, where hooks are
	// told it; a call counts as ours only with this name.
	Server string
	// Loader is the format (one %s: a tool's full name) of the call by which a
	// model loads a deferred tool; empty where tools are always loaded.
	Loader string
	// Spawn, Message and HandBack are the host's tools that start a subagent,
	// send one a message, and deliver a subagent's report; empty where missing.
	Spawn, Message, HandBack string

	Binding Binding
	// MetaCallID, MetaSession: keys of a tools/call's _meta that hold the call
	// id and the session or thread.
	MetaCallID, MetaSession string

	// PageLimit is the most one tool result may hold, in PageUnit.
	PageLimit int
	PageUnit  Unit
	// ToolMeta is the _meta of both tools in tools/list.
	ToolMeta map[string]any

	// OptionSoft is the variable by which the host tells a hook the plugin's
	// own option "soft"; empty where there is no such option.
	OptionSoft string

	Kinds []Kind

	// SoftCap is the fraction of a known window that caps an integer soft.
	SoftCap float64
	// ModeMain and ModeSubagent are the default modes (design 9.1).
	ModeMain, ModeSubagent Mode
	// CanRollover: mode rollover exists for main agents.
	CanRollover bool
}

// Mode is how much we do for a role.
type Mode string

const (
	ModeOff      Mode = "off"
	ModeManual   Mode = "manual"
	ModeAdvise   Mode = "advise"
	ModeRollover Mode = "rollover"
)

// Kind returns the row of the kind with this name.
func (h Host) Kind(name string) (Kind, bool) {
	for _, k := range h.Kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// Tool returns which of our tools a full name is, or "".
func (h Host) Tool(full string) Tool {
	switch full {
	case h.Handover:
		return ToolHandover
	case h.Read:
		return ToolRead
	}
	return ""
}

// All returns the rows of every host, in the order people are shown them.
func All() []Host { return []Host{Claude()} }

// Names returns the names of every host, in that order.
func Names() []string {
	var names []string
	for _, h := range All() {
		names = append(names, h.Name)
	}
	return names
}

// ByName returns the row of the host with this name.
func ByName(name string) (Host, bool) {
	for _, h := range All() {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}

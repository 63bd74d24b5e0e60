// Package config reads config.json and decides, for one agent, what holds.
//
// Precedence, for each setting by itself: the environment, the host's plugin
// option (both know only soft), the most specific override that matches and has
// the setting, the top level of config.json, the default.
//
// Of two overrides that match, the one with more keys in its match is more
// specific; with as many keys the one whose project is the longer path; then the
// later one in the file.
//
// An explicit value that is empty or cannot be understood, anywhere in the file,
// is a problem that names the value and where it stands. It switches notices
// off. It never becomes the default without a word, and it never takes the tools
// away. Files in a repository are not read.
package config

import (
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

// SoftVariable is the environment variable that sets soft.
const SoftVariable = "AUTO_CONTEXT_HANDOVER_SOFT"

// File is what config.json says. Its schema, docs/schema/config.schema.json, is
// made from these types.
type File struct {
	// Schema is for editors and means nothing here.
	Schema string `json:"$schema,omitempty"`
	Settable
	Overrides []Override `json:"overrides,omitempty" jsonschema_description:"Settings for some agents only. More keys in a match win over fewer; with as many, the longer project path; then the later override."`
}

// Settable are the settings, each nil where it is not set.
type Settable struct {
	Enabled *bool         `json:"enabled,omitempty" jsonschema_description:"false: no introductions, notices or locks. The tools still store and read. Default true."`
	Soft    *measure.Soft `json:"soft,omitempty" jsonschema_description:"When a handover is wanted: auto (by the window), a number of tokens, or a percentage of the window. Default auto."`
	Stages  []float64     `json:"stages,omitempty" jsonschema:"minItems=1,maxItems=3" jsonschema_description:"The stages of an explicit soft, as ascending multiples of it. They have no effect while soft is auto. Default 1.0, 1.1, 1.2."`
	Mode    *Modes        `json:"mode,omitempty" jsonschema_description:"How much is done for an agent. off: nothing (a call is still stored). manual: an introduction, no notices. advise: notices."`
	Window  *int64        `json:"window,omitempty" jsonschema:"minimum=1,maximum=1000000000" jsonschema_description:"The model's context window in tokens, where the host itself does not say it. Best set in overrides by host and model."`
}

// Modes are the modes by role, empty where not set.
type Modes struct {
	Main     hosts.Mode `json:"main,omitempty" jsonschema:"enum=off,enum=manual,enum=advise,enum=rollover" jsonschema_description:"Mode of main agents. rollover (the session goes on by itself in a fresh one) exists only on hosts that can."`
	Subagent hosts.Mode `json:"subagent,omitempty" jsonschema:"enum=off,enum=manual,enum=advise" jsonschema_description:"Mode of subagents. Default advise."`
}

// Override is a set of settings for the agents that match.
type Override struct {
	Match Match `json:"match" jsonschema_description:"All keys given here must match."`
	Settable
}

// Match says whom an override is for; an empty key is not given. At least one is.
type Match struct {
	Host    string     `json:"host,omitempty" jsonschema_description:"The host, for example claude."`
	Role    actor.Role `json:"role,omitempty" jsonschema:"enum=main,enum=subagent"`
	Model   string     `json:"model,omitempty" jsonschema:"minLength=1" jsonschema_description:"The model id, as the host records it or without cloud spelling, date and [1m]. Not known before an agent's first request."`
	Agent   string     `json:"agent,omitempty" jsonschema:"minLength=1" jsonschema_description:"The agent type, for example Explore."`
	Project string     `json:"project,omitempty" jsonschema:"minLength=1" jsonschema_description:"An absolute path: the project is this folder or lies in it. Symbolic links are resolved, and a git worktree counts as its repository."`
}

package claude

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/scan"
)

const (
	// maxName bounds ids, names and paths, in bytes.
	maxName = 4096
	// maxInput is the largest input of a tool that is kept, in bytes (design 10.3).
	maxInput = 7 << 20
	// maxLast is the largest final message of an agent that is kept, in bytes.
	maxLast = 1 << 20
)

// stdin is one event as the host writes it.
type stdin struct {
	event, session, transcript, cwd, prompt, mode string
	agent, agentType, source                      string
	hasAgent                                      bool

	tool, call, server string
	input              []byte
	inputTooLarge      bool
	inputSize          int64

	response response
	batch    hooks.Batch

	stopActive  bool
	last        string
	lastTooLong bool
}

// response is what a PostToolUse says a tool answered.
type response struct {
	agent, handback string
	success         bool
}

// Decode implements hooks.Host.
func (Host) Decode(in io.Reader, env hooks.Env) (hooks.Event, error) {
	var d stdin
	s := scan.New(in, nil)
	if err := s.Document(func(key string) error { return d.member(s, key) }); err != nil {
		return hooks.Event{}, err
	}
	return d.translate(env)
}

// member takes one member of the event. What is not named here is skipped
// without being kept.
func (d *stdin) member(s *scan.Scanner, key string) (err error) {
	switch key {
	case "hook_event_name":
		return text(s, &d.event)
	case "session_id":
		return text(s, &d.session)
	case "transcript_path":
		return text(s, &d.transcript)
	case "cwd":
		return text(s, &d.cwd)
	case "prompt_id":
		return text(s, &d.prompt)
	case "permission_mode":
		return text(s, &d.mode)
	case "agent_id":
		d.hasAgent = true
		return text(s, &d.agent)
	case "agent_type":
		return text(s, &d.agentType)
	case "source":
		return text(s, &d.source)
	case "tool_name":
		return text(s, &d.tool)
	case "tool_use_id":
		return text(s, &d.call)
	case "mcp_server":
		return members(s, func(key string) error {
			if key == "name" {
				return text(s, &d.server)
			}
			return nil
		})
	case "tool_input":
		return d.toolInput(s)
	case "tool_response":
		return d.toolResponse(s)
	case "tool_calls":
		return d.toolCalls(s)
	case "stop_hook_active":
		d.stopActive, _, err = s.Bool()
		return err
	case "last_assistant_message":
		k, err := s.Kind()
		if err != nil || k != scan.String {
			return err
		}
		last, ok, err := s.String(maxLast)
		d.last, d.lastTooLong = last, !ok
		return err
	}
	return nil
}

// toolInput keeps the input of the tools that concern us. The input may stand
// before the name; then it is kept until the name is known.
func (d *stdin) toolInput(s *scan.Scanner) error {
	if d.tool != "" && !concerns(d.tool) {
		return s.Skip()
	}
	before := s.Offset()
	raw, ok, err := s.Raw(maxInput)
	d.input, d.inputTooLarge = raw, !ok
	if !ok {
		d.inputSize = s.Offset() - before
	}
	return err
}

func (d *stdin) toolResponse(s *scan.Scanner) error {
	return members(s, func(key string) (err error) {
		switch key {
		case "agentId":
			return text(s, &d.response.agent)
		case "handback":
			return text(s, &d.response.handback)
		case "success":
			d.response.success, _, err = s.Bool()
		}
		return err
	})
}

func (d *stdin) toolCalls(s *scan.Scanner) error {
	if k, err := s.Kind(); err != nil || k != scan.Array {
		return err
	}
	before := s.Offset()
	err := s.Array(func(int) error {
		return members(s, func(key string) error {
			if key == "tool_use_id" {
				return text(s, &d.batch.CallID)
			}
			return nil
		})
	})
	d.batch.Bytes = s.Offset() - before
	return err
}

// concerns reports whether a tool's input is ever looked at.
func concerns(tool string) bool {
	row := hosts.Claude()
	return row.Tool(tool) != "" || tool == row.Spawn || tool == row.Message || tool == row.HandBack
}

// errIncomplete: the host did not say who the event is about.
var errIncomplete = errors.New("the event names no session or no transcript")

// translate turns the host's event into ours.
func (d *stdin) translate(env hooks.Env) (hooks.Event, error) {
	name := eventName(d.event)
	if name == hooks.Ignored {
		return hooks.Event{}, nil
	}
	if d.session == "" || d.transcript == "" {
		return hooks.Event{}, errIncomplete
	}
	row := hosts.Claude()
	ev := hooks.Event{
		Name:           name,
		HostEvent:      d.event,
		Actor:          actor.ID{Host: row.Name, Session: d.session, Agent: d.agent},
		Kind:           "main",
		AgentType:      d.agentType,
		Source:         hooks.Source(d.source),
		PermissionMode: d.mode,
		ReadOnly:       d.mode == "plan",
		Turn:           d.prompt,
		Batch:          d.batch,
		StopActive:     d.stopActive,
		LastMessage:    d.last,
		LastTooLong:    d.lastTooLong,
		Record:         RecordPath(d.transcript, d.agent),
	}
	ev.Project, ev.Directory = directories(env.Get("CLAUDE_PROJECT_DIR"), d.cwd)
	if d.hasAgent {
		ev.Kind = kindOf(d.agent, d.agentType)
		ev.HandsBack = d.mode == "auto" && env.Get("CLAUDE_CODE_DISABLE_SUBAGENT_HANDBACK") == ""
	}
	// The worker that compacts is an agent without a type; it is nobody. (A
	// SessionStart with an agent id is that of a subagent after its compaction.)
	if (name == hooks.AgentStart || name == hooks.AgentStop) && d.agentType == "" {
		return hooks.Event{}, nil
	}
	if !ValidID(d.session) || (d.hasAgent && !ValidID(d.agent)) || ev.Record == "" {
		ev.Ambiguous = "the host's session or agent id has a form that is not known"
	}
	if name == hooks.CompactStart || name == hooks.CompactEnd {
		ev.RecordBytes = size(ev.Record)
	}
	if name == hooks.ToolStart || name == hooks.ToolEnd {
		if err := d.translateCall(row, &ev); err != nil {
			return hooks.Event{}, err
		}
	}
	return ev, nil
}

// translateCall fills ev.Call.
func (d *stdin) translateCall(row hosts.Host, ev *hooks.Event) error {
	c := &ev.Call
	c.Name, c.ID = d.tool, d.call
	if d.tool == "" || !concerns(d.tool) {
		return nil
	}
	c.Input, c.TooLarge, c.Size = d.input, d.inputTooLarge, d.inputSize
	switch d.tool {
	case row.Spawn:
		return d.translateSpawn(ev)
	case row.Message:
		return d.translateMessage(ev)
	case row.HandBack:
		message := ""
		if err := inputMember(c.Input, "message", &message); err != nil {
			return err
		}
		c.HandBack = &message
		c.Failed = ev.Name == hooks.ToolEnd && !d.response.success
	default:
		// A tool of the same name on somebody else's server is not ours.
		if d.server != row.Server {
			return nil
		}
		c.Tool = row.Tool(d.tool)
		ev.Shown = !d.hasAgent || exists(ev.Record) || exists(metaPath(d.transcript, d.agent))
		if c.Tool == hosts.ToolRead && ev.Name == hooks.ToolStart {
			// What is not a string here is refused by the server by name.
			inputMember(c.Input, "id", &c.Reference)
		}
	}
	return nil
}

func eventName(host string) hooks.Name {
	switch host {
	case "SessionStart":
		return hooks.SessionStart
	case "SubagentStart":
		return hooks.AgentStart
	case "PreToolUse":
		return hooks.ToolStart
	case "PostToolUse":
		return hooks.ToolEnd
	case "PostToolBatch":
		return hooks.BatchEnd
	case "SubagentStop":
		return hooks.AgentStop
	case "PreCompact":
		return hooks.CompactStart
	case "PostCompact":
		return hooks.CompactEnd
	}
	return hooks.Ignored
}

// directories returns the project and, where it is another one, the actor's
// own directory.
func directories(project, cwd string) (string, string) {
	if !filepath.IsAbs(project) {
		return cwd, ""
	}
	if filepath.Clean(project) == filepath.Clean(cwd) {
		return project, ""
	}
	return project, cwd
}

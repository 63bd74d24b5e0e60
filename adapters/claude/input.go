package claude

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/scan"
	"github.com/auto-context-handover/handover/store"
)

// text takes a string of at most maxName bytes; any other value leaves to as it is.
func text(s *scan.Scanner, to *string) error {
	v, ok, err := s.String(maxName)
	if ok {
		*to = v
	}
	return err
}

// members visits the members of an object; any other value is skipped.
func members(s *scan.Scanner, member func(key string) error) error {
	if k, err := s.Kind(); err != nil || k != scan.Object {
		return err
	}
	return s.Object(member)
}

// inputMember takes one string out of a tool's input. A member that is missing
// or no string leaves to as it is.
func inputMember(raw []byte, name string, to *string) error {
	if raw == nil {
		return nil
	}
	s := scan.NewBytes(raw)
	return members(s, func(key string) error {
		if key != name {
			return nil
		}
		v, ok, err := s.String(maxInput)
		if ok {
			*to = v
		}
		return err
	})
}

// translateSpawn reads an Agent call: what the parent asks for and, once the
// host has answered, which child that made.
func (d *stdin) translateSpawn(ev *hooks.Event) error {
	r := &hooks.SpawnRequest{Provenance: store.Provenance{ModelKnown: true}}
	ev.Call.Spawn = r
	if ev.Call.Input == nil {
		r.Provenance.ModelKnown = false
		return nil
	}
	s := scan.NewBytes(ev.Call.Input)
	p := &r.Provenance
	err := members(s, func(key string) (err error) {
		switch key {
		case "prompt":
			r.Prompt, r.PromptKnown, err = s.String(maxInput)
		case "subagent_type":
			err = text(s, &p.AgentType)
		case "model":
			err = text(s, &p.Model)
		case "isolation":
			err = text(s, &p.Isolation)
		case "name":
			err = text(s, &p.Name)
		case "description":
			err = text(s, &p.Description)
		}
		return err
	})
	if ev.Name == hooks.ToolEnd && ValidID(d.response.agent) {
		r.Child = actor.ID{Host: ev.Actor.Host, Session: ev.Actor.Session, Agent: d.response.agent}
		r.HandBack = d.response.handback
	}
	return err
}

// translateMessage reads a SendMessage call and finds out which agent it is for.
func (d *stdin) translateMessage(ev *hooks.Event) error {
	m := &hooks.MessageRequest{}
	ev.Call.Message = m
	if err := inputMember(ev.Call.Input, "to", &m.To); err != nil {
		return err
	}
	if agent := recipient(d.transcript, m.To); agent != "" {
		m.Recipient = actor.ID{Host: ev.Actor.Host, Session: ev.Actor.Session, Agent: agent}
	}
	return nil
}

// recipient is the subagent of the session that a message can only mean: the
// one with this id, else the newest with this name, for a successor often has
// its predecessor's. "" if there is none.
func recipient(transcript, to string) string {
	if ValidID(to) && exists(metaPath(transcript, to)) {
		return to
	}
	if to == "" {
		return ""
	}
	dir := filepath.Dir(RecordPath(transcript, "x"))
	if dir == "." {
		return ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	newest, agent := int64(0), ""
	for _, e := range entries {
		id, ok := strings.CutPrefix(e.Name(), "agent-")
		if !ok {
			continue
		}
		id, ok = strings.CutSuffix(id, ".meta.json")
		if !ok || !ValidID(id) {
			continue
		}
		m, ok := readMeta(filepath.Join(dir, e.Name()))
		if !ok || m.name != to {
			continue
		}
		// The record's first row is the agent's start; the meta file is
		// written again when it ends.
		started := firstRow(RecordPath(transcript, id))
		if started >= newest {
			newest, agent = started, id
		}
	}
	return agent
}

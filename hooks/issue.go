package hooks

import (
	"errors"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/store"
)

// issue writes the record that binds a call of one of our tools to its caller.
// A write that cannot get one is denied with the cause; a read goes on without.
func (e *engine) issue(kind hosts.Kind) Reply {
	write := e.ev.Call.Tool == hosts.ToolHandover
	if write {
		e.ifAllFails(Reply{Deny: e.texts().Refusal(modeltext.CauseHookFailed, modeltext.Detail{What: "it did not finish in time"})})
	}
	reply, err := e.bind(kind, write)
	if err == nil {
		return reply
	}
	e.log("%s: %s: %v", e.describe(), e.ev.Call.Tool, err)
	if !write {
		return Reply{Allow: true}
	}
	var refused refusal
	if !errors.As(err, &refused) {
		refused = refusal{modeltext.CauseHookFailed, modeltext.Detail{What: err.Error()}}
	}
	return Reply{Deny: e.texts().Refusal(refused.cause, refused.detail)}
}

// refusal is an error with its place in the table of refusals.
type refusal struct {
	cause  modeltext.Cause
	detail modeltext.Detail
}

func (r refusal) Error() string { return string(r.cause) + ": " + r.detail.What }

func (e *engine) bind(kind hosts.Kind, write bool) (Reply, error) {
	call := e.ev.Call
	switch {
	case call.TooLarge:
		return Reply{}, refusal{modeltext.CauseTooLarge, modeltext.Detail{Part: "the call", Size: call.Size, Limit: store.MaxText}}
	case write && !kind.Write:
		return Reply{}, refusal{modeltext.CauseKind, modeltext.Detail{Part: kind.Name, What: kind.Why}}
	case write && e.ev.ReadOnly:
		return Reply{}, refusal{modeltext.CausePlan, modeltext.Detail{What: e.ev.PermissionMode}}
	case e.ev.Ambiguous != "":
		return Reply{}, refusal{modeltext.CauseUnknownAgent, modeltext.Detail{What: e.ev.Ambiguous}}
	}
	if write && !e.ev.Shown {
		if f, ok := e.facts(); !ok || !f.Any {
			return Reply{}, refusal{modeltext.CauseUnknownAgent, modeltext.Detail{What: "the host has shown neither a start nor a record of " + e.ev.Actor.Shown()}}
		}
	}
	hash, err := store.ArgumentHash(call.Input, hosts.ReservedKey)
	if err != nil {
		// The server sees the same bytes and refuses them by name and offset.
		return Reply{Allow: true}, nil
	}
	s, err := e.create()
	if err != nil {
		return Reply{}, err
	}
	c := e.capability(s, kind, hash)
	key := e.capabilityKey(call, hash)
	reply := Reply{Allow: true}
	if e.wantsToken(s) {
		token, secret := store.NewToken()
		c.TokenHash = secret
		input, err := setMember(call.Input, hosts.ReservedKey, token)
		if err != nil {
			return Reply{}, err
		}
		reply.Input = input
	}
	if _, err := s.IssueCapability(key, c); err != nil {
		return Reply{}, err
	}
	return reply, nil
}

// capabilityKey is the part of the record's name that the server can work out
// by itself from what the host sends it.
func (e *engine) capabilityKey(call Call, hash string) string {
	session := ""
	if e.row.MetaSession != "" {
		session = e.ev.Actor.Session
	}
	if e.row.Binding == hosts.BindArguments {
		return store.ArgumentsKey(e.row.Name, string(call.Tool), hash)
	}
	return store.CapabilityKey(e.row.Name, session, call.ID)
}

// wantsToken: the hidden argument is the only channel, or the server has lately
// seen calls without the host's call id.
func (e *engine) wantsToken(s *store.Store) bool {
	switch e.row.Binding {
	case hosts.BindToken:
		return true
	case hosts.BindCallID:
		return s.FallbackWanted(e.row.Name, e.now())
	}
	return false
}

// capability gathers everything the server will need, since it reads neither
// the configuration nor the host's files.
func (e *engine) capability(s *store.Store, kind hosts.Kind, hash string) store.Capability {
	c := store.Capability{
		Version:        store.RecordVersion,
		Actor:          e.ev.Actor,
		Kind:           kind.Name,
		Role:           kind.Role,
		Tool:           string(e.ev.Call.Tool),
		Arguments:      hash,
		CallID:         e.ev.Call.ID,
		Turn:           e.ev.Turn,
		Project:        e.ev.Project,
		Directory:      e.ev.Directory,
		PermissionMode: e.ev.PermissionMode,
		ReadOnly:       e.ev.ReadOnly,
		Transcript:     e.ev.Record,
		Issued:         e.now(),
		HookVersion:    e.env.Version,
	}
	e.fillOrigin(s, &c)
	e.fillDiagnostics(&c)
	if e.ev.Call.Tool == hosts.ToolRead {
		c.Target = e.target(s)
	}
	return c
}

// fillOrigin adds how the actor was started, as far as it was seen.
func (e *engine) fillOrigin(s *store.Store, c *store.Capability) {
	c.Provenance.AgentType = e.ev.AgentType
	if e.ev.Actor.Main() {
		c.Lineage = store.Lineage{State: store.LineageOrigin, Generation: 1}
		return
	}
	c.Lineage = store.Lineage{State: store.LineageUnknown, Reason: "the start of this agent was not seen"}
	origins, _ := e.host.(Origins)
	var told Origin
	if origins != nil {
		told = origins.Origin(e.ev)
	}
	c.Provenance = merge(c.Provenance, told.Provenance)
	c.Worktree = told.Worktree
	sp, key, ok, err := s.SpawnOf(e.ev.Actor)
	if err != nil {
		e.log("%v", err)
	}
	if !ok && told.CallID != "" {
		found, err := s.SpawnsByCall(e.row.Name, e.ev.Actor.Session, told.CallID)
		switch {
		case err != nil:
			e.log("%v", err)
		case len(found) == 1:
			sp, key, ok = found[0].Spawn, found[0].Key, true
		case len(found) > 1:
			c.Lineage.Reason = "the host gave one call id to several spawns"
		}
	}
	if !ok {
		return
	}
	c.SpawnKey = key
	c.Lineage = sp.Lineage
	c.Provenance = merge(sp.Provenance, c.Provenance)
}

// merge fills what one source does not say from another. Whether a model was
// asked for is only ever the spawn's own word.
func merge(p, other store.Provenance) store.Provenance {
	for _, f := range []struct{ to, from *string }{
		{&p.AgentType, &other.AgentType},
		{&p.Isolation, &other.Isolation},
		{&p.Name, &other.Name},
		{&p.Description, &other.Description},
	} {
		if *f.to == "" {
			*f.to = *f.from
		}
	}
	return p
}

// fillDiagnostics measures the caller.
func (e *engine) fillDiagnostics(c *store.Capability) {
	d := &c.Diagnostics
	d.PromptedBy, d.Stage = "unknown", -1
	facts, ok := e.facts()
	if ok {
		d.PromptedBy = "request"
		if facts.Highest() > 0 {
			d.PromptedBy = "notice"
		}
	}
	d.Observation = measure.Observation{Reading: measure.UnknownBecause("the agent has no record of its own")}
	if e.ev.Record != "" {
		d.Observation = e.host.Measure(e.ev, e.env, Need{Floor: facts.EpochFloor, Growth: e.ev.Call.Tool == hosts.ToolHandover})
	}
	model := d.Reading.Model
	set := e.settings(model)
	d.Observation = d.Observation.WithWindow(set.Window)
	if !set.Valid() {
		d.Soft = store.Soft{Source: set.SoftSource, Reason: "invalid setting"}
		return
	}
	t := thresholds(e.row, set, e.ev, d.Limits)
	if !t.Known {
		d.Soft = store.Soft{Source: set.SoftSource, Reason: t.Reason}
		return
	}
	d.Soft = store.Soft{Tokens: t.Soft(), Source: set.SoftSource}
	if d.Reading.Known() {
		d.Stage = int(t.Reached(d.Reading.Tokens))
	}
}

// target resolves what a read asks for, as far as the host's own files are
// needed for it; the server resolves the rest.
func (e *engine) target(s *store.Store) *store.ReadTarget {
	ref := e.ev.Call.Reference
	t := &store.ReadTarget{Reference: ref}
	if ref == "" {
		return t
	}
	found, err := s.Resolve(ref, store.Scope{Host: e.row.Name, Session: e.ev.Actor.Session, Project: e.ev.Project})
	if err == nil {
		t.ID = found.ID
	}
	if origins, ok := e.host.(Origins); ok && t.ID == "" {
		if path, ok := origins.Locate(e.ev, ref); ok {
			t.Transcript = path
		}
	}
	return t
}

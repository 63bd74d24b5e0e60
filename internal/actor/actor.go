// Package actor names the agent loops that handover measures and whose texts
// it keeps. An identity comes from a host's own word only, never from a model,
// an environment variable, a working directory or a process id.
package actor

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// ID is the identity of one agent loop.
//
// It is comparable; two equal IDs are the same actor. The zero ID names nobody.
type ID struct {
	// Host is the name of the host's row in internal/hosts, for example "claude".
	Host string `json:"host"`
	// Session is the host's session (or thread) id.
	Session string `json:"session"`
	// Agent is the host's id of a subagent; empty for a main agent.
	Agent string `json:"agent,omitempty"`
	// Unique is what tells two sessions or agents with the same id apart on a
	// host that uses ids again (a creation time); empty where ids are unique.
	Unique string `json:"unique,omitempty"`
}

// Main reports whether the actor is a main agent.
func (id ID) Main() bool { return id.Agent == "" }

// Key is the actor's name in the store: 32 hex digits.
func (id ID) Key() string {
	return Digest("actor", id.Host, id.Session, id.Agent, id.Unique)[:32]
}

// Shown is the id as people and models see it: the session id, or
// session:agent for a subagent.
func (id ID) Shown() string {
	if id.Main() {
		return id.Session
	}
	return id.Session + ":" + id.Agent
}

// Role is the part an actor plays towards its parent and its user.
type Role string

const (
	// RoleMain is a main agent: it answers to the user.
	RoleMain Role = "main"
	// RoleSubagent is an agent that was spawned by another one and answers to it.
	RoleSubagent Role = "subagent"
)

// Role returns the actor's role.
func (id ID) Role() Role {
	if id.Main() {
		return RoleMain
	}
	return RoleSubagent
}

// Digest is the SHA-256, in hex, of the parts, each preceded by its length, so
// that no two different lists of parts give the same digest.
func Digest(parts ...string) string {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

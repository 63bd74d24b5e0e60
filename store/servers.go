package store

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

// stamp is a fact that is only a moment.
type stamp struct {
	Version int       `json:"v"`
	At      time.Time `json:"at"`
}

// signOfLife is what servers/ holds.
type signOfLife struct {
	Version int       `json:"v"`
	Host    string    `json:"host"`
	Session string    `json:"session"`
	At      time.Time `json:"at"`
}

func serverName(host, session string) string {
	return actor.Digest("server", host, session)[:keyDigits]
}

// SignOfLife notes that a server of ours runs for a host's session. Session is
// whatever hook and server both know of it: its id, or a process id.
func (s *Store) SignOfLife(host, session string) error {
	return s.replaceRecord(dirServers, serverName(host, session), signOfLife{RecordVersion, host, session, s.now().UTC()})
}

// SeenServer reports whether a server has run for the host's session.
func (s *Store) SeenServer(host, session string) bool {
	there, err := exists(s.root, dirServers+"/"+serverName(host, session))
	return err == nil && there
}

// Session is a live agent, for people to look at.
type Session struct {
	Version int      `json:"v"`
	Actor   actor.ID `json:"actor"`
	Kind    string   `json:"kind,omitempty"`
	Project string   `json:"project,omitempty"`
	// Transcript is the agent's own record at the host.
	Transcript string    `json:"transcript,omitempty"`
	At         time.Time `json:"at"`
}

// NoteSession keeps the latest word about a live agent, over an older one.
func (s *Store) NoteSession(x Session) error {
	x.Version = RecordVersion
	return s.replaceRecord(dirSessions, x.Actor.Key(), x)
}

// Sessions returns the agents that were noted, the latest first.
func (s *Store) Sessions() ([]Session, error) {
	found, err := s.list(dirSessions)
	if err != nil {
		return nil, err
	}
	var all []Session
	for _, name := range found {
		if !isKey(name) {
			continue
		}
		var x Session
		err := s.record(dirSessions, name, &x)
		switch {
		case errors.Is(err, ErrNotFound), errors.Is(err, ErrDamaged), errors.Is(err, ErrNewerFormat):
			continue
		case err != nil:
			return nil, err
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b Session) int {
		return firstOf(b.At.Compare(a.At), strings.Compare(a.Actor.Shown(), b.Actor.Shown()))
	})
	return all, nil
}

func (s *Store) replaceRecord(dir, name string, v any) error {
	data, err := line(v)
	if err != nil {
		return err
	}
	d, err := s.enter(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return s.replace(d, name, data)
}

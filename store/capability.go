package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

// suffixUsed marks a consumed record.
const suffixUsed = ".used"

// CapabilityKey is the part of a record's name that the server can work out by
// itself, 32 hex digits: of the host, the session or thread where the server is
// told it ("" elsewhere), and the host's call id.
func CapabilityKey(host, session, callID string) string {
	return actor.Digest("call", host, session, callID)[:keyDigits]
}

// ArgumentsKey is the key on a host that tells the server nothing but the
// arguments. Hash is from ArgumentHash.
func ArgumentsKey(host, tool, hash string) string {
	return actor.Digest("arguments", host, tool, hash)[:keyDigits]
}

// IssueCapability writes the record that binds one call to one actor. Every run
// of a hook writes its own, also for a call that has one already. The name is
// "<key>-<actor>-<random>"; the random part is drawn, or with a TokenHash its
// beginning. Afterwards the store is swept if that is due.
func (s *Store) IssueCapability(key string, c Capability) (name string, err error) {
	if !isKey(key) {
		return "", fmt.Errorf("not the key of a record: %q", key)
	}
	if c.Version == 0 {
		c.Version = RecordVersion
	}
	part := random(keyDigits / 2)
	if c.TokenHash != "" {
		if len(c.TokenHash) != 64 || !isHex(c.TokenHash) {
			return "", errors.New("not the hash of a token's secret")
		}
		part = c.TokenHash[:keyDigits]
	}
	name = key + "-" + c.Actor.Key() + "-" + part
	won, err := s.putRecord(dirCapabilities, name, c, false)
	if err != nil {
		return "", err
	}
	if !won {
		return "", fmt.Errorf("the record %s is there already", s.path(dirCapabilities+"/"+name))
	}
	s.sweepWhenDue()
	return name, nil
}

// HasRecord reports whether a record with this key was issued here, consumed or
// not. It changes nothing.
func (s *Store) HasRecord(key string) bool {
	if !isKey(key) {
		return false
	}
	found, err := s.list(dirCapabilities)
	if err != nil {
		return false
	}
	for _, name := range found {
		if strings.HasPrefix(name, key+"-") {
			return true
		}
	}
	return false
}

// Revoke removes the actor's live records but those with the key except; "" is
// no exception. On a host whose agents make one call at a time, any later event
// of an actor shows that its earlier calls are over.
func (s *Store) Revoke(a actor.ID, except string) error {
	d, err := s.enter(dirCapabilities)
	if err != nil {
		return err
	}
	defer d.Close()
	found, err := names(d, ".")
	if err != nil {
		return err
	}
	var failed error
	for _, name := range found {
		r, ok := parseRecordName(name)
		if !ok || r.used || r.actor != a.Key() || r.key == except {
			continue
		}
		if err := d.Remove(name); err != nil && !missing(err) {
			failed = err
		}
	}
	return failed
}

// ProbeWrite creates, writes and removes a file among the capabilities, and
// returns what prevents it. On a full disk the creation succeeds and the write
// does not.
func (s *Store) ProbeWrite() error {
	d, err := s.enter(dirCapabilities)
	if err != nil {
		return err
	}
	defer d.Close()
	block := make([]byte, 4096)
	name, err := s.putTemporary(d, block, false)
	if err != nil {
		return fmt.Errorf("trying to write in %s: %w", d.path, err)
	}
	return d.Remove(name)
}

// recordName is a record's name taken apart.
type recordName struct {
	name   string // without suffixUsed
	key    string
	actor  string
	random string
	used   bool
}

func parseRecordName(name string) (recordName, bool) {
	base, used := strings.CutSuffix(name, suffixUsed)
	parts := strings.Split(base, "-")
	if len(parts) != 3 || !isKey(parts[0]) || !isKey(parts[1]) || !isKey(parts[2]) {
		return recordName{}, false
	}
	return recordName{base, parts[0], parts[1], parts[2], used}, true
}

// issued is one record found in the directory.
type issued struct {
	recordName
	c Capability
	// live: not consumed. consumed is when it was, where it was.
	live     bool
	consumed time.Time
}

// leftover reports whether a live record is a sibling that another hook run for
// the same call left behind: it was issued before the other was consumed. A
// file system that keeps whole seconds is compared by them.
func (r issued) leftover(of issued) bool {
	at := r.c.Issued
	if of.consumed.Nanosecond() == 0 {
		at = at.Truncate(time.Second)
	}
	return !at.After(of.consumed)
}

// group reports whether two records are of one call: the same key, actor, tool
// and arguments.
func (r issued) group(of issued) bool {
	return r.key == of.key && r.actor == of.actor && r.c.Tool == of.c.Tool && r.c.Arguments == of.c.Arguments
}

// readIssued reads a record under its live or its consumed name. An empty or
// undecodable record, or one whose content belongs to another name, is none.
func (s *Store) readIssued(d place, n recordName) (issued, bool, error) {
	name := n.name
	if n.used {
		name += suffixUsed
	}
	data, err := s.readFile(d, name, maxRecord)
	if missing(err) && !n.used {
		// Consumed since the directory was listed.
		n.used = true
		return s.readIssued(d, n)
	}
	if missing(err) || errors.Is(err, ErrDamaged) {
		return issued{}, false, nil
	}
	if err != nil {
		return issued{}, false, fmt.Errorf("reading %s: %w", d.file(name), err)
	}
	r := issued{recordName: n, live: !n.used}
	if err := json.Unmarshal(data, &r.c); err != nil || r.c.Version > RecordVersion {
		return newer(r, data)
	}
	if r.c.Version < 1 || r.c.Actor.Key() != n.actor {
		return issued{}, false, nil
	}
	if n.used {
		info, err := d.Lstat(name)
		if err != nil {
			return issued{}, false, nil
		}
		r.consumed = info.ModTime()
	}
	return r, true, nil
}

// newer is a record that cannot be decoded: of a higher version, or none.
func newer(r issued, data []byte) (issued, bool, error) {
	var head struct {
		Version int    `json:"v"`
		Hook    string `json:"hook_version"`
	}
	if json.Unmarshal(data, &head) != nil || head.Version <= RecordVersion {
		return issued{}, false, nil
	}
	r.c = Capability{Version: head.Version, HookVersion: head.Hook}
	return r, true, nil
}

package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
)

// The facts about an actor that exist once, as their files are named: once until
// it is reopened, then again for its next handover.
const (
	// FactCorrected: its one stop correction was given. Holds a Correction.
	FactCorrected = "corrected"
	// FactHandBack: which call was its first hand-back. Holds a HandBack.
	FactHandBack = "handback"
	// FactDelivered: its receipt was seen to leave it. Holds a Delivery.
	FactDelivered = "delivered"
	// FactReceived: its receipt was seen to reach its parent. Holds a Delivery.
	FactReceived = "received"

	factSpawn   = "spawn"
	factReading = "reading"
	factLong    = "long."
	factEpoch   = "epoch-"
	factStage   = ".stage-"
	factIntro   = ".intro"
)

// Delivery is what FactDelivered and FactReceived hold.
type Delivery struct {
	ID string    `json:"id"`
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// HandBack is what FactHandBack holds.
type HandBack struct {
	CallID string    `json:"call_id"`
	At     time.Time `json:"at"`
}

// Correction is what FactCorrected holds.
type Correction struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
}

// Facts is what is on record about an actor, as the names of its files tell.
// The zero Facts is an actor nothing is known of.
type Facts struct {
	// Any fact at all.
	Any bool
	// Epoch counts compactions, clears and falls; its first is 0.
	Epoch int
	// EpochFloor is the length of the actor's own record, in bytes, when the
	// epoch began: what stands before it belongs to an older one.
	EpochFloor int64
	// EpochCause is what began the epoch, "" for epoch 0.
	EpochCause string
	// Stages are those claimed in this epoch, by measure.Stage.
	Stages [measure.Reminder + 1]bool
	// Intro: the introduction was given in this epoch.
	Intro bool

	Corrected, HandBack, Delivered, Received, Spawn bool
}

// Highest is the highest stage claimed in this epoch, 0 for none.
func (f Facts) Highest() int {
	for n := len(f.Stages) - 1; n > 0; n-- {
		if f.Stages[n] {
			return n
		}
	}
	return 0
}

// Facts reads what is on record about an actor: one listing of its directory,
// and of its latest epoch the file. Nothing is decoded by reflection, since
// hooks ask this after every batch of tools.
func (s *Store) Facts(a actor.ID) (Facts, error) {
	dir := dirActors + "/" + a.Key()
	found, err := s.list(dir)
	if err != nil {
		return Facts{}, err
	}
	f := parseFacts(found)
	if f.Epoch > 0 {
		d, err := s.visit(dir)
		if err != nil {
			return Facts{}, err
		}
		defer d.Close()
		text, err := s.readFile(d, factEpoch+strconv.Itoa(f.Epoch), 64<<10)
		if err != nil {
			return Facts{}, fmt.Errorf("reading the epoch: %w", err)
		}
		f.EpochCause, f.EpochFloor = parseEpoch(string(text))
	}
	return f, nil
}

// parseFacts reads the names in an actor's directory. Unknown ones are ignored.
func parseFacts(found []string) Facts {
	var f Facts
	for _, name := range found {
		if n, rest, ok := parseEpochName(name); ok && rest == "" {
			f.Epoch = max(f.Epoch, n)
		}
	}
	for _, name := range found {
		known := true
		switch name {
		case FactCorrected:
			f.Corrected = true
		case FactHandBack:
			f.HandBack = true
		case FactDelivered:
			f.Delivered = true
		case FactReceived:
			f.Received = true
		case factSpawn:
			f.Spawn = true
		case factReading:
		default:
			known = f.epochFact(name)
		}
		f.Any = f.Any || known
	}
	return f
}

// epochFact takes note of a fact that belongs to an epoch.
func (f *Facts) epochFact(name string) (known bool) {
	n, rest, ok := parseEpochName(name)
	if !ok {
		base, id, _ := strings.Cut(name, ".")
		return strings.HasPrefix(name, factLong) || existsOnce(base) && ValidID(id)
	}
	stage, isStage := strings.CutPrefix(rest, factStage)
	switch {
	case n != f.Epoch || rest == "":
	case rest == factIntro:
		f.Intro = true
	case isStage && len(stage) == 1 && stage[0] >= '1' && int(stage[0]-'0') < len(f.Stages):
		f.Stages[stage[0]-'0'] = true
	default:
		return false
	}
	return true
}

// parseEpochName takes "epoch-3.stage-1" apart into 3 and ".stage-1".
func parseEpochName(name string) (n int, rest string, ok bool) {
	digits, ok := strings.CutPrefix(name, factEpoch)
	if !ok {
		return 0, "", false
	}
	if i := strings.IndexByte(digits, '.'); i >= 0 {
		digits, rest = digits[:i], digits[i:]
	}
	n, err := strconv.Atoi(digits)
	return n, rest, err == nil && n >= 0
}

// parseEpoch finds the two values of an epoch's file as this package writes it.
// The quotes in them are escaped there, so the first match is the member.
func parseEpoch(text string) (cause string, floor int64) {
	if _, after, ok := strings.Cut(text, `"cause":"`); ok {
		cause, _, _ = strings.Cut(after, `"`)
	}
	if _, after, ok := strings.Cut(text, `"floor":`); ok {
		if end := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			after = after[:end]
		}
		floor, _ = strconv.ParseInt(after, 10, 64)
	}
	return cause, floor
}

// fact is the one line that every file about an actor holds.
type fact struct {
	Version int             `json:"v"`
	Actor   actor.ID        `json:"actor"`
	At      time.Time       `json:"at"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (s *Store) newFact(a actor.ID, data any) (fact, error) {
	f := fact{Version: RecordVersion, Actor: a, At: s.now().UTC()}
	if data == nil {
		return f, nil
	}
	b, err := json.Marshal(data)
	f.Data = b
	return f, err
}

// claimFact creates a fact about an actor. won is false where it was there.
func (s *Store) claimFact(a actor.ID, name string, data any) (won bool, err error) {
	f, err := s.newFact(a, data)
	if err != nil {
		return false, err
	}
	return s.putRecord(dirActors+"/"+a.Key(), name, f, false)
}

// ClaimOnce creates a fact that exists once per actor (the Fact… constants) and
// holds data. won is true for exactly one of all that try.
func (s *Store) ClaimOnce(a actor.ID, name string, data any) (won bool, err error) {
	if !existsOnce(name) {
		return false, fmt.Errorf("no such fact: %q", name)
	}
	return s.claimFact(a, name, data)
}

// existsOnce reports whether the name is one of the Fact… constants.
func existsOnce(name string) bool {
	switch name {
	case FactCorrected, FactHandBack, FactDelivered, FactReceived:
		return true
	}
	return false
}

// Fact reads what such a fact holds. One that does not exist is ErrNotFound.
func (s *Store) Fact(a actor.ID, name string, into any) error {
	var f fact
	if err := s.record(dirActors+"/"+a.Key(), name, &f); err != nil {
		return err
	}
	if f.Actor != a {
		return fmt.Errorf("%w: the fact %s is another agent's", ErrCollision, s.path(dirActors+"/"+a.Key()+"/"+name))
	}
	if len(f.Data) == 0 {
		return nil
	}
	if err := json.Unmarshal(f.Data, into); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return nil
}

// setAside renames the facts that exist once, so that they are about this
// handover of the actor and no longer about its next one.
func (s *Store) setAside(a actor.ID, id string) error {
	d, err := s.enter(dirActors + "/" + a.Key())
	if err != nil {
		return err
	}
	defer d.Close()
	for _, name := range []string{FactCorrected, FactHandBack, FactDelivered, FactReceived} {
		if err := d.Rename(name, aside(name, id)); err != nil && !missing(err) {
			return fmt.Errorf("setting %s aside: %w", d.file(name), err)
		}
	}
	return nil
}

// aside is the name of a fact about a handover that was reopened.
func aside(name, id string) string { return name + "." + id }

// factAbout reads a fact that exists once, as it is for one handover.
func (s *Store) factAbout(h Header, name string, into any) error {
	err := s.Fact(h.Actor, aside(name, h.ID), into)
	if errors.Is(err, ErrNotFound) {
		return s.Fact(h.Actor, name, into)
	}
	return err
}

// LongOnce reports whether this is the first time that the actor sends the
// arguments with this hash, which are longer than a successor could take in.
func (s *Store) LongOnce(a actor.ID, hash string) (first bool, err error) {
	if len(hash) < 8 || !isHex(hash) {
		return false, errors.New("not the hash of arguments")
	}
	return s.claimFact(a, factLong+hash[:8], map[string]string{"arguments": hash})
}

// WriteReading keeps an actor's latest observation, over an older one. It is the
// one fact that is replaced; of two writers the last wins.
func (s *Store) WriteReading(a actor.ID, o measure.Observation) error {
	f, err := s.newFact(a, o)
	if err != nil {
		return err
	}
	data, err := line(f)
	if err != nil {
		return err
	}
	d, err := s.enter(dirActors + "/" + a.Key())
	if err != nil {
		return err
	}
	defer d.Close()
	if err := s.replace(d, factReading, data); err != nil {
		return fmt.Errorf("writing %s: %w", d.file(factReading), err)
	}
	return nil
}

// Reading returns an actor's latest kept observation and when it was made.
func (s *Store) Reading(a actor.ID) (o measure.Observation, at time.Time, err error) {
	var f fact
	if err := s.record(dirActors+"/"+a.Key(), factReading, &f); err != nil {
		return o, at, err
	}
	if err := json.Unmarshal(f.Data, &o); err != nil {
		return o, at, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return o, f.At, nil
}

package measure

import (
	"fmt"
	"strconv"

	"github.com/auto-context-handover/handover/internal/actor"
)

// Stage is how far past the soft an actor is.
type Stage int

const (
	// NoStage: below stage 1, or nothing is known.
	NoStage Stage = iota
	Stage1
	Stage2
	Stage3
	// Reminder comes once more, at 1.5 × stage 1.
	Reminder
)

const (
	autoSoft              = 150_000 // tokens, for windows up to largeWindow
	autoSoftLargeSubagent = 200_000
	autoSoftLargeMain     = 300_000
	largeWindow           = 300_000 // tokens; larger windows have the larger soft

	autoShare     = 720_000   // of C, in millionths: the most stage 1 may be
	autoLast      = 1_200_000 // of the soft: stage 3
	reminderShare = 1_500_000 // of stage 1

	ceilingRoom      = 25_000  // tokens below C, at most …
	ceilingRoomShare = 150_000 // … and this share of C, in millionths

	defaultIntegerCap = 0.7
)

// DefaultMultiples are the stages of an explicit soft, and of auto where the
// compaction point is unknown.
func DefaultMultiples() []float64 { return []float64{1.0, 1.1, 1.2} }

// Policy is what is configured for an actor.
type Policy struct {
	Soft Soft
	// Multiples are the stages of an explicit soft: one to three, ascending,
	// each over 0. None means DefaultMultiples.
	Multiples []float64
	// IntegerCap is the share of a known window that caps an integer soft; 0
	// means 0.7.
	IntegerCap float64
	Role       actor.Role
}

// Thresholds are the token counts at which an actor is told.
type Thresholds struct {
	// Known is false where no threshold can be given; Reason says why.
	Known  bool
	Reason string
	// At holds the tokens of each stage, by Stage. It never falls from one
	// stage to the next. 0 is a stage that does not exist: At[NoStage] always,
	// the reminder where it would lie at or above the ceiling or below the last
	// stage, stages 2 and 3 where fewer multiples are configured. Stages with
	// the same tokens are one notice.
	At [5]int64
	// Ceiling is the most any stage can be; 0 where the compaction point is
	// unknown.
	Ceiling int64
	// Note says what was changed about the configured value; else empty.
	Note string
}

// Resolve works out the thresholds under the limits. Limits are completed
// first: a known window gives a compaction point.
func (p Policy) Resolve(l Limits) Thresholds {
	l = l.Complete()
	t := Thresholds{Known: true}
	if l.Compaction.Known() {
		t.Ceiling = ceiling(l.Compaction.Tokens)
	}
	switch p.Soft.unit {
	case softAuto:
		p.auto(&t, l)
	case softTokens:
		p.multiples(&t, p.capped(&t, l.Window))
	case softPercent:
		if !l.Window.Known() {
			return Thresholds{Reason: percentReason(p.Soft, l.Window)}
		}
		p.multiples(&t, share(l.Window.Tokens, p.Soft.n*10_000))
	}
	t.clamp()
	t.remind()
	return t
}

// ceiling is C − min(25,000, 0.15 × C): the last moment at which an agent still
// has room to write its handover before the host compacts.
func ceiling(c int64) int64 { return c - min(ceilingRoom, share(c, ceilingRoomShare)) }

// auto sets the stages for soft "auto".
func (p Policy) auto(t *Thresholds, l Limits) {
	soft := p.autoSoft(l.Window)
	if !l.Compaction.Known() {
		p.Multiples = nil
		p.multiples(t, soft)
		return
	}
	t.At[Stage1] = min(soft, share(l.Compaction.Tokens, autoShare))
	t.At[Stage3] = min(share(soft, autoLast), t.Ceiling)
	t.At[Stage2] = t.At[Stage1] + (t.At[Stage3]-t.At[Stage1])/2
}

// autoSoft is S, in tokens. A window up to largeWindow, an unknown one included,
// has the small one.
func (p Policy) autoSoft(window Limit) int64 {
	switch {
	case window.Tokens <= largeWindow:
		return autoSoft
	case p.Role == actor.RoleMain:
		return autoSoftLargeMain
	}
	return autoSoftLargeSubagent
}

// capped is an integer soft under its cap.
func (p Policy) capped(t *Thresholds, window Limit) int64 {
	if !window.Known() {
		return p.Soft.n
	}
	limit := p.IntegerCap
	if limit == 0 {
		limit = defaultIntegerCap
	}
	most := share(window.Tokens, millionths(limit))
	if p.Soft.n <= most {
		return p.Soft.n
	}
	t.note(fmt.Sprintf("%d capped at %s of the window of %d", p.Soft.n, strconv.FormatFloat(limit, 'g', -1, 64), window.Tokens))
	return most
}

// multiples sets the stages of an explicit soft.
func (p Policy) multiples(t *Thresholds, soft int64) {
	by := p.Multiples
	if len(by) == 0 {
		by = DefaultMultiples()
	}
	for i, f := range by[:min(len(by), int(Stage3))] {
		t.At[Stage1+Stage(i)] = share(soft, millionths(f))
	}
}

// clamp keeps every stage at or under the ceiling and above 0, so that a small
// window or a large soft moves a notice and never silences it.
func (t *Thresholds) clamp() {
	for s := Stage1; s <= Stage3; s++ {
		if t.At[s] == 0 && s != Stage1 {
			continue
		}
		t.At[s] = max(t.At[s], 1)
		if t.Ceiling == 0 || t.At[s] <= t.Ceiling {
			continue
		}
		if s == Stage1 {
			t.note(fmt.Sprintf("stage 1 moved from %d to the ceiling", t.At[s]))
		}
		t.At[s] = max(t.Ceiling, 1)
	}
}

// remind adds the reminder where there is a place for it.
func (t *Thresholds) remind() {
	at := share(t.At[Stage1], reminderShare)
	if t.Ceiling != 0 && at >= t.Ceiling || at <= t.At[t.Last()] {
		return
	}
	t.At[Reminder] = at
}

func (t *Thresholds) note(s string) {
	if t.Note != "" {
		t.Note += "; "
	}
	t.Note += s
}

func percentReason(s Soft, window Limit) string {
	if window.Source != "" {
		return fmt.Sprintf("soft %s needs the window, which is unknown: %s", s, window.Source)
	}
	return fmt.Sprintf("soft %s needs the window, which is unknown for this model", s)
}

// Soft is stage 1 in tokens, 0 where nothing is known.
func (t Thresholds) Soft() int64 { return t.At[Stage1] }

// Last is the highest stage that exists, the reminder included; NoStage where
// nothing is known.
func (t Thresholds) Last() Stage { return t.below(Reminder) }

// Reached is the highest stage that so many tokens have reached.
func (t Thresholds) Reached(tokens int64) Stage {
	for s := Reminder; s > NoStage; s-- {
		if at := t.At[s]; at > 0 && tokens >= at {
			return s
		}
	}
	return NoStage
}

// Fallen reports whether a reading shows that the context was emptied without a
// word from the host: it lies below half of the stage that the actor was last
// told of. That begins a new epoch. An actor that was told nothing has not
// fallen.
func (t Thresholds) Fallen(tokens int64, told Stage) bool {
	at := t.At[t.below(told)]
	return tokens < at-tokens
}

// below is the highest stage that exists up to s.
func (t Thresholds) below(s Stage) Stage {
	for s = min(s, Reminder); s > NoStage && t.At[s] == 0; s-- {
	}
	return max(s, NoStage)
}

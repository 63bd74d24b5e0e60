package hooks

import (
	"time"

	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/store"
)

// freshness is how long a hook waits for the host to write down the request
// whose tools have just run.
const freshness = 300 * time.Millisecond

// notice measures the agent and tells it, once per stage and epoch, that this
// is a good point to hand over. Below the first stage nothing is written.
func (e *engine) notice(kind hosts.Kind) Reply {
	if !kind.Told || !kind.Measured || e.ev.Ambiguous != "" || e.ev.Record == "" {
		return Reply{}
	}
	if set := e.settings(""); !set.Notices() && !e.byModel {
		return Reply{}
	}
	facts, ok := e.facts()
	if !ok {
		return Reply{}
	}
	if _, closed := e.closed(); closed {
		return Reply{}
	}

	seen := e.host.Measure(e.ev, e.env, Need{
		Floor: facts.EpochFloor,
		Wait:  freshness,
		Pending: func(model string, l measure.Limits) int64 {
			return pending(e.thresholds(model, l), facts.Highest())
		},
	})
	if !seen.Reading.Known() {
		return Reply{}
	}
	set := e.settings(seen.Reading.Model)
	if !set.Notices() {
		return Reply{}
	}
	t := thresholds(e.row, set, e.ev, seen.WithWindow(set.Window).Limits)
	if !t.Known {
		return Reply{}
	}
	epoch, highest := facts.Epoch, facts.Highest()
	if highest > 0 && t.Fallen(seen.Reading.Tokens, measure.Stage(highest)) {
		epoch, highest = epoch+1, 0
		if !e.fell(epoch, seen.Offset) {
			return Reply{}
		}
	}
	if stage := t.Reached(seen.Reading.Tokens); int(stage) > highest {
		return e.sayStage(kind, epoch, highest, stage, seen)
	}
	return Reply{}
}

// fell begins the epoch of a reading that lies far below the last stage, with
// the request it belongs to as the first. It reports whether this hook began it:
// of two that see the fall, one speaks.
func (e *engine) fell(epoch int, floor int64) bool {
	s, err := e.create()
	if err != nil {
		e.log("%v", err)
		return false
	}
	won, err := s.ClaimEpoch(e.ev.Actor, epoch, store.Epoch{Cause: "fall", Floor: floor, At: e.now()})
	if err != nil {
		e.log("%v", err)
	}
	return won
}

// sayStage claims the stage and returns its notice, unless another hook of this
// actor was first.
func (e *engine) sayStage(kind hosts.Kind, epoch, highest int, stage measure.Stage, seen measure.Observation) Reply {
	s, err := e.create()
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	if !e.speak() {
		return Reply{}
	}
	var stages []int
	for n := highest + 1; n <= int(stage); n++ {
		stages = append(stages, n)
	}
	won, err := s.ClaimStage(e.ev.Actor, epoch, stages)
	if err != nil {
		e.log("%v", err)
		return Reply{}
	}
	if !won {
		return Reply{}
	}
	e.undo = append(e.undo, func() { s.ReleaseStage(e.ev.Actor, epoch, stages) })
	return Reply{Context: e.texts().Notice(modeltext.NoticeInput{
		Role:    kind.Role,
		Stage:   int(stage),
		Reading: seen.Reading,
		First:   highest == 0,
		Plan:    e.ev.ReadOnly,
	})}
}

// thresholds are the stages for this actor.
func (e *engine) thresholds(model string, l measure.Limits) measure.Thresholds {
	set := e.settings(model)
	return thresholds(e.row, set, e.ev, l.WithConfigured(set.Window))
}

func thresholds(row hosts.Host, set config.Settings, ev Event, l measure.Limits) measure.Thresholds {
	return measure.Policy{
		Soft:       set.Soft,
		Multiples:  set.Multiples,
		IntegerCap: row.SoftCap,
		Role:       ev.Actor.Role(),
	}.Resolve(l)
}

// pending is the least number of tokens at which a stage above the one already
// told would be reached, 0 if there is none.
func pending(t measure.Thresholds, told int) int64 {
	if !t.Known {
		return 0
	}
	for n := told + 1; n < len(t.At); n++ {
		if t.At[n] > 0 {
			return t.At[n]
		}
	}
	return 0
}

// facts are what is on record about the event's actor; ok is false where that
// cannot be read.
func (e *engine) facts() (store.Facts, bool) {
	s, err := e.open()
	if err == errNothingStored {
		return store.Facts{}, true
	}
	if err != nil {
		e.log("%v", err)
		return store.Facts{}, false
	}
	f, err := s.Facts(e.ev.Actor)
	if err != nil {
		e.log("%v", err)
		return store.Facts{}, false
	}
	return f, true
}

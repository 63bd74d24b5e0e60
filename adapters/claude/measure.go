package claude

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/measure/tail"
)

// pollEvery is how often a record is read again while the host is expected to
// write; it flushes every 100 ms (2.1.332).
const pollEvery = 20 * time.Millisecond

// flushed is after how long the host has surely written what it holds back.
const flushed = 150 * time.Millisecond

// slack is the part of a response, in tokens, that leaves no trace in the
// record or the batch before it is written: thinking.
const slack = 8000

// quietBlock is the size in bytes of the blocks in which a record is read for
// its newest row alone, which typically ends 1 to 5 KB before the end. Memory
// that is not touched costs a process of a millisecond no time.
const quietBlock = 16 << 10

// Measure implements hooks.Host.
func (Host) Measure(ev hooks.Event, env hooks.Env, need hooks.Need) measure.Observation {
	r := reader{session: ev.Actor.Session, agent: ev.Actor.Agent, call: ev.Batch.CallID}
	from := time.Now()
	until := from.Add(need.Wait)
	for {
		t := r.read(ev.Record, need)
		o := t.observation(ev.Project, env)
		if r.call == "" || t.fresh || need.Pending == nil || time.Now().After(until) {
			return o
		}
		// The batch's own request is not written yet. It is worth waiting for
		// only if it could reach a stage; where there is no record at all, or
		// nothing in it after a flush, nothing will come.
		if !t.couldReach(o, ev.Batch.Bytes, need.Pending) {
			return o
		}
		if !t.have && (errors.Is(t.err, fs.ErrNotExist) || time.Since(from) > flushed) {
			return o
		}
		time.Sleep(pollEvery)
	}
}

// MeasureFile reads an actor's transcript as a hook does, from the path of the
// main transcript; agent is "" for the main agent.
//
// The project is where the host's own settings are looked for, "" for none.
func MeasureFile(transcript, session, agent, project string, env hooks.Env) measure.Observation {
	path := RecordPath(transcript, agent)
	if path == "" {
		return measure.Observation{Reading: measure.UnknownBecause("the path is not that of a main transcript, or the agent id is not one of this host's")}
	}
	r := reader{session: session, agent: agent}
	t := r.read(path, hooks.Need{Growth: true})
	return t.observation(project, env)
}

// scanned is what one pass over a record from its end found.
type scanned struct {
	newest row
	have   bool
	// behind counts the bytes that were written after the newest request.
	behind int64
	// fresh: the newest request is the one with the call that was asked for.
	fresh bool

	baseline, previous     row
	havePrevious, complete bool
	offset                 int64
	records, unknown       int
	boundary, capped       bool
	err                    error
}

// read scans the record backwards until it knows what was asked for.
func (r reader) read(path string, need hooks.Need) scanned {
	var t scanned
	f, err := tail.Open(path)
	if err != nil {
		t.err = err
		return t
	}
	defer f.Close()
	end := f.Size()
	floor := need.Floor
	if floor > end {
		// The file was begun anew; what stands in it is younger than the epoch.
		floor = 0
	}
	opt := tail.Options{Floor: floor}
	if !need.Growth {
		opt.Block = quietBlock
	}
	stats, err := tail.Backward(f, end, opt, func(l tail.Line) (bool, error) {
		w := r.decode(l.Scanner())
		t.records++
		switch w.kind {
		case rowUnknown:
			if !l.Torn {
				t.unknown++
			}
			return true, nil
		case rowOther:
			return true, nil
		case rowBoundary:
			t.boundary = true
			return false, nil
		}
		return t.request(w, l.Offset, end-l.Offset-l.Length, need.Growth), nil
	})
	t.err = err
	t.capped = stats.Capped
	t.complete = err == nil && !stats.Capped
	return t
}

// request takes one block of a response, newest first, and reports whether to
// go on.
func (t *scanned) request(w row, offset, behind int64, growth bool) bool {
	switch {
	case !t.have:
		t.newest, t.have, t.offset, t.behind = w, true, offset, behind
		t.fresh = w.hasCall
		if t.fresh && !growth {
			return false
		}
	case w.request == t.newest.request:
		t.fresh = t.fresh || w.hasCall
		return growth || !t.fresh
	case !growth:
		return false
	case !t.havePrevious:
		t.previous, t.havePrevious = w, true
	}
	if w.request != t.baseline.request {
		t.baseline = w
	}
	return true
}

// observation turns what was found into what is known.
func (t scanned) observation(project string, env hooks.Env) measure.Observation {
	o := measure.Observation{Reading: t.reading(), Records: t.records, UnknownTypes: t.unknown, Offset: t.offset}
	if t.have {
		o.Limits = limits(t.newest, project, env)
	}
	o.Limits = measure.CheckWindow(o.Reading, o.Limits)
	o.Growth.Baseline = measure.UnknownBecause("the first request of the epoch is not within reach")
	if t.complete && t.have {
		o.Growth.Baseline = t.baseline.reading()
	}
	if t.havePrevious && t.newest.problem == "" && t.previous.problem == "" {
		o.Growth.LastIncrease, o.Growth.IncreaseKnown = t.newest.tokens-t.previous.tokens, true
	}
	return o
}

func (t scanned) reading() measure.Reading {
	switch {
	case t.have:
		return t.newest.reading()
	case t.err != nil:
		return measure.UnknownBecause("the transcript cannot be read: " + t.err.Error())
	case t.capped:
		return measure.UnknownBecause("no request within the last 32 MiB of the transcript")
	case t.boundary:
		return measure.UnknownBecause("no request since the compaction")
	case t.records > 0 && t.unknown == t.records:
		return measure.UnknownBecause(fmt.Sprintf("none of %d records is of a type this version knows", t.records))
	case t.records > 0:
		return measure.UnknownBecause(fmt.Sprintf("no request of this agent among %d records (%d of unknown types)", t.records, t.unknown))
	}
	return measure.UnknownBecause("the transcript is empty")
}

func (w row) reading() measure.Reading {
	if w.problem != "" {
		r := measure.UnknownBecause(w.problem)
		r.Request, r.Model = w.request, w.model
		return r
	}
	return measure.Reading{Kind: measure.Measured, Tokens: w.tokens, Request: w.request, Model: w.model}
}

// couldReach reports whether the request that is still to be written could
// reach the next stage: the last reading, what was written since then and the
// batch itself at four bytes a token, and some thinking.
func (t scanned) couldReach(o measure.Observation, batch int64, pending func(string, measure.Limits) int64) bool {
	if !o.Reading.Known() {
		return true
	}
	next := pending(o.Reading.Model, o.Limits)
	return next > 0 && o.Reading.Tokens+(t.behind+batch)/4+slack >= next
}

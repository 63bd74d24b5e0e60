package measure

import "fmt"

// assumedShare is the part of a window, in millionths, at which a host is taken
// to compact where nothing better is known.
const assumedShare = 800_000

// AssumedCompaction is 0.8 × window, marked as assumed; unknown where the
// window is.
func AssumedCompaction(window Limit) Limit {
	if !window.Known() {
		return Limit{Source: window.Source}
	}
	return Limit{Tokens: max(share(window.Tokens, assumedShare), 1), Source: "0.8 of window", Assumed: true}
}

// Complete fills in what follows from the window: a compaction point that
// nobody named is assumed.
func (l Limits) Complete() Limits {
	if !l.Compaction.Known() && l.Window.Known() {
		l.Compaction = AssumedCompaction(l.Window)
	}
	return l
}

// WithConfigured puts the window from the user's config in its place of
// precedence: behind a window the host itself named, before the table. A
// compaction point that rested on the replaced window is dropped and assumed
// anew. An unknown configured window changes nothing.
func (l Limits) WithConfigured(window Limit) Limits {
	if !window.Known() || l.Window.Known() && !l.Window.Assumed {
		return l
	}
	l.Window = window
	if l.Compaction.Assumed {
		l.Compaction = Limit{}
	}
	return l.Complete()
}

// WithWindow is the observation under the window from the user's config: put in
// its place (Limits.WithConfigured) and then checked against the reading.
func (o Observation) WithWindow(configured Limit) Observation {
	o.Limits = CheckWindow(o.Reading, o.Limits.WithConfigured(configured))
	return o
}

// CheckWindow drops a window that the reading proves wrong by being larger, and
// the compaction point with it unless that lies above the reading and so cannot
// have come from the window. The Source of a dropped limit says why.
func CheckWindow(r Reading, l Limits) Limits {
	if !r.Known() || !l.Window.Known() || r.Tokens <= l.Window.Tokens {
		return l
	}
	why := fmt.Sprintf("a reading of %d is larger than the window of %d (%s)", r.Tokens, l.Window.Tokens, l.Window.Source)
	l.Window = Limit{Source: why}
	if l.Compaction.Tokens <= r.Tokens {
		l.Compaction = Limit{Source: why}
	}
	return l
}

// Package measure holds what is known about how full an agent's context is and
// the pure arithmetic on it: readings, limits, soft and stages. It reads no
// file, no clock and no environment; adapters bring the numbers.
//
// All counts are tokens unless a name says otherwise. Unknown is a state of its
// own and never the number 0.
package measure

// Kind says how a reading came about.
type Kind string

const (
	// Unknown: there is no number. Reason says why.
	Unknown Kind = "unknown"
	// Measured: the provider counted it.
	Measured Kind = "measured"
	// Estimated: partly counted in characters, only where a host gives nothing
	// better.
	Estimated Kind = "estimated"
)

// Reading is the number of tokens in the context of an actor's latest ordinary
// request: input, cache read, cache write and output, each once.
type Reading struct {
	Kind Kind `json:"kind"`
	// Tokens is meaningful only where Known.
	Tokens int64 `json:"tokens,omitempty"`
	// Request is the host's id of the request the number belongs to.
	Request string `json:"request,omitempty"`
	// Model is the model id in the actor's own record of that request.
	Model string `json:"model,omitempty"`
	// Reason says in a few words why there is no number; empty where Known.
	Reason string `json:"reason,omitempty"`
}

// Known reports whether there is a number.
func (r Reading) Known() bool { return r.Kind == Measured || r.Kind == Estimated }

// UnknownBecause is a reading without a number.
func UnknownBecause(reason string) Reading { return Reading{Kind: Unknown, Reason: reason} }

// Limit is one of the two sizes that bound a context. The zero Limit is unknown.
type Limit struct {
	Tokens int64 `json:"tokens,omitempty"`
	// Source is where the number comes from, for people: "host", "config
	// host=claude", "table", "0.8 of window", …
	Source string `json:"source,omitempty"`
	// Assumed: the number rests on our table or on 0.8 × window.
	Assumed bool `json:"assumed,omitempty"`
}

// Known reports whether there is a number.
func (l Limit) Known() bool { return l.Tokens > 0 }

// Limits are the sizes an adapter returns together with a reading.
type Limits struct {
	// Window is the model's context window.
	Window Limit `json:"window"`
	// Compaction is C, the point at which the host compacts on its own.
	Compaction Limit `json:"compaction"`
}

// Growth is what can be said about how an actor came to its reading. Each of
// its values exists only between readings that were really observed.
type Growth struct {
	// Baseline is the first ordinary request of the epoch.
	Baseline Reading `json:"baseline"`
	// LastIncrease is the latest reading less the one before it; it can be
	// negative. Meaningful only where IncreaseKnown.
	LastIncrease  int64 `json:"last_increase,omitempty"`
	IncreaseKnown bool  `json:"increase_known"`
}

// Observation is everything an adapter can say about one actor at one moment.
type Observation struct {
	Reading Reading `json:"reading"`
	Limits  Limits  `json:"limits"`
	Growth  Growth  `json:"growth"`
	// Records and UnknownTypes count the records looked at and those of a type
	// the adapter does not know, for doctor and `handover measure`.
	Records      int `json:"records"`
	UnknownTypes int `json:"unknown_types"`
	// Offset is where in the actor's own record, in bytes, the newest request
	// was found: the floor of an epoch that begins with it. 0 where unknown.
	Offset int64 `json:"-"`
}

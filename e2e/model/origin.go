package model

// Kind says which part of a host a request comes from.
type Kind string

const (
	KindMain       Kind = "main"       // the main agent's loop
	KindAgent      Kind = "agent"      // a subagent's loop
	KindLoop       Kind = "loop"       // one of the two, the host does not say which
	KindCompaction Kind = "compaction" // the summariser of a compaction
	KindTitle      Kind = "title"      // a title for the session
	KindClassifier Kind = "classifier" // a judge over a tool call
	KindSide       Kind = "side"       // any other request beside the loops
)

// Origin is who sent a request, as far as the host shows it on the wire.
type Origin struct {
	Kind    Kind
	Session string // "" if the host does not say
	Agent   string // the subagent's id; "" for main, or if the host does not say
}

// Profile tells the requests of one host program apart. It gets a decoded
// request without Origin and returns it.
type Profile func(*Request) Origin

// loop says whether the request belongs to an agent's loop.
func (o Origin) loop() bool {
	return o.Kind == KindMain || o.Kind == KindAgent || o.Kind == KindLoop
}

// is says whether a conversation of that kind may be this origin's.
func (o Origin) is(k Kind) bool {
	return o.Kind == k || o.Kind == KindLoop && (k == KindMain || k == KindAgent)
}

// named says whether the origin alone tells its actor from every other.
func (o Origin) named() bool {
	return o.Session != "" && (o.Kind == KindMain || o.Kind == KindAgent && o.Agent != "")
}

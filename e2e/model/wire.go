package model

// Wire is one API's format: a package beside this one.
type Wire interface {
	// Use says what a request is for; UseProbe if it is not this API's.
	Use(method, path string) Use
	// Decode fills Model, Stream, MaxTokens, System, Tools and Messages from
	// the Body. An error means that the body is not this API's.
	Decode(r *Request) error
	// Render returns the answer to a request, with status 200. A nil usage
	// leaves it out. Ids it makes up come from r.Seq, so they are used once.
	Render(r *Request, a Answer, u *Usage) Rendered
	// Count returns the answer to a count request.
	Count(r *Request, tokens int) Rendered
}

// Rendered is an answer in an API's format.
type Rendered struct {
	Type   string            // Content-Type
	Header map[string]string // further headers
	Chunks []Chunk           // the events of a stream, or one whole body
}

// Chunk is a piece of an answer that is flushed on its own.
type Chunk struct {
	Data     []byte
	EndBlock bool // the last of a block
}

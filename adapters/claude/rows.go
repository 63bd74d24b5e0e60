package claude

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/internal/scan"
)

// rowKind is what one row of a transcript means for a measurement.
type rowKind uint8

const (
	// rowOther is a row of a known type that says nothing about tokens.
	rowOther rowKind = iota
	// rowUnknown is a row of a type that is not known, or one that is damaged.
	rowUnknown
	// rowRequest is a block of an ordinary response.
	rowRequest
	// rowBoundary is where the host compacted.
	rowBoundary
)

// row is what a measurement takes from one row of a transcript.
type row struct {
	kind rowKind
	// request is the id of the response that the block belongs to.
	request, model string
	// requested is the model id that was asked for, with its suffix.
	requested string
	tokens    int64
	// problem says why the usage gives no number; empty where it does.
	problem string
	// hasCall: the block is the call that was asked for.
	hasCall bool
}

// usage is the provider's count of one request. The tokens of its context are
// the sum of the four, each once (4.1).
type usage struct {
	input, create, read, output int64
	seen                        bool
	hasInput, hasOutput         bool
	// odd names a counter that is not known, or is no count. Half a sum would
	// be a guess.
	odd string
}

func (u usage) total() int64 { return u.input + u.create + u.read + u.output }

// problem says why there is no number, "" where there is one.
func (u usage) problem() string {
	switch {
	case !u.seen:
		return "the latest request has no usage"
	case u.odd != "":
		return "the latest request's usage has a counter that is not understood: " + strconv.Quote(u.odd)
	case !u.hasInput || !u.hasOutput:
		return "the latest request's usage lacks input_tokens or output_tokens"
	case u.total() == 0:
		return "the latest request's usage is all zero"
	}
	return ""
}

// reader decodes the rows of one actor's transcript.
type reader struct {
	session, agent string
	// call is the tool_use id to look for, "" for none.
	call string
}

// rawRow is a row as it stands in the file.
type rawRow struct {
	kind, subtype, agent, session          string
	hasAgent, sidechain, apiError, compact bool
	id, model, requested                   string
	last                                   usage
	call                                   bool
}

// decode reads one row in fixed memory. A row that is not one JSON object is
// rowUnknown.
func (r reader) decode(s *scan.Scanner) row {
	var w rawRow
	err := s.Document(func(key string) (err error) {
		switch key {
		case "type":
			return text(s, &w.kind)
		case "subtype":
			return text(s, &w.subtype)
		case "agentId":
			w.hasAgent = true
			return text(s, &w.agent)
		case "sessionId":
			return text(s, &w.session)
		case "requestedModel":
			return text(s, &w.requested)
		case "isSidechain":
			w.sidechain, _, err = s.Bool()
		case "isApiErrorMessage":
			w.apiError, _, err = s.Bool()
		case "isCompactSummary":
			w.compact, _, err = s.Bool()
		case "message":
			err = r.message(s, &w)
		}
		return err
	})
	if err != nil {
		return row{kind: rowUnknown}
	}
	return r.judge(w)
}

func (r reader) message(s *scan.Scanner, w *rawRow) error {
	return members(s, func(key string) error {
		switch key {
		case "id":
			return text(s, &w.id)
		case "model":
			return text(s, &w.model)
		case "usage":
			return readUsage(s, &w.last)
		case "content":
			if r.call != "" {
				return r.content(s, w)
			}
		}
		return nil
	})
}

// content looks for the call in the blocks of a message.
func (r reader) content(s *scan.Scanner, w *rawRow) error {
	if k, err := s.Kind(); err != nil || k != scan.Array {
		return err
	}
	return s.Array(func(int) error {
		var kind, id string
		err := members(s, func(key string) error {
			switch key {
			case "type":
				return text(s, &kind)
			case "id":
				return text(s, &id)
			}
			return nil
		})
		if kind == "tool_use" && id == r.call {
			w.call = true
		}
		return err
	})
}

// readUsage reads a usage. Of a server-side tool loop the last iteration is
// what the context holds; the totals beside it are sums.
func readUsage(s *scan.Scanner, u *usage) error {
	var own, iteration usage
	listed := false
	err := members(s, func(key string) error {
		if key != "iterations" {
			return own.member(s, key)
		}
		k, err := s.Kind()
		switch {
		case err != nil || k == scan.Null:
			return err
		case k != scan.Array:
			own.odd = key
			return nil
		}
		return s.Array(func(int) error {
			listed, iteration = true, usage{}
			return iteration.iteration(s)
		})
	})
	*u = own
	if listed {
		iteration.odd = cmp.Or(own.odd, iteration.odd)
		*u = iteration
	}
	return err
}

// iteration takes one entry of a tool loop. One that is no message (a
// compaction, an adviser's word) is not what the context holds.
func (u *usage) iteration(s *scan.Scanner) error {
	return members(s, func(key string) error {
		if key != "type" {
			return u.member(s, key)
		}
		kind := ""
		if err := text(s, &kind); err != nil {
			return err
		}
		if kind != "message" {
			u.seen, u.odd = true, "iterations of type "+kind
		}
		return nil
	})
}

// member takes one counter.
func (u *usage) member(s *scan.Scanner, key string) error {
	var to *int64
	switch key {
	case "input_tokens":
		to = &u.input
	case "cache_creation_input_tokens":
		to = &u.create
	case "cache_read_input_tokens":
		to = &u.read
	case "output_tokens":
		to = &u.output
	}
	k, err := s.Kind()
	if err != nil {
		return err
	}
	if to == nil {
		if k == scan.Number && strings.HasSuffix(key, "_tokens") {
			u.seen, u.odd = true, strings.Clone(key)
		}
		return nil
	}
	u.seen = true
	if k == scan.Null {
		return nil
	}
	n, ok, err := s.Int()
	if err != nil {
		return err
	}
	if !ok || n < 0 || n > maxTokens {
		u.odd = strings.Clone(key)
		return nil
	}
	*to = n
	u.hasInput = u.hasInput || to == &u.input
	u.hasOutput = u.hasOutput || to == &u.output
	return nil
}

// maxTokens is far above any context; a larger counter is damage.
const maxTokens = 1 << 40

// judge decides what a row means.
func (r reader) judge(w rawRow) row {
	switch w.kind {
	case "assistant":
	case "system":
		if w.subtype == "compact_boundary" {
			return row{kind: rowBoundary}
		}
		return row{}
	case "user":
		if w.compact {
			return row{kind: rowBoundary}
		}
		return row{}
	case "attachment", "summary", "queue-operation", "api-request-shape", "api-request-blob", "api-request", "last-prompt",
		"atis-latch", "tools-used", "mode", "cost-state", "progress", "file-history-snapshot", "custom-title", "ai-title", "agent-name", "tag", "permission-mode":
		return row{}
	default:
		return row{kind: rowUnknown}
	}
	// Another actor's row and a synthetic error are no requests of this actor.
	if w.agent != r.agent || w.sidechain != (r.agent != "") || (w.session != "" && w.session != r.session) {
		return row{}
	}
	if w.apiError || w.model == "<synthetic>" {
		return row{}
	}
	if w.id == "" {
		return row{kind: rowRequest, model: w.model, requested: w.requested, problem: "the latest request has no id", hasCall: w.call}
	}
	return row{kind: rowRequest, request: w.id, model: w.model, requested: w.requested, tokens: w.last.total(), problem: w.last.problem(), hasCall: w.call}
}

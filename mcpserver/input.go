package mcpserver

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/store"
)

// HandoverInput is what context_handover takes. A test derives the embedded
// schema from it and from the descriptions in modeltext, and compares.
type HandoverInput struct {
	Handover string `json:"handover"`
	Summary  string `json:"summary"`
}

// ReadInput is what read_handover takes.
type ReadInput struct {
	ID   string `json:"id,omitempty"`
	Full bool   `json:"full,omitempty"`
	Page int    `json:"page,omitempty"`
}

// maxReference bounds the id argument. Ids are opaque; none of a host's is
// longer than this.
const maxReference = 512

// problemKind is what can be wrong with arguments.
type problemKind int

const (
	problemObject   problemKind = iota // not exactly one JSON object
	problemTwice                       // a member is there twice
	problemText                        // a string has no exact form in UTF-8
	problemUnknown                     // no parameter has this name
	problemType                        // a value has another type
	problemMissing                     // a required parameter is not there
	problemEmpty                       // a required text is empty
	problemTooLarge                    // a text is over its limit
	problemRange                       // a number is out of range
)

// argumentProblem is the first thing that is wrong with a call's arguments.
type argumentProblem struct {
	what   problemKind
	name   string // of the parameter
	want   string // the parameter meant, or the type wanted
	detail string // what was found instead
	offset int    // in bytes, in the decoded text
	size   int
	limit  int
}

// meant maps names that other tools of this sort use, and that models
// therefore write, to ours. Names are compared in lower case without _ and -.
func meant(tool map[string]string, name string) string {
	return tool[strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))]
}

func handoverNames() map[string]string {
	return map[string]string{
		"handover": "handover", "text": "handover", "content": "handover", "body": "handover",
		"notes": "handover", "handovertext": "handover", "fulltext": "handover",
		"summary": "summary", "title": "summary", "shortsummary": "summary", "receipt": "summary",
	}
}

func readNames() map[string]string {
	return map[string]string{
		"id": "id", "handoverid": "id", "childid": "id", "sessionid": "id", "threadid": "id", "taskid": "id",
		"agentid": "id", "subagentid": "id", "session": "id", "handover": "id", "reference": "id", "ref": "id",
		"full": "full", "fulltext": "full", "verbatim": "full",
		"page": "page", "pagenumber": "page", "part": "page",
	}
}

// decodeHandover checks the members against the tool's parameters.
func decodeHandover(members []argument) (HandoverInput, *argumentProblem) {
	var in HandoverInput
	had := map[string]bool{}
	for _, a := range members {
		var problem *argumentProblem
		switch a.name {
		case "handover":
			in.Handover, problem = a.text(store.MaxText)
		case "summary":
			in.Summary, problem = a.text(store.MaxText)
		default:
			problem = &argumentProblem{what: problemUnknown, name: a.name, want: meant(handoverNames(), a.name)}
		}
		if problem != nil {
			return in, problem
		}
		had[a.name] = true
	}
	for _, p := range []struct{ name, value string }{{"handover", in.Handover}, {"summary", in.Summary}} {
		if !had[p.name] {
			return in, &argumentProblem{what: problemMissing, name: p.name, want: "a string"}
		}
		if strings.TrimSpace(p.value) == "" {
			return in, &argumentProblem{what: problemEmpty, name: p.name}
		}
	}
	return in, nil
}

// decodeRead checks the members against the tool's parameters. Models that
// fill in every parameter write null, or "" for the id, for "not given".
func decodeRead(members []argument) (ReadInput, *argumentProblem) {
	var in ReadInput
	for _, a := range members {
		var problem *argumentProblem
		switch {
		case a.name != "id" && a.name != "full" && a.name != "page":
			problem = &argumentProblem{what: problemUnknown, name: a.name, want: meant(readNames(), a.name)}
		case string(a.raw) == "null":
		case a.name == "id":
			in.ID, problem = a.text(maxReference)
			in.ID = strings.TrimSpace(in.ID)
		case a.name == "full":
			if err := json.Unmarshal(a.raw, &in.Full); err != nil {
				problem = a.mistyped("true or false, without quotes")
			}
		default:
			in.Page, problem = a.page()
		}
		if problem != nil {
			return in, problem
		}
	}
	return in, nil
}

// text decodes a string of at most limit bytes.
func (a argument) text(limit int) (string, *argumentProblem) {
	var s string
	if a.raw[0] != '"' || json.Unmarshal(a.raw, &s) != nil {
		return "", a.mistyped("a string")
	}
	if len(s) > limit {
		return "", &argumentProblem{what: problemTooLarge, name: a.name, size: len(s), limit: limit}
	}
	return s, nil
}

// page decodes a page number. Hosts written in JavaScript may send 2 as 2.0.
func (a argument) page() (int, *argumentProblem) {
	f, err := strconv.ParseFloat(string(a.raw), 64)
	if err != nil || f != math.Trunc(f) {
		return 0, a.mistyped("an integer from 1, without quotes")
	}
	if f < 1 || f > 1<<30 {
		return 0, &argumentProblem{what: problemRange, name: a.name, want: "an integer from 1"}
	}
	return int(f), nil
}

func (a argument) mistyped(want string) *argumentProblem {
	return &argumentProblem{what: problemType, name: a.name, want: want, detail: a.kind()}
}

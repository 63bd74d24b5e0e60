package mcpserver

import (
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
		switch a.Name {
		case "handover":
			in.Handover, problem = a.text(store.MaxText)
		case "summary":
			in.Summary, problem = a.text(store.MaxText)
		default:
			problem = &argumentProblem{what: problemUnknown, name: a.Name, want: meant(handoverNames(), a.Name)}
		}
		if problem != nil {
			return in, problem
		}
		had[a.Name] = true
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
		case a.Name != "id" && a.Name != "full" && a.Name != "page":
			problem = &argumentProblem{what: problemUnknown, name: a.Name, want: meant(readNames(), a.Name)}
		case a.Kind == "null":
		case a.Name == "id":
			in.ID, problem = a.text(store.MaxReference)
			in.ID = strings.TrimSpace(in.ID)
		case a.Name == "full":
			if in.Full = a.Kind == "true"; !in.Full && a.Kind != "false" {
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

// text is a string of at most limit bytes.
func (a argument) text(limit int) (string, *argumentProblem) {
	if a.Kind != "string" {
		return "", a.mistyped("a string")
	}
	if len(a.Text) > limit {
		return "", &argumentProblem{what: problemTooLarge, name: a.Name, size: len(a.Text), limit: limit}
	}
	return a.Text, nil
}

// page decodes a page number. Hosts written in JavaScript may send 2 as 2.0.
func (a argument) page() (int, *argumentProblem) {
	f, err := strconv.ParseFloat(a.Text, 64)
	if a.Kind != "number" || err != nil || f != math.Trunc(f) {
		return 0, a.mistyped("an integer from 1, without quotes")
	}
	if f < 1 || f > 1<<30 {
		return 0, &argumentProblem{what: problemRange, name: a.Name, want: "an integer from 1"}
	}
	return int(f), nil
}

func (a argument) mistyped(want string) *argumentProblem {
	return &argumentProblem{what: problemType, name: a.Name, want: want, detail: a.kind()}
}

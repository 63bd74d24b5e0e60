package mcpserver

import (
	"strings"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
)

// refused is why a call is not carried out, for the model that made it.
type refused struct {
	cause  modeltext.Cause
	detail modeltext.Detail
}

// refused words what is wrong with the arguments of a tool.
func (p *argumentProblem) refused(tool hosts.Tool) *refused {
	part := p.name
	if part == "" {
		part = "arguments"
	}
	d := modeltext.Detail{Part: part}
	switch p.what {
	case problemText:
		d.What, d.Offset = p.detail, p.offset
		return &refused{modeltext.CauseText, d}
	case problemTooLarge:
		if tool == hosts.ToolRead {
			d.What = "it is too long to be an id"
			break
		}
		d.Size, d.Limit = int64(p.size), int64(p.limit)
		return &refused{modeltext.CauseTooLarge, d}
	case problemObject:
		d.What = "exactly one JSON object is wanted"
	case problemTwice:
		d.What = "it is given twice"
	case problemUnknown:
		d.What = "there is no such parameter; there are " + strings.Join(parameters(tool), ", ")
		if p.want != "" {
			d.What = "there is no such parameter; it is called " + p.want + " here"
		}
	case problemType:
		d.What = "it is " + p.detail + "; wanted is " + p.want
	case problemMissing:
		d.What = "it is missing; wanted is " + p.want
	case problemEmpty:
		d.What = "it is empty"
	case problemRange:
		d.What = "wanted is " + p.want
	}
	return &refused{modeltext.CauseArgument, d}
}

func parameters(tool hosts.Tool) []string {
	if tool == hosts.ToolRead {
		return []string{"id", "full", "page"}
	}
	return []string{"handover", "summary"}
}

package claude

import (
	"encoding/json"
	"io"

	"github.com/auto-context-handover/handover/hooks"
)

// Encode implements hooks.Host. Nothing to say is nothing at all on stdout.
//
// The answer is put together from pieces so that a replaced input reaches the
// host byte for byte, and written at once so that it arrives whole or not at all.
func (Host) Encode(w io.Writer, ev hooks.Event, r hooks.Reply) error {
	if r.Empty() {
		return nil
	}
	var specific object
	specific.text("hookEventName", ev.HostEvent)
	switch {
	case r.Deny != "":
		specific.text("permissionDecision", "deny")
		specific.text("permissionDecisionReason", r.Deny)
	case r.Allow:
		specific.text("permissionDecision", "allow")
	}
	specific.raw("updatedInput", r.Input)
	specific.text("additionalContext", r.Context)

	var answer object
	if r.Block != "" {
		answer.text("decision", "block")
		answer.text("reason", r.Block)
	}
	answer.text("systemMessage", r.Person)
	if r.Deny != "" || r.Allow || r.Input != nil || r.Context != "" {
		answer.raw("hookSpecificOutput", specific.bytes())
	}
	_, err := w.Write(answer.bytes())
	return err
}

// object is a JSON object that is being written; empty members are left out.
type object struct{ b []byte }

func (o *object) text(name, value string) {
	if value == "" {
		return
	}
	// A string always marshals.
	v, _ := json.Marshal(value)
	o.raw(name, v)
}

func (o *object) raw(name string, value []byte) {
	if value == nil {
		return
	}
	if o.b == nil {
		o.b = append(o.b, '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
	o.b = append(o.b, value...)
}

func (o *object) bytes() []byte {
	if o.b == nil {
		return []byte("{}")
	}
	return append(o.b[:len(o.b):len(o.b)], '}')
}

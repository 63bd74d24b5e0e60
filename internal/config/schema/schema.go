// Package schema makes the published schema of config.json from the types that
// config reads it into. It links invopop/jsonschema, so nothing that a hook
// imports may import it.
package schema

import (
	"encoding/json"
	"reflect"

	"github.com/invopop/jsonschema"

	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/hosts"
)

// JSON is the schema, inline and indented, with a line feed at its end.
func JSON() ([]byte, error) {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, Mapper: mapped}
	s := r.Reflect(&config.File{})
	s.Title = "handover config.json"
	s.Description = "Settings of handover. Every key may be left out. Precedence, for each setting: environment, plugin option, most specific override, top level, default."
	overrides := property(s, "overrides").Items
	match := property(overrides, "match")
	atLeast(2, overrides) // the match, and what it is for
	atLeast(1, match)
	for _, settings := range []*jsonschema.Schema{s, overrides} {
		atLeast(1, property(settings, "mode"))
		multiple := property(settings, "stages").Items
		multiple.Minimum, multiple.Maximum = "0.01", "10"
	}
	host := property(match, "host")
	for _, name := range hosts.Names() {
		host.Enum = append(host.Enum, name)
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// mapped is the schema of the types whose JSON is not their Go shape.
func mapped(t reflect.Type) *jsonschema.Schema {
	if t != reflect.TypeOf(config.Settable{}.Soft).Elem() {
		return nil
	}
	return &jsonschema.Schema{
		OneOf: []*jsonschema.Schema{
			{Type: "integer", Minimum: "1", Maximum: "1000000000"},
			{Type: "string", Pattern: `^(auto|[1-9][0-9]{0,8}|1000000000|([1-9][0-9]?|100)%)$`},
		},
	}
}

// property is the schema of an object's member.
func property(of *jsonschema.Schema, name string) *jsonschema.Schema {
	p, _ := of.Properties.Get(name)
	return p
}

// atLeast asks for a number of members.
func atLeast(n uint64, of *jsonschema.Schema) { of.MinProperties = &n }

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
	"github.com/auto-context-handover/handover/measure"
)

// JSON is the schema, inline and indented, with a line feed at its end.
func JSON() ([]byte, error) {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, Mapper: mapped}
	s := r.Reflect(&config.File{})
	s.Title = "handover config.json"
	s.Description = "Settings of handover. Every key may be left out. Precedence, for each setting: environment, plugin option, most specific override, top level, default."
	overrides := property(s, "overrides").Items
	two := uint64(2)
	overrides.MinProperties = &two // the match, and what it is for
	for _, at := range []*jsonschema.Schema{s, overrides} {
		stage := property(at, "stages").Items
		stage.Minimum, stage.Maximum = "0.01", "10"
	}
	host := property(property(overrides, "match"), "host")
	for _, h := range hosts.All() {
		host.Enum = append(host.Enum, h.Name)
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// mapped is the schema of the types whose JSON is not their Go shape.
func mapped(t reflect.Type) *jsonschema.Schema {
	if t != reflect.TypeFor[measure.Soft]() {
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

package mcpserver

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
)

func updating(t *testing.T) bool {
	t.Helper()
	return flag.Lookup("update").Value.String() == "true"
}

// TestMain declares -update, which rewrites the golden files.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "rewrite the golden files")
	flag.Parse()
	os.Exit(m.Run())
}

// golden compares got with the file, or writes it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if updating(t) {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// TestSchemas: the pinned schemas are those of the Go structs, with the
// descriptions of modeltext, which are the same for every host.
func TestSchemas(t *testing.T) {
	for _, tool := range []struct {
		name  hosts.Tool
		input any
	}{{hosts.ToolHandover, &HandoverInput{}}, {hosts.ToolRead, &ReadInput{}}} {
		for _, host := range hosts.All() {
			reflector := jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: true}
			schema := reflector.Reflect(tool.input)
			schema.Version = ""
			for pair := schema.Properties.Oldest(); pair != nil; pair = pair.Next() {
				pair.Value.Description = modeltext.For(host).ArgumentDescription(tool.name, pair.Key)
				if pair.Value.Description == "" {
					t.Errorf("%s: no description of %s", tool.name, pair.Key)
				}
			}
			var text bytes.Buffer
			enc := json.NewEncoder(&text)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			if err := enc.Encode(schema); err != nil {
				t.Fatal(err)
			}
			golden(t, "schema/"+string(tool.name)+".json", text.Bytes())
		}
	}
}

// TestSchemasAreSimple: what some hosts' providers refuse, or what would show
// the reserved key, is not in a schema.
func TestSchemasAreSimple(t *testing.T) {
	for _, schema := range [][]byte{handoverSchema, readSchema} {
		var s struct {
			Type       string
			Properties map[string]struct{ Type any }
			Rest       map[string]any `json:"-"`
		}
		if err := json.Unmarshal(schema, &s); err != nil {
			t.Fatal(err)
		}
		if s.Type != "object" || len(s.Properties) == 0 {
			t.Errorf("%s: root type %q", schema, s.Type)
		}
		for name, p := range s.Properties {
			if p.Type != "string" && p.Type != "boolean" && p.Type != "integer" {
				t.Errorf("%s has type %v", name, p.Type)
			}
		}
		for _, word := range []string{hosts.ReservedKey, "additionalProperties", "$schema", "$ref", "null", "anyOf", "oneOf"} {
			if strings.Contains(string(schema), `"`+word+`"`) {
				t.Errorf("a schema holds %q", word)
			}
		}
	}
}

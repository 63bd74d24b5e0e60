package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/auto-context-handover/handover/store"
)

var update = flag.Bool("update", false, "write the published schemas")

// TestSchemas: the published schemas of the record and of every --json output
// are those of the types that are written. What is joined later stands under
// "joined" in the output of show, never in the record.
func TestSchemas(t *testing.T) {
	for name, s := range map[string]struct {
		title string
		of    any
	}{
		"record":  {"handover: line 1 of a handover file", store.Header{}},
		"list":    {"handover list --json", listing{}},
		"show":    {"handover show --json", shown{}},
		"measure": {"handover measure --json", measured{}},
		"doctor":  {"handover doctor --json", diagnosis{}},
	} {
		r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: true}
		schema := r.Reflect(s.of)
		schema.Title = s.title
		got, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		file := filepath.Join("..", "..", "docs", "schema", name+".schema.json")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not what the types give; run go test ./cmd/handover -update\n%s", file, diff)
		}
	}
}

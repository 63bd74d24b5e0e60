package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/internal/config/schema"
)

var update = flag.Bool("update", false, "write the golden file")

const golden = "../../../docs/schema/config.schema.json"

func TestPublishedSchemaIsCurrent(t *testing.T) {
	got, err := schema.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll("../../../docs/schema", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/schema/config.schema.json is not what the types give; run go test ./internal/config/schema -update\n%s", diff)
	}
}

func TestRootIsAnInlineClosedObject(t *testing.T) {
	got, err := schema.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(got, []byte(`"$ref"`)) {
		t.Error("the schema has a $ref")
	}
	var root struct {
		Type       string
		Additional any `json:"additionalProperties"`
		Properties map[string]any
		Required   []string
	}
	if err := json.Unmarshal(got, &root); err != nil {
		t.Fatal(err)
	}
	if root.Type != "object" || root.Additional != false || root.Required != nil {
		t.Errorf("root: %+v", root)
	}
	for _, key := range []string{"enabled", "soft", "stages", "mode", "window", "overrides"} {
		if root.Properties[key] == nil {
			t.Errorf("no property %q", key)
		}
	}
}

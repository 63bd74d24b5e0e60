package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/config/schema"
)

// TestSchemaAndReaderAgree holds the published schema against what is really
// read. The reader alone knows that stages ascend and that a project is an
// absolute path.
func TestSchemaAndReaderAgree(t *testing.T) {
	text, err := schema.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	published, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{`{}`, true},
		{`{"$schema": "x"}`, true},
		{`[]`, false},
		{`null`, false},
		{`{"sotf": 1}`, false},
		{`{"enabled": false}`, true},
		{`{"enabled": "false"}`, false},
		{`{"enabled": null}`, false},
		{`{"soft": "auto"}`, true},
		{`{"soft": "Auto"}`, false},
		{`{"soft": ""}`, false},
		{`{"soft": 150000}`, true},
		{`{"soft": "150000"}`, true},
		{`{"soft": 0}`, false},
		{`{"soft": 1.5}`, false},
		{`{"soft": 1000000000}`, true},
		{`{"soft": 1000000001}`, false},
		{`{"soft": "1000000000"}`, true},
		{`{"soft": "1000000001"}`, false},
		{`{"soft": "1%"}`, true},
		{`{"soft": "100%"}`, true},
		{`{"soft": "101%"}`, false},
		{`{"soft": "0%"}`, false},
		{`{"soft": "06%"}`, false},
		{`{"stages": [1, 1.1, 1.2]}`, true},
		{`{"stages": [0.01]}`, true},
		{`{"stages": [10]}`, true},
		{`{"stages": [10.1]}`, false},
		{`{"stages": []}`, false},
		{`{"stages": [1, 2, 3, 4]}`, false},
		{`{"stages": ["1"]}`, false},
		{`{"mode": {"main": "rollover"}}`, true},
		{`{"mode": {"subagent": "rollover"}}`, false},
		{`{"mode": {"main": "on"}}`, false},
		{`{"mode": {}}`, false},
		{`{"mode": "off"}`, false},
		{`{"mode": {"root": "off"}}`, false},
		{`{"window": 1}`, true},
		{`{"window": 0}`, false},
		{`{"window": "1"}`, false},
		{`{"overrides": []}`, true},
		{`{"overrides": {}}`, false},
		{`{"overrides": [{"soft": 1}]}`, false},
		{`{"overrides": [{"match": {}, "soft": 1}]}`, false},
		{`{"overrides": [{"match": {"role": "main"}}]}`, false},
		{`{"overrides": [{"match": {"role": "main"}, "soft": 1}]}`, true},
		{`{"overrides": [{"match": {"role": "child"}, "soft": 1}]}`, false},
		{`{"overrides": [{"match": {"host": "claude"}, "enabled": false}]}`, true},
		{`{"overrides": [{"match": {"host": "cluade"}, "enabled": false}]}`, false},
		{`{"overrides": [{"match": {"model": ""}, "enabled": false}]}`, false},
		{`{"overrides": [{"match": {"project": "/p", "agent": "x"}, "stages": [2]}]}`, true},
		{`{"overrides": [{"match": {"role": "main"}, "soft": "x"}]}`, false},
		{`{"overrides": [{"match": {"role": "main"}, "overrides": []}]}`, false},
	} {
		var instance any
		if err := json.Unmarshal([]byte(c.text), &instance); err != nil {
			t.Fatal(err)
		}
		_, read := config.Parse("config.json", []byte(c.text))
		valid := published.Validate(instance)
		if (read == nil) != c.ok || (valid == nil) != c.ok {
			t.Errorf("%s: want ok %v\nreader: %v\nschema: %v", c.text, c.ok, read, valid)
		}
	}
}

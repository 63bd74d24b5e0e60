package config_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/datadir"
)

func TestProblemsNameTheKeyAndTheValue(t *testing.T) {
	for text, want := range map[string]string{
		``:                                   "line 1: the file ends too early",
		" \n":                                "line 2: the file ends too early",
		"{\"soft\": 1,\n\"mode\": {":         "line 2: the file ends too early",
		"{\"soft\": 40000":                   "line 1: the file ends too early",
		"{\"stages\": [1,\n":                 "line 2: the file ends too early",
		"{\"soft\": \"au":                    "line 1: the file ends too early",
		"{\n\"soft\": 1,\n}":                 "line 3: ",
		"{\"soft\": 1} x":                    "line 1: ",
		`{"soft": 1}{}`:                      "text after the end",
		`{"soft": 1, "soft": 2}`:             `the key "soft" occurs twice`,
		`{"soft": 1 "enabled": true}`:        "line 1: ",
		"\xef\xbb\xbf{}":                     "line 1: invalid character",
		"{\"soft\": \"\xff\"}":               "not valid UTF-8",
		strings.Repeat(`{"soft":`, 40):       "nested too deeply",
		strings.Repeat(`[`, 1<<18):           "nested too deeply",
		`null`:                               "the file: holds null, want an object",
		`[]`:                                 "the file: holds a list, want an object",
		`"auto"`:                             "the file: holds a string",
		`{"sotf": "auto"}`:                   `sotf: unknown key; did you mean "soft"?`,
		`{"Soft": "auto"}`:                   `Soft: unknown key; did you mean "soft"?`,
		`{"override": []}`:                   `override: unknown key; did you mean "overrides"?`,
		`{"windows": 1}`:                     `windows: unknown key; did you mean "window"?`,
		`{"colour": 1}`:                      "colour: unknown key; known are enabled, soft, stages, mode, window, overrides",
		`{"": 1}`:                            ": unknown key; known are",
		`{"mode.main": "off"}`:               `mode.main: unknown key; write "mode": {"main": …}`,
		`{"enabled": "false"}`:               "enabled: is a string, want true or false",
		`{"enabled": 0}`:                     "enabled: is a number, want true or false",
		`{"enabled": null}`:                  "enabled: is null",
		`{"soft": null}`:                     `soft: is null, want "auto"`,
		`{"soft": true}`:                     "soft: is a boolean",
		`{"soft": ""}`:                       "soft: empty",
		`{"soft": "60"}`:                     "",
		`{"soft": 60.5}`:                     `soft: "60.5" is not`,
		`{"soft": 1e5}`:                      `soft: "1e5" is not`,
		`{"soft": -1}`:                       `soft: "-1" is not`,
		`{"soft": 0}`:                        `soft: "0" is not a number of tokens between 1`,
		`{"soft": "0%"}`:                     `soft: "0%" is not between 1% and 100%`,
		`{"stages": 1.1}`:                    "stages: is a number, want a list",
		`{"stages": []}`:                     "stages: has 0 entries",
		`{"stages": [1,2,3,4]}`:              "stages: has 4 entries",
		`{"stages": [1,"2"]}`:                "stages[1]: is a string, want a number",
		`{"stages": [1,1]}`:                  "stages[1]: 1 is not above the stage before it",
		`{"stages": [2,1.5]}`:                "stages[1]: 1.5 is not above",
		`{"stages": [0]}`:                    "stages[0]: 0 is not a multiple",
		`{"stages": [1e999]}`:                "stages[0]: 1e999 is not a multiple",
		`{"mode": "off"}`:                    `mode: is a string, want an object with "main" or "subagent"`,
		`{"mode": {}}`:                       "mode: is empty",
		`{"mode": {"main": ""}}`:             `mode.main: "" is not one of off, manual, advise, rollover`,
		`{"mode": {"root": "off"}}`:          "mode.root: unknown key; known are main, subagent",
		`{"mode": {"subagent": "rollover"}}`: `mode.subagent: "rollover" is not one of off, manual, advise`,
		`{"window": "200000"}`:               "window: is a string, want a number of tokens",
		`{"window": 0}`:                      "window: 0 is not a whole number",
		`{"window": 2.5}`:                    "window: 2.5 is not a whole number",
		`{"overrides": {}}`:                  "overrides: is an object, want a list",
		`{"overrides": [1]}`:                 "overrides[0]: is a number, want an object",
		`{"overrides": [{"soft": 1}]}`:       `overrides[0]: has no "match"`,
		`{"overrides": [{"match": {}, "soft": 1}]}`:                                                "overrides[0].match: is empty",
		`{"overrides": [{"match": {"role": "main"}}]}`:                                             "overrides[0]: sets nothing",
		`{"overrides": [{"match": "claude", "soft": 1}]}`:                                          "overrides[0].match: is a string",
		`{"overrides": [{"match": {"host": "cluade"}, "soft": 1}]}`:                                `overrides[0].match.host: "cluade" is not one of claude`,
		`{"overrides": [{"match": {"role": "child"}, "soft": 1}]}`:                                 `overrides[0].match.role: "child" is not one of main, subagent`,
		`{"overrides": [{"match": {"model": ""}, "soft": 1}]}`:                                     "overrides[0].match.model: is empty",
		`{"overrides": [{"match": {"agnet": "x"}, "soft": 1}]}`:                                    `overrides[0].match.agnet: unknown key; did you mean "agent"?`,
		`{"overrides": [{"match": {"project": "~/p"}, "soft": 1}]}`:                                `overrides[0].match.project: "~/p" is not an absolute path`,
		`{"overrides": [{"match": {"role": "main"}, "sfot": 1}]}`:                                  `overrides[0].sfot: unknown key; did you mean "soft"?`,
		`{"overrides": [{"match": {"role": "main"}, "overrides": []}]}`:                            "overrides[0].overrides: unknown key",
		`{"overrides": [{"match":{"role":"main"},"soft":1},{"match":{"role":"main"},"soft":"x"}]}`: `overrides[1].soft: "x" is not`,
	} {
		_, err := config.Parse("/c/config.json", []byte(text))
		if want == "" {
			if err != nil {
				t.Errorf("%.80q: %v", text, err)
			}
			continue
		}
		var invalid *config.InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%.80q: %v, want an InvalidError", text, err)
			continue
		}
		if len(invalid.Problems) != 1 || !strings.HasPrefix(invalid.Error(), "/c/config.json: ") || !strings.Contains(invalid.Problems[0], want) {
			t.Errorf("%.80q:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestEveryProblemIsNamed(t *testing.T) {
	_, err := config.Parse("c", []byte(`{"sotf": 1, "enabled": 1, "overrides": [{"match": {"host": "x", "role": 1}}]}`))
	var invalid *config.InvalidError
	if !errors.As(err, &invalid) || len(invalid.Problems) != 5 {
		t.Errorf("%v", err)
	}
}

func TestAFileIsReadAsItWasWritten(t *testing.T) {
	const text = `{
  "$schema": "https://example.com/config.schema.json",
  "enabled": true,
  "soft": "60%",
  "stages": [1, 1.25, 1.5],
  "mode": {"main": "rollover", "subagent": "off"},
  "window": 258000,
  "overrides": [
    {"match": {"host": "claude", "role": "subagent", "model": "claude-opus-5-5", "agent": "Explore", "project": "/w/p"}, "soft": 120000},
    {"match": {"agent": "Plan"}, "enabled": false, "soft": "auto", "stages": [2], "mode": {"main": "manual"}, "window": 1}
  ]
}`
	f, err := config.Parse("c", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	if f, err := config.Load(filepath.Join(dir, "none", "config.json")); f != nil || err != nil {
		t.Errorf("missing: %v, %v", f, err)
	}
	if _, err := config.Load(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, []byte(`{"soft":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := config.Load(file); err != nil || f.Soft.String() != "1" {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := config.Load(filepath.Join(file, "config.json")); err == nil {
		t.Error("a file where a folder belongs is no error")
	}
	if os.Getuid() != 0 {
		if err := os.Chmod(file, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(file); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), file) {
			t.Errorf("unreadable: %v", err)
		}
	}
	large := filepath.Join(dir, "large.json")
	if err := os.WriteFile(large, []byte(strings.Repeat(" ", 1<<20)+"{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(large); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("large: %v", err)
	}
	loop := filepath.Join(dir, "loop.json")
	if err := os.Symlink("loop.json", loop); err == nil {
		if _, err := config.Load(loop); err == nil {
			t.Error("a loop of links is no error")
		}
	}
}

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "my.json")
	named := datadir.Env{ConfigFile: file, ConfigFileSet: true}
	if _, err := config.Locate(named, "linux"); err == nil || !strings.Contains(err.Error(), datadir.ConfigVariable) || !strings.Contains(err.Error(), file) {
		t.Errorf("a named file that does not exist: %v", err)
	}
	if err := os.WriteFile(file, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := config.Locate(named, "linux"); err != nil || got != file {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := config.Locate(datadir.Env{Home: dir}, "linux"); err != nil || got != filepath.Join(dir, ".config/handover/config.json") {
		t.Errorf("%q, %v", got, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"soft":"60%","stages":[1,2],"mode":{"main":"off"},"overrides":[{"match":{"agent":"x"},"window":5}]}`)
	f.Add(`{"soft":1,"soft":2}`)
	f.Add(`[[[[`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := config.Parse("c", []byte(text))
		if (got == nil) != (err != nil) {
			t.Fatalf("%v, %v", got, err)
		}
		if err != nil {
			return
		}
		// What is understood is plain JSON, and means the same written again.
		if !json.Valid([]byte(text)) {
			t.Fatal("no JSON, yet understood")
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		second, err := config.Parse("c", again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		third, _ := json.Marshal(second)
		if string(again) != string(third) {
			t.Fatalf("%s became %s", again, third)
		}
	})
}

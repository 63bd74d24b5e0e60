package adaptertest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/hosts"
)

// Suite is one adapter to be tested.
type Suite struct {
	Row  hosts.Host
	Host hooks.Host
	// Dir holds the samples.
	Dir string
	// Environ is what the host sets for a hook.
	Environ map[string]string
	// Identity are the top-level members that say who an event is about. A
	// sample in which one of them stands twice means nothing.
	Identity []string
	// Text returns what a model or person would see of an answer.
	Text func(answer []byte) (hooks.Reply, error)
}

// Env is the hook's environment in the tests.
func (s Suite) Env() hooks.Env {
	return hooks.Env{Version: "test", Lookup: func(name string) (string, bool) {
		v, ok := s.Environ[name]
		return v, ok
	}}
}

// Run runs the suite.
func Run(t *testing.T, s Suite, update bool) {
	samples := s.samples(t)
	t.Run("samples", func(t *testing.T) { s.goldens(t, samples, update) })
	t.Run("reordered", func(t *testing.T) { s.reordered(t, samples) })
	t.Run("padded", func(t *testing.T) { s.padded(t, samples) })
	t.Run("cut", func(t *testing.T) { s.cut(t, samples) })
	t.Run("doubled", func(t *testing.T) { s.doubled(t, samples) })
	t.Run("large", func(t *testing.T) { s.large(t, samples) })
	t.Run("answers", func(t *testing.T) { s.answers(t, samples) })
}

type sample struct {
	name string
	raw  []byte
	want hooks.Event
}

func (s Suite) samples(t *testing.T) []sample {
	t.Helper()
	files := s.eventFiles()
	if len(files) == 0 {
		t.Fatalf("no samples in %s/events", s.Dir)
	}
	var all []sample
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		ev, err := s.Host.Decode(bytes.NewReader(raw), s.Env())
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		all = append(all, sample{strings.TrimSuffix(filepath.Base(f), ".json"), raw, ev})
	}
	return all
}

func (s Suite) eventFiles() []string {
	// The pattern is well formed, which is all that Glob can complain about.
	files, _ := filepath.Glob(filepath.Join(s.Dir, "events", "*.json"))
	return files
}

// goldens: every sample means what its golden file says.
func (s Suite) goldens(t *testing.T, samples []sample, update bool) {
	for _, c := range samples {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.MarshalIndent(c.want, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(s.Dir, "events", c.name+".want")
			if update {
				if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
				t.Errorf("the event means something else (-want +got):\n%s", diff)
			}
		})
	}
}

package adaptertest

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Fuzz holds for any input: no panic, the same meaning however it is cut, and
// an actor only where a JSON parser reads the same one.
func Fuzz(f *testing.F, s Suite) {
	for _, c := range s.fuzzSamples(f) {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		ev, err := s.Host.Decode(bytes.NewReader(raw), s.Env())
		again, err2 := s.Host.Decode(iotest.HalfReader(bytes.NewReader(raw)), s.Env())
		if (err == nil) != (err2 == nil) {
			t.Fatalf("whole: %v; in pieces: %v", err, err2)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(ev, again); diff != "" {
			t.Fatalf("in pieces it means something else:\n%s", diff)
		}
		var reference map[string]json.RawMessage
		if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), &reference); err != nil {
			t.Fatalf("taken for %+v, but it is no JSON object: %v", ev, err)
		}
		if ev.Actor.Session == "" {
			return
		}
		found := false
		for _, v := range reference {
			var text string
			if json.Unmarshal(v, &text) == nil && text == ev.Actor.Session {
				found = true
			}
		}
		if !found {
			t.Fatalf("session %q stands nowhere in %q", ev.Actor.Session, raw)
		}
	})
}

func (s Suite) fuzzSamples(f *testing.F) [][]byte {
	var all [][]byte
	for _, name := range s.eventFiles() {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, raw)
	}
	return all
}

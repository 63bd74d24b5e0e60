package adaptertest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/hooks"
)

// hostile is text that must reach a host unharmed.
const hostile = "line one\r\nline \"two\"\t\\ \u2028 </script> & \U0001F600 \x7f end"

// answers: nothing to say is the neutral answer, and whatever we say arrives
// as it was said, in one write.
func (s Suite) answers(t *testing.T, samples []sample) {
	for _, c := range samples {
		var w writes
		if err := s.Host.Encode(&w, c.want, hooks.Reply{}); err != nil {
			t.Fatalf("%s: neutral answer: %v", c.name, err)
		}
		back, err := s.Text(w.Bytes())
		if err != nil || !back.Empty() {
			t.Errorf("%s: the neutral answer %q says %+v, %v", c.name, w.Bytes(), back, err)
		}
		for _, r := range s.replies(c.want) {
			var w writes
			if err := s.Host.Encode(&w, c.want, r); err != nil {
				t.Errorf("%s: %+v: %v", c.name, r, err)
				continue
			}
			back, err := s.Text(w.Bytes())
			if err != nil {
				t.Errorf("%s: %+v gives %q: %v", c.name, r, w.Bytes(), err)
				continue
			}
			if diff := cmp.Diff(r, back); diff != "" {
				t.Errorf("%s: the host reads something else:\n%s", c.name, diff)
			}
			if w.n != 1 {
				t.Errorf("%s: an answer in %d writes can arrive in part", c.name, w.n)
			}
			if err := s.Host.Encode(broken{}, c.want, r); !errors.Is(err, errPipe) {
				t.Errorf("%s: a broken pipe gives %v", c.name, err)
			}
		}
	}
}

// replies are the answers that make sense for an event.
func (s Suite) replies(ev hooks.Event) []hooks.Reply {
	switch ev.Name {
	case hooks.SessionStart, hooks.AgentStart, hooks.BatchEnd:
		return []hooks.Reply{{Context: hostile}}
	case hooks.ToolStart:
		return []hooks.Reply{{Allow: true}, {Deny: hostile}, {Input: []byte("{\"a\" : 1.0e2,\t\"b\":\"<\\u2028>\"}")}}
	case hooks.ToolEnd:
		return []hooks.Reply{{Person: hostile}}
	case hooks.AgentStop:
		return []hooks.Reply{{Block: hostile}}
	}
	return nil
}

type writes struct {
	bytes.Buffer
	n int
}

func (w *writes) Write(b []byte) (int, error) { w.n++; return w.Buffer.Write(b) }

var errPipe = errors.New("broken pipe")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errPipe }

//go:build e2e

package claude

import "testing"

// TestOneIDForTwo: a provider gives the calls of two subagents one id.
func TestOneIDForTwo(t *testing.T) {
	t.Parallel()
	t.Run("different texts", func(t *testing.T) {
		t.Parallel()
		s := pair("the words of A", "the words of B")
		s.ids = [2]string{"call_0", "call_0"}
		s.tell(t)
		shown.Show(t, "e", "Two subagents' calls with one id and different texts are each bound to their own agent.")
	})
	t.Run("the same text", func(t *testing.T) {
		t.Parallel()
		s := pair("the words of both", "the words of both")
		s.ids = [2]string{"call_0", "call_0"}
		s.refused = []string{"several-agents"}
		if refusals := s.tell(t); !t.Failed() && refusals["several-agents"] == 0 {
			t.Error("no call was refused, though one id and one text were two agents'")
		}
		shown.Show(t, "e", "With one id and the same text it cannot be told whose a call is: refused as `several-agents`; called again, each is stored under its own agent.")
	})
	t.Run("the same text and no id at the server", func(t *testing.T) {
		t.Parallel()
		s := pair("the words of both", "the words of both")
		s.ids = [2]string{"call_0", "call_0"}
		s.lost = true
		s.refused = []string{"no-call-id"}
		s.tell(t)
		shown.Show(t, "e", "Where no id reaches the server, the hidden argument tells two subagents with the same text apart.")
	})
}

package modeltext

import (
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/auto-context-handover/handover/internal/hosts"
)

func FuzzSections(f *testing.F) {
	f.Add(sampleHandover)
	f.Add("```\n## Prioritized next steps\n~~~\n```\n1. a")
	f.Add("**Questions:** x\n---\n1. 2. (3)\nStep 4:\n===\n")
	f.Add("Prioritized next steps\n======\n- [ ] 1. a\n\t2. b")
	f.Fuzz(func(t *testing.T, text string) {
		total := 0
		count := 0
		for _, s := range Sections(text) {
			total += len(s.Body)
			if s.Level < 0 || s.Level > 6 || strings.Contains(s.Title, "\n") {
				t.Fatalf("section %+v", s)
			}
			if plainTitle(s.Title) == plainTitle(titleNextSteps) {
				count++
			}
		}
		if total > 7*len(text) {
			t.Fatalf("%d bytes of sections in %d bytes", total, len(text))
		}
		steps, n, ok := NextSteps(text)
		if ok != (count == 1) {
			t.Fatalf("found is %v with %d candidates", ok, count)
		}
		if n < -1 || n > len(text) || len(steps) > len(text) {
			t.Fatalf("%d steps, %q", n, steps)
		}
		if pending, ok := PendingDecisions(text, text); !ok && pending != "" || len(pending) > len(text) {
			t.Fatalf("%q, %v", pending, ok)
		}
		v := For(hosts.Claude())
		view := v.Compact(CompactInput{Record: sampleRecord(), Mark: sampleMark, Handover: text, Summary: text})
		if !strings.Contains(text, sampleMark) && strings.Count(view, "<<<"+sampleMark) != strings.Count(view, "\n"+sampleMark+">>>\n") {
			t.Fatalf("frames:\n%s", view)
		}
		if len(view) > 8000 || !strings.HasSuffix(view, v.SuccessorPrompt(sampleID)+"\n") {
			t.Fatalf("%d bytes:\n%s", len(view), view)
		}
	})
}

func FuzzMarker(f *testing.F) {
	f.Add("[handover:continue " + sampleID + "] x")
	f.Add(" [HANDOVER:x")
	f.Fuzz(func(t *testing.T, prompt string) {
		id, m := ParseMarker(prompt)
		if (m == MarkerContinues) != validID(id) {
			t.Fatalf("%q, %v", id, m)
		}
		start := strings.TrimLeftFunc(prompt, unicode.IsSpace)
		if has := len(start) >= len(reserved) && strings.EqualFold(start[:len(reserved)], reserved); has != (m != MarkerNone) {
			t.Fatalf("%v for %q", m, prompt)
		}
		if Own(prompt) && m == MarkerContinues {
			t.Fatalf("both our own and a marker: %q", prompt)
		}
	})
}

func FuzzOwn(f *testing.F) {
	f.Add("[handover:notice 1] x")
	f.Add("<system-reminder>a hook error: [handover:closed]")
	f.Fuzz(func(t *testing.T, text string) {
		if Own(text) && !strings.Contains(text, reserved) {
			t.Fatal(text)
		}
	})
}

func FuzzQuote(f *testing.F) {
	f.Add("a`b\n\u202e", 20)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 8 || limit > 1000 {
			return
		}
		q := quote(s, limit)
		if len(q) > limit || strings.ContainsAny(q, "\n`") {
			t.Fatalf("%q", q)
		}
	})
}

// linear fails where work on 16n bytes takes far more than 16 times as long as
// on n; quadratic work takes 256 times. Others use the machine, so that it is
// tried again before it counts.
func linear(t *testing.T, name string, n int, work func(n int)) {
	t.Helper()
	timed := func(n int) time.Duration {
		start := time.Now()
		work(n)
		return max(time.Since(start), time.Millisecond) // less is noise
	}
	var small, large time.Duration
	for range 3 {
		if small, large = timed(n), timed(16*n); large < 64*small {
			return
		}
	}
	t.Errorf("%s: %v for %d bytes, %v for %d", name, small, n, large, 16*n)
}

// TestLarge: a handover of up to the largest size is taken apart in a time that grows as it does,
// whatever it is made of.
func TestLarge(t *testing.T) {
	for _, piece := range []string{"\n", "a\n", "# a\n", "# a\n## b\n### c\n#### d\n", "Questions\n", "1. a\n", "```\n", "User decisions pending:", "**", "Decisions: ", "(", "Step "} {
		linear(t, strconv.Quote(piece), 1<<16, func(n int) {
			text := strings.Repeat(piece, n/len(piece))
			NextSteps(text)
			NextSteps("## " + titleNextSteps + "\n" + text)
			PendingDecisions(text, text)
		})
	}
}

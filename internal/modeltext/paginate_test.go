package modeltext

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/internal/hosts"
)

func FuzzPaginate(f *testing.F) {
	f.Add("task", "handover ä€😀", 3)
	f.Add("", "", 1)
	f.Add("😀😀", "x", 1)
	f.Fuzz(func(t *testing.T, task, text string, limit int) {
		if !utf8.ValidString(task) || !utf8.ValidString(text) || limit > 1<<20 || len(task)+len(text) > 2000 {
			return
		}
		for _, unit := range []hosts.Unit{hosts.Bytes, hosts.Characters, hosts.UTF16} {
			joined := map[string]string{}
			for _, page := range Paginate([]Part{{Name: "task", Text: task}, {Name: "handover", Text: text}}, limit, unit) {
				size, runes := 0, 0
				for _, s := range page {
					if int64(len(joined[s.Part])) != s.From || s.To != s.From+int64(len(s.Text)) || !utf8.ValidString(s.Text) {
						t.Fatalf("segment %+v after %d bytes", s, len(joined[s.Part]))
					}
					joined[s.Part] += s.Text
					for _, r := range s.Text {
						size += units(r, utf8.RuneLen(r), unit)
						runes++
					}
				}
				if size > max(limit, 1) && runes > 1 || len(page) == 0 {
					t.Fatalf("a page of %d %s, at most %d", size, unit, limit)
				}
			}
			if joined["task"] != task || joined["handover"] != text {
				t.Fatalf("%q, %q came back as %q", task, text, joined)
			}
		}
	})
}

func TestPaginate(t *testing.T) {
	pages := Paginate([]Part{{Name: "task", SHA256: "t", Text: "abc"}, {Name: "handover", SHA256: "h", Text: strings.Repeat("x", 10)}}, 5, hosts.Bytes)
	if len(pages) != 3 || len(pages[0]) != 2 || pages[0][1].To != 2 || pages[2][0].From != 7 || pages[2][0].Total != 10 || pages[0][0].SHA256 != "t" {
		t.Errorf("%+v", pages)
	}
	if pages := Paginate([]Part{{Name: "handover"}}, 5, hosts.Bytes); len(pages) != 1 || len(pages[0]) != 1 {
		t.Errorf("an empty part: %+v", pages)
	}
}

// TestPaginateLarge: the smallest pages of the largest text are cut in a time
// that grows as the text does.
func TestPaginateLarge(t *testing.T) {
	linear(t, "pages of a byte", 1<<16, func(n int) {
		if pages := Paginate([]Part{{Name: "handover", Text: strings.Repeat("x", n)}}, 1, hosts.Bytes); len(pages) != n {
			t.Errorf("%d pages of %d bytes", len(pages), n)
		}
	})
}

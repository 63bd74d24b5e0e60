package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/rehearse"
)

func points() []Point {
	return []Point{{"a", "a. First"}, {"b", "b. Second"}, {"c", "c. Nothing yet"}}
}

func TestPage(t *testing.T) {
	p := New("Title", "", points())
	t.Run("Z", func(t *testing.T) { p.Show(t, "b", "Last.") })
	t.Run("Y", func(t *testing.T) {
		p.Show(t, "b", "One.")
		p.Show(t, "b", "Two.")
		p.Show(t, "a", "Three.")
	})
	p.note("b", "TestPage/Y", "One.")
	rehearse.Run(t, func(tb testing.TB) {
		p.Show(tb, "a", "Not shown.")
		tb.Error("failed")
	})
	_, got, _ := strings.Cut(p.String(), preface)
	want := "\n\n## a. First\n\n* `TestPage/Y`: Three.\n\n## b. Second\n\n* `TestPage/Y`: One. Two.\n* `TestPage/Z`: Last.\n"
	if got != want {
		t.Errorf("page:\n%s\nwant:\n%s", got, want)
	}
}

func TestPointThatIsNone(t *testing.T) {
	p := New("Title", "", points())
	if failures := rehearse.Run(t, func(tb testing.TB) { p.Show(tb, "x", "Something.") }); len(failures) != 1 {
		t.Errorf("failures %q", failures)
	}
}

func TestSettle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs", "page.md")
	p := New("Title", path, points())
	p.note("a", "TestA", "Shown.")
	if err := p.settle(false); err == nil || !strings.Contains(err.Error(), "+* `TestA`: Shown.") {
		t.Errorf("a missing page: %v", err)
	}
	if err := p.settle(true); err != nil {
		t.Fatal(err)
	}
	if err := p.settle(false); err != nil {
		t.Errorf("the page just written: %v", err)
	}
	p.note("a", "TestB", "Shown too.")
	if err := p.settle(false); err == nil || !strings.Contains(err.Error(), "+* `TestB`: Shown too.") {
		t.Errorf("a page that is out of date: %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "TestB") {
		t.Errorf("comparing changed the page: %v", err)
	}
}

// Package evidence writes the page that says what the stories on one host have
// shown. A story notes it in plain sentences and names its witnesses: what the
// model was sent, and the bytes in the store. The page is written only from
// stories that passed, holds no times and no random values, and comes out the
// same however the stories were scheduled.
//
// The TestMain of a package with stories wraps its M:
//
//	var page = evidence.New("Claude Code", "../../docs/evidence/claude.md", points)
//
//	func TestMain(m *testing.M) { os.Exit(hostrun.Main(page.Of(m))) }
//
// After the whole suite has passed the page must be what the file says, else the
// run fails; with HANDOVER_E2E_EVIDENCE=write the file is written instead. A run
// of some of the stories does neither.
package evidence

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Point is one part of what has to be shown.
type Point struct {
	Key   string // as stories name it
	Title string
}

// Page collects what stories have shown.
type Page struct {
	title  string
	path   string
	points []Point

	mu    sync.Mutex
	shown map[string]map[string][]string // point, story: sentences in their order
}

// New returns an empty page with a title for the file at path. The points come
// in this order.
func New(title, path string, points []Point) *Page {
	return &Page{title: title, path: path, points: points, shown: map[string]map[string][]string{}}
}

// Show notes what a story has shown under a point. It counts when the story has
// ended without a failure.
func (p *Page) Show(tb testing.TB, point, sentence string) {
	tb.Helper()
	if !slices.ContainsFunc(p.points, func(q Point) bool { return q.Key == point }) {
		tb.Fatalf("evidence: there is no point %q", point)
	}
	tb.Cleanup(func() {
		if !tb.Failed() && !tb.Skipped() {
			p.note(point, tb.Name(), sentence)
		}
	})
}

func (p *Page) note(point, story, sentence string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stories := p.shown[point]
	if stories == nil {
		stories = map[string][]string{}
		p.shown[point] = stories
	}
	if !slices.Contains(stories[story], sentence) { // with -count=2 there are two
		stories[story] = append([]string{sentence}, stories[story]...) // cleanups run backwards
	}
}

// String returns the page.
func (p *Page) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", p.title, preface)
	for _, point := range p.points {
		stories := p.shown[point.Key]
		if len(stories) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", point.Title)
		var names []string
		for name := range stories {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(&b, "* `%s`: %s\n", name, strings.Join(stories[name], " "))
		}
	}
	return b.String()
}

const preface = `This page is written by the end-to-end stories when all of them pass; a run whose
stories show something else fails. The host is the real program, without any
network, and its model is a script that may use only what it was sent. "Request"
means what the host sent to the model, "store" the bytes on disk.`

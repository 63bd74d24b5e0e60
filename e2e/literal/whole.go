package literal

import (
	"crypto/sha256"
	"encoding/hex"
)

// Whole collects the pages of one full view.
type Whole struct {
	ID    string
	Pages int // read so far
	of    int
	parts map[string]*part
}

type part struct {
	text   string
	total  int
	sha256 string
}

// Add reads the next page and returns the call for the one after it, nil after
// the last: then every part is whole and has the hash it should have. A page
// that does not continue the one before fails the story.
func (w *Whole) Add(f Failer, text string) *Call {
	f.Helper()
	p := ReadPage(f, text)
	if w.parts == nil {
		w.ID, w.of, w.parts = p.ID, p.Of, map[string]*part{}
	}
	if p.ID != w.ID || p.Of != w.of || p.Number != w.Pages+1 {
		f.Fatalf("page %d of %d of %s does not continue page %d of %d of %s", p.Number, p.Of, p.ID, w.Pages, w.of, w.ID)
	}
	w.Pages++
	for _, s := range p.Segments {
		have := w.parts[s.Part]
		if have == nil {
			have = &part{total: s.Total, sha256: s.SHA256}
			w.parts[s.Part] = have
		}
		if s.From != len(have.text) || s.Total != have.total || s.SHA256 != "" && s.SHA256 != have.sha256 {
			f.Fatalf("page %d: bytes %d-%d of %d of the %s do not continue the %d so far", p.Number, s.From, s.To, s.Total, s.Part, len(have.text))
		}
		have.text += s.Text
	}
	if p.Next != nil {
		return p.Next
	}
	for name, have := range w.parts {
		sum := sha256.Sum256([]byte(have.text))
		if len(have.text) != have.total || hex.EncodeToString(sum[:]) != have.sha256 {
			f.Fatalf("the %s of %s: %d of %d bytes, and their hash is %x, want %s", name, w.ID, len(have.text), have.total, sum, have.sha256)
		}
	}
	return nil
}

// Handover returns the handover's bytes so far.
func (w *Whole) Handover() string { return w.text("handover") }

// Task returns the task's bytes so far; "" if the view has none.
func (w *Whole) Task() string { return w.text("task") }

func (w *Whole) text(name string) string {
	if p := w.parts[name]; p != nil {
		return p.text
	}
	return ""
}

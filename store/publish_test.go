package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

// hostile is text that editors, JSON and terminals like to change.
const hostile = "a\r\nb\rc\td\x00e\x1b[31mf\u2028g\u2029h é e\u0301 👩‍💻 \ufeff\n\n \tsha256 0\nhandover/1 {}\n"

func TestPublishKeepsEveryByte(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	for _, text := range []string{"", "x", "\n", hostile, strings.Repeat(hostile, 1000), strings.Repeat("x", MaxText)} {
		a := actor.ID{Host: "claude", Session: "s", Agent: hex.EncodeToString([]byte(text[:min(len(text), 20)])) + string(rune('a'+len(text)%26))}
		d := draft(a, text)
		d.Summary = text
		d.Task = []byte("task " + text)
		p := publish(t, s, d)
		h, err := open(t, dir).Handover(p.ID)
		if err != nil {
			t.Fatal(err)
		}
		for part, want := range map[string]string{PartTask: "task " + text, PartHandover: text, PartSummary: text} {
			if got, ok := h.Text(part); !ok || string(got) != want {
				t.Errorf("%s of %d bytes came back with %d", part, len(want), len(got))
			}
		}
		if h.Header.Actor != a || h.Header.ID != p.ID || h.Header.Ordinal != 1 {
			t.Errorf("header %+v", h.Header)
		}
	}
}

func TestRecoveryWithoutThisProgram(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	d := draft(sub(1), hostile)
	d.Task = []byte("the task\n")
	p := publish(t, s, d)
	file := filepath.Join(dir, "handovers", p.ID+".handover")
	sh := func(script string) string {
		out, err := exec.Command("sh", "-c", "F="+file+"; "+script).Output()
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		return string(out)
	}
	for _, part := range p.Header.Parts {
		want := map[string]string{PartTask: "the task\n", PartHandover: d.Handover, PartSummary: d.Summary}[part.Name]
		cut := "tail -n +2 \"$F\" | tail -c +" + itoa(part.Offset+1) + " | head -c " + itoa(part.Bytes)
		if got := sh(cut); got != want {
			t.Errorf("%s: %q, want %q", part.Name, got, want)
		}
		if got := sh(cut + " | sha256sum"); !strings.HasPrefix(got, part.SHA256) {
			t.Errorf("%s: sha256 %s, want %s", part.Name, got, part.SHA256)
		}
	}
	whole := strings.Fields(sh("head -n -1 \"$F\" | sha256sum"))[0]
	if got := sh("tail -n 1 \"$F\""); got != "sha256 "+whole+"\n" {
		t.Errorf("last line %q, whole %s", got, whole)
	}
}

func itoa(n int64) string {
	b := []byte{}
	for {
		b = append([]byte{byte('0' + n%10)}, b...)
		if n /= 10; n == 0 {
			return string(b)
		}
	}
}

func TestPublishTwice(t *testing.T) {
	s := create(t, fresh(t))
	first := publish(t, s, draft(sub(1), "one"))
	if first.Existing || first.Ordinal != 1 || first.ID != HandoverID(sub(1), 1) {
		t.Fatalf("%+v", first)
	}
	again := publish(t, s, draft(sub(1), "one"))
	if !again.Existing || again.ID != first.ID {
		t.Errorf("the same text: %+v", again)
	}
	var closed ClosedError
	if _, err := s.Publish(draft(sub(1), "two")); !errors.As(err, &closed) || closed.ID != first.ID {
		t.Errorf("another text of a closed subagent: %v", err)
	}
	if err := s.Reopen(first.ID); err != nil {
		t.Fatal(err)
	}
	if _, is, err := s.Closed(sub(1)); is || err != nil {
		t.Errorf("reopened: closed %v, %v", is, err)
	}
	if p := publish(t, s, draft(sub(1), "one")); !p.Existing {
		t.Errorf("the same text of a reopened subagent: %+v", p)
	}
	second := publish(t, s, draft(sub(1), "two"))
	if second.Ordinal != 2 || second.Existing || second.ID == first.ID {
		t.Errorf("a reopened subagent's next text: %+v", second)
	}
	if id, is, err := s.Closed(sub(1)); !is || id != second.ID || err != nil {
		t.Errorf("closed again: %s %v %v", id, is, err)
	}
}

func TestMainAgentsGoOn(t *testing.T) {
	s := create(t, fresh(t))
	var last Published
	for n, text := range []string{"one", "two", "one"} {
		last = publish(t, s, draft(mainAgent(), text))
		if last.Existing || last.Ordinal != n+1 {
			t.Fatalf("%d: %+v", n, last)
		}
		if id, is, err := s.Closed(mainAgent()); is || err != nil {
			t.Fatalf("a main agent is closed by storing: %s %v", id, err)
		}
	}
	first := HandoverID(mainAgent(), 1)
	if won, err := s.ClaimContinuation(first, ContinuationSubmitting, Continuation{By: "rollover"}); !won || err != nil {
		t.Fatal(won, err)
	}
	if won, err := s.ClaimContinuation(first, ContinuationSubmitting, Continuation{}); won || err != nil {
		t.Fatal("submitted twice", err)
	}
	if id, is, err := s.Closed(mainAgent()); !is || id != first || err != nil {
		t.Errorf("submitted: %s %v %v", id, is, err)
	}
	if id, state, err := s.Latest(mainAgent()); id != last.ID || !state.Closed || !state.Exists || state.Ordinal != 3 || err != nil {
		t.Errorf("latest: %s %+v %v", id, state, err)
	}
	if err := s.Reopen(first); err != nil {
		t.Fatal(err)
	}
	if _, is, err := s.Closed(mainAgent()); is || err != nil {
		t.Errorf("reopened: %v %v", is, err)
	}
}

func TestTextsThatCannotBeKept(t *testing.T) {
	s := create(t, fresh(t))
	d := draft(sub(1), "abc\xff")
	var bad TextError
	if _, err := s.Publish(d); !errors.As(err, &bad) || bad.Part != PartHandover || bad.Offset != 3 {
		t.Errorf("%v", err)
	}
	d = draft(sub(1), "x")
	d.Summary = "\xed\xa0\x80"
	if _, err := s.Publish(d); !errors.As(err, &bad) || bad.Part != PartSummary || bad.Offset != 0 {
		t.Errorf("%v", err)
	}
	var large TooLargeError
	if _, err := s.Publish(draft(sub(1), strings.Repeat("x", MaxText+1))); !errors.As(err, &large) || large.Size != MaxText+1 || large.Limit != MaxText {
		t.Errorf("%v", err)
	}
	if list := listed(t, filepath.Join(s.Dir(), "handovers")); len(list) != 0 {
		t.Errorf("something was stored: %v", list)
	}
}

func TestInvisibleCharactersAreCounted(t *testing.T) {
	got := invisible("a\tb\r\n\x00\x1b\u0085\x7f", "\u202e\u2066\u061c \u200b\u2060\ufeff \U000e0041\U000e007f é")
	if want := (Invisible{Controls: 4, Bidi: 3, ZeroWidth: 3, Tags: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestDamageIsSeen(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	p := publish(t, s, draft(sub(1), "some text that is stored"))
	file := filepath.Join(dir, "handovers", p.ID+".handover")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < len(whole); i += 3 {
		b := bytes.Clone(whole)
		b[i] ^= 1
		write(b)
		if h, err := s.Handover(p.ID); err == nil {
			t.Fatalf("byte %d changed and nobody saw it: %+v", i, h.Header)
		}
	}
	for n := 0; n < len(whole); n += 7 {
		write(whole[:n])
		if _, err := s.Handover(p.ID); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	write(append(bytes.Clone(whole), '\n'))
	if _, err := s.Handover(p.ID); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte more: %v", err)
	}
	// Whose stored text is lost can store it again, under the next ordinal.
	if again := publish(t, s, draft(sub(1), "some text that is stored")); again.Ordinal != 2 {
		t.Errorf("after the loss: %+v", again)
	}
	write(whole)
	if _, err := s.Handover(p.ID); err != nil {
		t.Error(err)
	}
}

func TestCollision(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	p := publish(t, s, draft(sub(1), "mine"))
	other := sub(2)
	// Give sub(1)'s file the name of sub(2)'s, with a header that fits it.
	h, err := s.Handover(p.ID)
	if err != nil {
		t.Fatal(err)
	}
	header := h.Header
	header.ID = HandoverID(other, 1)
	data, err := encodeHandover(&header, []namedText{{PartHandover, "mine"}, {PartSummary, "s"}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "handovers", header.ID+".handover")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Publish(draft(other, "mine too")); !errors.Is(err, ErrCollision) || !strings.Contains(err.Error(), file) {
		t.Errorf("a file that names another identity: %v", err)
	}
	if _, is, err := s.Closed(other); is || !errors.Is(err, ErrCollision) {
		t.Errorf("locked by another's file: %v %v", is, err)
	}
}

func TestNewerHandover(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	body := "handover/2 {\"v\":2}\nx\n"
	sum := sha256.Sum256([]byte(body))
	id := HandoverID(sub(1), 1)
	data := body + "sha256 " + hex.EncodeToString(sum[:]) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "handovers", id+".handover"), []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Handover(id); !errors.Is(err, ErrNewerFormat) {
		t.Errorf("%v", err)
	}
	if _, err := s.Publish(draft(sub(1), "x")); !errors.Is(err, ErrNewerFormat) {
		t.Errorf("%v", err)
	}
}

// TestPublishFailsAtEveryStep lets every step of a publish fail, once alone and
// once with all that follow it.
func TestPublishFailsAtEveryStep(t *testing.T) {
	uncertain := 0
	for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
		for _, mode := range []string{"once", "from here on", "torn write"} {
			for k := 1; ; k++ {
				if done := publishWithFault(t, cause, mode, k, &uncertain); done {
					if k < 10 && mode != "torn write" {
						t.Fatalf("only %d steps", k)
					}
					break
				}
			}
		}
	}
	if uncertain == 0 {
		t.Error("no step leaves it uncertain")
	}
}

// publishWithFault reports done where there is no step k any more.
func publishWithFault(t *testing.T, cause error, mode string, k int, uncertainties *int) (done bool) {
	t.Helper()
	dir := fresh(t)
	create(t, dir).Close()
	hit := false
	st := &steps{torn: mode == "torn write"}
	n := 0
	st.before = func(_ int, op string) error {
		if st.torn && op != "torn write" {
			return nil
		}
		if n++; n == k || n > k && mode == "from here on" {
			hit = true
			return &os.PathError{Op: op, Path: "x", Err: cause}
		}
		return nil
	}
	d := draft(sub(1), "the text")
	s, err := createStore(dir, st.opener)
	var p Published
	if err == nil {
		p, err = s.Publish(d)
		s.Close()
	}
	if !hit {
		if err != nil {
			t.Fatal(err)
		}
		return true
	}
	name := func() string { return cause.Error() + ", " + mode + ", step " + itoa(int64(k)) }
	clean := create(t, dir)
	defer clean.Close()
	id, state, e := clean.Latest(sub(1))
	if e != nil {
		t.Fatalf("%s: %v", name(), e)
	}
	var uncertain UncertainError
	switch {
	case err == nil && (!state.Exists || id != p.ID):
		t.Errorf("%s: acknowledged and not there", name())
	case err != nil && errors.As(err, &uncertain):
		*uncertainties++
		if uncertain.ID != HandoverID(sub(1), 1) {
			t.Errorf("%s: uncertain of %s", name(), uncertain.ID)
		}
	case err != nil && state.Exists:
		t.Errorf("%s: an error (%v) and it is there", name(), err)
	case err != nil && !errors.Is(err, cause):
		t.Errorf("%s: the cause is not named: %v", name(), err)
	}
	if state.Exists {
		if _, e := clean.Handover(id); e != nil {
			t.Errorf("%s: half a handover: %v", name(), e)
		}
	}
	again, e := clean.Publish(d)
	if e != nil || again.Ordinal != 1 {
		t.Errorf("%s: the same call again: %+v %v", name(), again, e)
	}
	if e := clean.Sweep(time.Now().Add(48 * time.Hour)); e != nil {
		t.Errorf("%s: %v", name(), e)
	}
	if n := temporaries(t, filepath.Join(dir, "handovers")); n != 0 {
		t.Errorf("%s: %d temporary files after a sweep", name(), n)
	}
	return false
}

// liar is a disk that gives other bytes back than were written.
type liar struct{ directory }

func (d liar) Enter(name string) (directory, error) {
	sub, err := d.directory.Enter(name)
	return liar{sub}, err
}

func (d liar) Create(name string) (file, error) {
	f, err := d.directory.Create(name)
	return lyingFile{f}, err
}

type lyingFile struct{ file }

func (f lyingFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.file.ReadAt(b, at)
	if n > 100 {
		b[100] ^= 1
	}
	return n, err
}

func TestWhatTheDiskChangedIsNotStored(t *testing.T) {
	dir := fresh(t)
	create(t, dir)
	s, err := createStore(dir, func(path string) (directory, error) {
		d, err := openDirectory(path)
		return liar{d}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Publish(draft(sub(1), "x")); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	if _, state, err := s.Latest(sub(1)); state.Ordinal != 0 || err != nil {
		t.Errorf("%+v %v", state, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, x := range []struct {
		err  error
		says []string
	}{
		{OwnerError{"/x", 5, 6}, []string{"/x", "user 5", "user 6", "nothing was", "AUTO_CONTEXT_HANDOVER_DATA"}},
		{RemovedError{ID: "ho-1", At: time.Unix(0, 0)}, []string{"ho-1", "1970-01-01", "not used again"}},
		{AmbiguousError{"a", []string{"ho-1", "ho-2"}}, []string{"ho-1", "ho-2", "whole id"}},
		{ClosedError{ID: "ho-1"}, []string{"ho-1", "was not stored"}},
		{TextError{PartSummary, 7, "x"}, []string{"summary", "x", "byte 7"}},
		{TooLargeError{PartHandover, 9, 8}, []string{"handover", "9", "8"}},
		{UncertainError{"ho-1", syscall.EIO}, []string{"may be stored as ho-1", "call again with the same text", syscall.EIO.Error()}},
		{ErrNewerHook{"", 3}, []string{"version 3", "restart the host"}},
	} {
		for _, want := range x.says {
			if !strings.Contains(x.err.Error(), want) {
				t.Errorf("%q does not say %q", x.err, want)
			}
		}
	}
	if !errors.Is(UncertainError{"", syscall.EIO}, syscall.EIO) {
		t.Error("the cause of an uncertainty is lost")
	}
}

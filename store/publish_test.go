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
		{NewerHookError{"", 3}, []string{"version 3", "restart the host"}},
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

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

// calls is a store with a clock that goes on by a second with every use.
type calls struct {
	*Store
	t   *testing.T
	now time.Time
}

func newCalls(t *testing.T) *calls {
	return &calls{create(t, fresh(t)), t, time.Now()}
}

func (c *calls) tick() time.Time {
	c.now = c.now.Add(time.Second)
	return c.now
}

func (c *calls) issue(key string, a actor.ID, arguments, tokenHash string) string {
	c.t.Helper()
	r := capability(a, arguments)
	r.Issued, r.TokenHash = c.tick(), tokenHash
	name, err := c.IssueCapability(key, r)
	if err != nil {
		c.t.Fatal(err)
	}
	return name
}

func (c *calls) claim(key, arguments, token string) (Capability, error) {
	return c.Claim(key, ClaimQuery{Tool: "context_handover", Arguments: arguments, Token: token, Now: c.tick()})
}

func (c *calls) want(key, arguments, token string, a actor.ID, want error) {
	c.t.Helper()
	r, err := c.claim(key, arguments, token)
	switch {
	case want != nil && !errors.Is(err, want):
		c.t.Errorf("%v, want %v", err, want)
	case want == nil && (err != nil || r.Actor != a):
		c.t.Errorf("%+v %v, want %+v", r.Actor, err, a)
	}
}

func TestClaimRules(t *testing.T) {
	key, other := CapabilityKey("claude", "", "call"), CapabilityKey("claude", "", "other")
	none := actor.ID{}
	t.Run("once", func(t *testing.T) {
		c := newCalls(t)
		c.want(key, "x", "", none, ErrNoRecord)
		c.issue(key, sub(1), "x", "")
		c.want(other, "x", "", none, ErrNoRecord)
		c.want(key, "y", "", none, ErrOtherArguments)
		c.want(key, "x", "", sub(1), nil)
		c.want(key, "x", "", none, ErrReplayed)
		if r, err := c.claim(key, "x", ""); r.Actor != sub(1) || !errors.Is(err, ErrReplayed) {
			t.Errorf("a replay does not say whose: %+v", r)
		}
	})
	t.Run("siblings", func(t *testing.T) {
		c := newCalls(t)
		for range 3 {
			c.issue(key, sub(1), "x", "")
		}
		c.want(key, "x", "", sub(1), nil)
		c.want(key, "x", "", none, ErrReplayed)
		if list := listed(t, filepath.Join(c.Dir(), "capabilities")); len(list) != 1 || !strings.HasSuffix(list[0], suffixUsed) {
			t.Errorf("left: %v", list)
		}
	})
	t.Run("an id that is used again", func(t *testing.T) {
		c := newCalls(t)
		c.issue(key, sub(1), "x", "")
		c.want(key, "x", "", sub(1), nil)
		c.issue(key, sub(1), "y", "")
		c.want(key, "y", "", sub(1), nil)
		c.issue(key, sub(1), "x", "")
		c.want(key, "x", "", sub(1), nil)
		c.issue(key, sub(2), "z", "")
		c.want(key, "z", "", sub(2), nil)
	})
	t.Run("two actors", func(t *testing.T) {
		c := newCalls(t)
		c.issue(key, sub(1), "x", "")
		c.issue(key, sub(2), "x", "")
		c.want(key, "x", "", none, ErrSeveralActors)
		if r, err := c.claim(key, "x", ""); r.Actor != none || err == nil {
			t.Errorf("one of two actors was named: %+v", r)
		}
	})
	t.Run("a consumed record is a witness for a day", func(t *testing.T) {
		c := newCalls(t)
		c.issue(key, sub(1), "x", "")
		c.want(key, "x", "", sub(1), nil)
		c.issue(key, sub(2), "x", "")
		c.want(key, "x", "", none, ErrSeveralActors)
		c.now = c.now.Add(25 * time.Hour)
		c.want(key, "x", "", sub(2), nil)
	})
	t.Run("an approval that took a night", func(t *testing.T) {
		c := newCalls(t)
		c.issue(key, sub(1), "x", "")
		c.now = c.now.Add(14 * time.Hour)
		c.want(key, "x", "", sub(1), nil)
		c.now = c.now.Add(20 * time.Hour)
		c.want(key, "x", "", none, ErrReplayed)
	})
	t.Run("tokens", func(t *testing.T) {
		c := newCalls(t)
		token, secret := NewToken()
		second, secondSecret := NewToken()
		foreign, _ := NewToken()
		c.issue(key, sub(1), "x", secret)
		c.want("", "x", "", none, ErrNoRecord)
		c.want("", "x", foreign, none, ErrForeignToken)
		c.want("", "x", token[:len(token)-1]+"_", none, ErrForeignToken)
		c.want("", "x", "nonsense", none, ErrForeignToken)
		c.want("", "y", token, none, ErrOtherArguments)
		c.want("", "x", token, sub(1), nil)
		c.want("", "x", token, none, ErrReplayed)
		// Where a call id binds, a token of somebody else says nothing.
		c.issue(key, sub(1), "y", "")
		c.want(key, "y", foreign, sub(1), nil)
		// It names one of several actors.
		c.issue(key, sub(1), "z", "")
		c.issue(key, sub(2), "z", secondSecret)
		c.want(key, "z", "", none, ErrSeveralActors)
		c.want(key, "z", second, sub(2), nil)
		c.want(key, "z", second, none, ErrReplayed)
		c.now = c.now.Add(48 * time.Hour)
		c.want("", "x", token, none, ErrReplayed)
	})
	t.Run("empty and foreign records", func(t *testing.T) {
		c := newCalls(t)
		name := key + "-" + sub(1).Key() + "-" + strings.Repeat("0", 32)
		for _, text := range []string{"", "{", "{}", `{"v":1,"actor":{"host":"x"}}`, "\x00\x00"} {
			if c.issue(other, sub(1), "x", ""); os.WriteFile(filepath.Join(c.Dir(), "capabilities", name), []byte(text), 0o600) != nil {
				t.Fatal("cannot write")
			}
			c.want(key, "x", "", none, ErrNoRecord)
		}
		// A whole record under another actor's name.
		c.issue(other, sub(2), "x", "")
		for _, file := range listed(t, filepath.Join(c.Dir(), "capabilities")) {
			if strings.HasPrefix(file, other+"-"+sub(2).Key()) {
				if err := os.Rename(filepath.Join(c.Dir(), "capabilities", file), filepath.Join(c.Dir(), "capabilities", name)); err != nil {
					t.Fatal(err)
				}
			}
		}
		c.want(key, "x", "", none, ErrNoRecord)
		text := `{"v":2,"hook_version":"9.1","actor":7}`
		if err := os.WriteFile(filepath.Join(c.Dir(), "capabilities", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := c.claim(key, "x", "")
		var newer NewerHookError
		if !errors.As(err, &newer) || newer.Hook != "9.1" || newer.Version != 2 {
			t.Errorf("%v", err)
		}
	})
	t.Run("the future", func(t *testing.T) {
		c := newCalls(t)
		c.now = c.now.Add(1000 * time.Hour)
		c.issue(key, sub(1), "x", "")
		c.now = c.now.Add(-2000 * time.Hour)
		if err := c.Sweep(c.now); err != nil {
			t.Fatal(err)
		}
		if r, err := c.claim(key, "x", ""); err != nil || r.Actor != sub(1) {
			t.Errorf("%+v %v", r, err)
		}
	})
	t.Run("revoked", func(t *testing.T) {
		c := newCalls(t)
		c.issue(key, sub(1), "x", "")
		c.issue(other, sub(1), "x", "")
		c.issue(CapabilityKey("claude", "", "third"), sub(2), "y", "")
		if err := c.Revoke(sub(1), other); err != nil {
			t.Fatal(err)
		}
		c.want(key, "x", "", none, ErrNoRecord)
		c.want(other, "x", "", sub(1), nil)
		c.want(CapabilityKey("claude", "", "third"), "y", "", sub(2), nil)
		if c.HasRecord(key) || !c.HasRecord(other) || c.HasRecord(CapabilityKey("a", "b", "c")) {
			t.Error("HasRecord")
		}
	})
}

func TestRecordsExpireByBothClocks(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	now := time.Now()
	old := now.Add(-8 * 24 * time.Hour)
	path := func(name string) string { return filepath.Join(dir, "capabilities", name) }
	issue := func(key string, issued, modified time.Time) string {
		c := capability(sub(1), "x")
		c.Issued = issued
		name, err := s.IssueCapability(CapabilityKey("claude", "", key), c)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path(name), modified, modified); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, kept := range map[string]bool{
		issue("both", old, old):              false,
		issue("own", old, now):               true,
		issue("file", now, old):              true,
		issue("future", now.Add(1e15), old):  true,
		issue("future2", old, now.Add(1e15)): true,
	} {
		if err := s.Sweep(now); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path(name)); (err == nil) != kept {
			t.Errorf("%s: %v, want kept %v", name, err, kept)
		}
	}
	// At most 16 at a time.
	for i := range 40 {
		issue(string(rune('a'+i)), old, old)
	}
	for _, left := range []int{4 + 24, 4 + 8, 4, 4} {
		if err := s.Sweep(now); err != nil {
			t.Fatal(err)
		}
		if list := listed(t, filepath.Join(dir, "capabilities")); len(list) != left {
			t.Errorf("%d left, want %d", len(list), left)
		}
	}
}

func TestFallback(t *testing.T) {
	s := create(t, fresh(t))
	now := time.Now()
	if s.FallbackWanted("claude", now) {
		t.Error("wanted before it was")
	}
	for _, host := range []string{"claude", "../evil", ""} {
		if err := s.TouchFallback(host); err != nil {
			t.Fatal(err)
		}
		if !s.FallbackWanted(host, now) || !s.FallbackWanted(host, now.Add(-time.Hour)) || s.FallbackWanted(host, now.Add(8*24*time.Hour)) {
			t.Errorf("%q", host)
		}
	}
	if s.FallbackWanted("goose", now) {
		t.Error("another host's")
	}
}

func TestProbeWriteLeavesNothing(t *testing.T) {
	s := create(t, fresh(t))
	if err := s.ProbeWrite(); err != nil {
		t.Fatal(err)
	}
	if list := listed(t, filepath.Join(s.Dir(), "capabilities")); len(list) != 0 || temporaries(t, filepath.Join(s.Dir(), "capabilities")) != 0 {
		t.Errorf("left %v", list)
	}
}

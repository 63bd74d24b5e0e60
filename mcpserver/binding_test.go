package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// TestRefusals has one case for each cause that a write can be refused for
// because of its binding, in the order of protocol.md.
func TestRefusals(t *testing.T) {
	const id = "toolu_x"
	args := writeArgs("h", "s")
	for _, test := range []struct {
		name  string
		setup func(r *rig)
		args  string
		meta  string
		cause modeltext.Cause
		says  string
	}{
		{
			name: "invalid argument before all else", args: `{"handover":"h"}`, cause: modeltext.CauseArgument,
			setup: func(r *rig) { r.issue(r.sub("a"), hosts.ToolHandover, args, id, nil) },
		},
		{
			name: "the store's format is newer", cause: modeltext.CauseStoreNewer, says: "store",
			setup: func(r *rig) {
				r.write()
				mustWrite(r.t, filepath.Join(r.options.DataDir, "format"), "2\n")
			},
		},
		{
			name: "the record lies in another store", cause: modeltext.CauseOtherStore, says: "default-store",
			setup: func(r *rig) {
				st, err := store.Create(r.options.DefaultDir)
				if err != nil {
					r.t.Fatal(err)
				}
				defer st.Close()
				c := r.capability(r.sub("a"), hosts.ToolHandover, args, id)
				if _, err := st.IssueCapability(store.CapabilityKey("claude", "", id), c); err != nil {
					r.t.Fatal(err)
				}
			},
		},
		{
			name: "versions differ", cause: modeltext.CauseVersions, says: `"9.1"`,
			setup: func(r *rig) {
				r.issue(r.sub("a"), hosts.ToolHandover, args, id, func(c *store.Capability) { c.Version, c.HookVersion = 9, "9.1" })
			},
		},
		{
			name: "arguments changed", cause: modeltext.CauseChangedArguments,
			setup: func(r *rig) { r.issue(r.sub("a"), hosts.ToolHandover, writeArgs("other", "s"), id, nil) },
		},
		{
			name: "another agent sent the same call", cause: modeltext.CauseSeveralActors,
			setup: func(r *rig) {
				r.issue(r.sub("a"), hosts.ToolHandover, args, id, nil)
				r.issue(r.sub("b"), hosts.ToolHandover, args, id, nil)
			},
		},
		{
			name: "already used", cause: modeltext.CauseReplayed,
			setup: func(r *rig) {
				r.issue(r.sub("a"), hosts.ToolHandover, args, id, nil)
				r.callRaw(hosts.ToolHandover, args, claudeMeta(id)).stored(r.t)
			},
		},
		{name: "no hook ran", cause: modeltext.CauseNoHook, says: "store"},
		{
			name: "a record of another tool is none", cause: modeltext.CauseNoHook,
			setup: func(r *rig) { r.issue(r.sub("a"), hosts.ToolRead, args, id, nil) },
		},
		{
			name: "a record of another call is none", cause: modeltext.CauseNoHook,
			setup: func(r *rig) { r.issue(r.sub("a"), hosts.ToolHandover, args, "toolu_y", nil) },
		},
		{
			name: "an empty record is none", cause: modeltext.CauseNoHook,
			setup: func(r *rig) {
				r.issue(r.sub("a"), hosts.ToolHandover, args, id, nil)
				found, _ := filepath.Glob(filepath.Join(r.options.DataDir, "capabilities", store.CapabilityKey("claude", "", id)+"*"))
				for _, file := range found {
					if err := os.Truncate(file, 0); err != nil {
						r.t.Fatal(err)
					}
				}
			},
		},
		{name: "the host sent no call id", meta: `{"progressToken":5}`, cause: modeltext.CauseNoCallID},
		{
			name: "the host sent no call id and the token is none of ours", meta: `{"progressToken":5}`, cause: modeltext.CauseForeignToken,
			args: `{"handover":"h","summary":"s","_handover_capability":"` + strings.Repeat("a", 32) + `.b"}`,
		},
		{
			name: "another host's record", cause: modeltext.CauseUnknownAgent, says: "codex",
			setup: func(r *rig) {
				r.issue(actor.ID{Host: "codex", Session: "T"}, hosts.ToolHandover, args, id, nil)
			},
		},
		{
			name: "a kind that may not write", cause: modeltext.CauseKind, says: "it is hidden",
			setup: func(r *rig) {
				r.issue(r.sub("a"), hosts.ToolHandover, args, id, func(c *store.Capability) { c.Kind = "hidden" })
			},
		},
		{
			name: "a kind that is not known", cause: modeltext.CauseKind, says: "new",
			setup: func(r *rig) {
				r.issue(r.sub("a"), hosts.ToolHandover, args, id, func(c *store.Capability) { c.Kind = "new" })
			},
		},
		{
			name: "plan mode", cause: modeltext.CausePlan,
			setup: func(r *rig) {
				r.issue(r.sub("a"), hosts.ToolHandover, args, id, func(c *store.Capability) { c.ReadOnly = true })
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, func(o *Options) {
				o.DefaultDir = filepath.Join(t.TempDir(), "default-store")
				o.Host.Kinds = append(o.Host.Kinds, hosts.Kind{Name: "hidden", Role: actor.RoleSubagent, Why: "it is hidden"})
			})
			if test.setup != nil {
				test.setup(r)
			}
			a, meta := args, claudeMeta(id)
			if test.args != "" {
				a = test.args
			}
			if test.meta != "" {
				meta = test.meta
			}
			text := r.callRaw(hosts.ToolHandover, a, meta).refusedFor(t, test.cause)
			if !strings.Contains(text, test.says) {
				t.Errorf("no %q in: %s", test.says, text)
			}
			if nothing := "Nothing was stored"; !strings.Contains(text, nothing+".") && !(test.cause == modeltext.CauseReplayed && strings.Contains(text, nothing+" a second time.")) {
				t.Errorf("not said that nothing was stored: %s", text)
			}
		})
	}
}

// TestRefusalReadOnly: the store's own trouble is named before the hook's.
func TestRefusalReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	r := newRig(t, nil)
	r.write()
	dir := filepath.Join(r.options.DataDir, "capabilities")
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	r.callRaw(hosts.ToolHandover, writeArgs("h", "s"), claudeMeta("toolu_x")).refusedFor(t, modeltext.CauseStoreReadOnly)
}

// TestRefusalNoDirectory: a server that does not know its store says so.
func TestRefusalNoDirectory(t *testing.T) {
	r := newRig(t, func(o *Options) { o.DataDir, o.DataErr = "", os.ErrInvalid })
	r.callRaw(hosts.ToolHandover, writeArgs("h", "s"), claudeMeta("x")).refusedFor(t, modeltext.CauseStore)
	r.callRaw(hosts.ToolRead, `{}`, claudeMeta("x")).refusedFor(t, modeltext.CauseStore)
}

// TestBindSiblings: a hook that ran twice for one call is no second agent.
func TestBindSiblings(t *testing.T) {
	r := newRig(t, nil)
	args := writeArgs("h", "s")
	r.issue(r.sub("a"), hosts.ToolHandover, args, "toolu_x", nil)
	r.issue(r.sub("a"), hosts.ToolHandover, args, "toolu_x", nil)
	id := r.callRaw(hosts.ToolHandover, args, claudeMeta("toolu_x")).stored(t)
	if got := r.kept(id).Header.Actor; got != r.sub("a") {
		t.Errorf("stored for %+v", got)
	}
	r.callRaw(hosts.ToolHandover, args, claudeMeta("toolu_x")).refusedFor(t, modeltext.CauseReplayed)
}

// TestBindModelToken: what a model writes into the reserved key changes nothing
// where the host's call id binds.
func TestBindModelToken(t *testing.T) {
	r := newRig(t, nil)
	for i, value := range []string{`""`, `"made.up"`, `7`, `{"a":1}`} {
		agent := r.sub(string(rune('a' + i)))
		callID := "toolu_" + agent.Agent
		r.issue(agent, hosts.ToolHandover, writeArgs("h", "s"), callID, nil)
		r.callRaw(hosts.ToolHandover, `{"_handover_capability":`+value+`,"handover":"h","summary":"s"}`, claudeMeta(callID)).stored(t)
	}
}

// TestBindFallback: after a call without its id, hooks add the hidden argument
// for a while, and that binds.
func TestBindFallback(t *testing.T) {
	r := newRig(t, nil)
	st := r.write()
	if st.FallbackWanted("claude", time.Now()) {
		t.Fatal("wanted before")
	}
	r.callRaw(hosts.ToolHandover, writeArgs("h", "s"), `{}`).refusedFor(t, modeltext.CauseNoCallID)
	if !st.FallbackWanted("claude", time.Now()) {
		t.Fatal("not wanted after")
	}
	token, hash := store.NewToken()
	r.issue(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), "toolu_x", func(c *store.Capability) { c.TokenHash = hash })
	with := `{"handover":"h","summary":"s","_handover_capability":"` + token + `"}`
	id := r.callRaw(hosts.ToolHandover, with, `{}`).stored(t)
	if got := r.kept(id).Header.Actor; got != r.sub("a") {
		t.Errorf("stored for %+v", got)
	}
	r.callRaw(hosts.ToolHandover, with, `{}`).refusedFor(t, modeltext.CauseReplayed)
}

// fakeHost is Claude's row with another binding.
func fakeHost(b hosts.Binding, session string) func(*Options) {
	return func(o *Options) {
		o.Host.Name, o.Host.Binding, o.Host.MetaCallID, o.Host.MetaSession = "fake", b, "call", session
	}
}

// TestBindSession: where the host tells its session too, both name the record.
func TestBindSession(t *testing.T) {
	r := newRig(t, fakeHost(hosts.BindCallID, "session"))
	args := writeArgs("h", "s")
	issue := func(session, callID string) {
		c := r.capability(r.main(session), hosts.ToolHandover, args, callID)
		if _, err := r.write().IssueCapability(store.CapabilityKey("fake", session, callID), c); err != nil {
			t.Fatal(err)
		}
	}
	issue("one", "call_0")
	issue("two", "call_0")
	id := r.callRaw(hosts.ToolHandover, args, `{"call":"call_0","session":"two"}`).stored(t)
	if got := r.kept(id).Header.Actor.Session; got != "two" {
		t.Errorf("stored for session %q", got)
	}
	r.callRaw(hosts.ToolHandover, args, `{"call":"call_0","session":"three"}`).refusedFor(t, modeltext.CauseNoHook)
	r.callRaw(hosts.ToolHandover, args, `{"call":"call_0"}`).refusedFor(t, modeltext.CauseNoCallID)
	r.callRaw(hosts.ToolHandover, args, `{"call":7,"session":"one"}`).refusedFor(t, modeltext.CauseNoCallID)
}

// TestBindThread: the host names the actor itself; a record adds to that and
// must agree.
func TestBindThread(t *testing.T) {
	r := newRig(t, fakeHost(hosts.BindThread, "threadId"))
	args := writeArgs("h", "s")
	issue := func(a actor.ID, thread, callID string) {
		c := r.capability(a, hosts.ToolHandover, args, callID)
		if _, err := r.write().IssueCapability(store.CapabilityKey("fake", thread, callID), c); err != nil {
			t.Fatal(err)
		}
	}
	got := r.callRaw(hosts.ToolHandover, args, `{"threadId":"T","call":"1"}`)
	h := r.kept(got.stored(t)).Header
	if h.Actor != r.main("T") || h.Diagnostics.Stage != -1 || h.Diagnostics.Reading.Known() || h.Lineage.State != store.LineageUnknown {
		t.Errorf("without a hook: %+v", h)
	}
	if !strings.Contains(got.text(t), "No hook") {
		t.Errorf("the receipt does not say that no hook ran: %s", got.text(t))
	}
	issue(r.main("U"), "U", "2")
	got = r.callRaw(hosts.ToolHandover, args, `{"threadId":"U","call":"2"}`)
	if h := r.kept(got.stored(t)).Header; h.Actor != r.main("U") || h.Diagnostics.Stage != 1 || strings.Contains(got.text(t), "No hook") {
		t.Errorf("with a hook: %+v", h)
	}
	issue(r.sub("V"), "V", "3")
	if h := r.kept(r.callRaw(hosts.ToolHandover, args, `{"threadId":"V","call":"3"}`).stored(t)).Header; h.Actor != r.sub("V") {
		t.Errorf("a subagent: %+v", h)
	}
	issue(r.main("X"), "W", "4")
	r.callRaw(hosts.ToolHandover, args, `{"threadId":"W","call":"4"}`).refusedFor(t, modeltext.CauseUnknownAgent)
	r.callRaw(hosts.ToolHandover, args, `{"call":"5"}`).refusedFor(t, modeltext.CauseNoCallID)
}

// TestBindArguments: nothing but the arguments names the record.
func TestBindArguments(t *testing.T) {
	r := newRig(t, fakeHost(hosts.BindArguments, ""))
	issue := func(a actor.ID, args string) {
		c := r.capability(a, hosts.ToolHandover, args, "call")
		if _, err := r.write().IssueCapability(store.ArgumentsKey("fake", c.Tool, c.Arguments), c); err != nil {
			t.Fatal(err)
		}
	}
	issue(r.sub("a"), `{"summary":"s", "handover":"\u0068"}`)
	id := r.callRaw(hosts.ToolHandover, `{"handover":"h","summary":"s"}`, `{"progressToken":1}`).stored(t)
	if got := r.kept(id).Header.Actor; got != r.sub("a") {
		t.Errorf("stored for %+v", got)
	}
	r.callRaw(hosts.ToolHandover, writeArgs("h", "other"), `{}`).refusedFor(t, modeltext.CauseNoHook)
	issue(r.sub("b"), writeArgs("same", "s"))
	issue(r.sub("c"), writeArgs("same", "s"))
	r.callRaw(hosts.ToolHandover, writeArgs("same", "s"), `{}`).refusedFor(t, modeltext.CauseSeveralActors)
}

// TestBindToken: nothing but the hidden argument names the record.
func TestBindToken(t *testing.T) {
	r := newRig(t, fakeHost(hosts.BindToken, ""))
	token, hash := store.NewToken()
	c := r.capability(r.main("M"), hosts.ToolHandover, writeArgs("h", "s"), "call")
	c.TokenHash = hash
	if _, err := r.write().IssueCapability(store.CapabilityKey("fake", "", "call"), c); err != nil {
		t.Fatal(err)
	}
	with := func(token string) string {
		return `{"handover":"h","summary":"s","_handover_capability":"` + token + `"}`
	}
	r.callRaw(hosts.ToolHandover, writeArgs("h", "s"), `{}`).refusedFor(t, modeltext.CauseNoHook)
	r.callRaw(hosts.ToolHandover, with(token[:len(token)-1]+"x"), `{}`).refusedFor(t, modeltext.CauseForeignToken)
	r.callRaw(hosts.ToolHandover, with("nonsense"), `{}`).refusedFor(t, modeltext.CauseForeignToken)
	r.callRaw(hosts.ToolHandover, with(token), `{}`).stored(t)
	r.callRaw(hosts.ToolHandover, with(token), `{}`).refusedFor(t, modeltext.CauseReplayed)
}

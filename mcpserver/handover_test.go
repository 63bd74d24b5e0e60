package mcpserver

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// keptText reads a part back as anybody can.
func (r *rig) kept(id string) *store.Handover {
	r.t.Helper()
	st, err := store.Open(r.options.DataDir)
	if err != nil {
		r.t.Fatal(err)
	}
	defer st.Close()
	h, err := st.Handover(id)
	if err != nil {
		r.t.Fatal(err)
	}
	return h
}

func TestHandoverExactBytes(t *testing.T) {
	r := newRig(t, nil)
	for name, text := range map[string]string{
		"plain":         "a",
		"line ends":     "\r\na\r\n\n\tb\n\n ",
		"separators":    "a\u2028b\u2029c\u0085",
		"emoji":         "👩‍👩‍👧‍👦 🇩🇪",
		"not composed":  "e\u0301 é",
		"nul":           "a\x00b\x01\x1b[31m\x7f",
		"bidi":          "\u202eabc\u202c\u200b\ufeff\U000e0041",
		"replacement":   "\ufffd",
		"html":          `<b>&amp;</b> "quoted" \u0041 \\ \/`,
		"json":          `{"a":1}`,
		"noncharacters": "\uffff\U0010ffff",
		"60 KB":         strings.Repeat("0123456789abcde\n", 60<<10/16),
		"1 MiB":         strings.Repeat("é", store.MaxText/2),
	} {
		t.Run(name, func(t *testing.T) {
			summary := "s: " + text[:min(len(text), 2000)]
			a := r.sub("exact-" + strings.ReplaceAll(name, " ", "-"))
			got := r.call(a, hosts.ToolHandover, writeArgs(text, summary), func(c *store.Capability) {
				c.Diagnostics.Soft.Tokens = 1 << 30
			})
			h := r.kept(got.stored(t))
			if kept, _ := h.Text(store.PartHandover); string(kept) != text {
				t.Errorf("handover differs: %d bytes, want %d", len(kept), len(text))
			}
			if kept, _ := h.Text(store.PartSummary); string(kept) != summary {
				t.Errorf("summary is %q, want %q", kept, summary)
			}
		})
	}
}

// TestHandoverEscapes: other spellings of the same JSON are the same text.
func TestHandoverEscapes(t *testing.T) {
	r := newRig(t, nil)
	args := `{"summary":"\u0073","handover":"\ud83d\ude00\/\u0000\\ud800"}`
	h := r.kept(r.call(r.sub("a"), hosts.ToolHandover, args, nil).stored(t))
	if kept, _ := h.Text(store.PartHandover); string(kept) != "😀/\x00\\ud800" {
		t.Errorf("kept %q", kept)
	}
}

func TestHandoverRecord(t *testing.T) {
	r := newRig(t, nil)
	dir := newRepository(t)
	mustWrite(t, filepath.Join(dir, "a.go"), "package a // dirty\n")
	spawn := store.Spawn{Parent: r.main("S"), CallID: "toolu_spawn", Prompt: "do\r\nit\x00", PromptKnown: true,
		Lineage: store.Lineage{State: store.LineageOrigin}}
	key, err := r.write().RecordSpawn(spawn)
	if err != nil {
		t.Fatal(err)
	}
	id := r.call(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), func(c *store.Capability) {
		c.Project, c.Directory, c.Turn, c.SpawnKey, c.Transcript = r.project, dir, "turn", key, "/t.jsonl"
		c.Provenance = store.Provenance{AgentType: "general-purpose", ModelKnown: true}
	}).stored(t)
	h := r.kept(id)
	if task, _ := h.Text(store.PartTask); string(task) != spawn.Prompt {
		t.Errorf("task is %q", task)
	}
	got := h.Header
	if got.Kind != "subagent" || got.Role != actor.RoleSubagent || got.Project != r.project || got.Directory != dir || got.Turn != "turn" ||
		got.SpawnKey != key || got.Transcript != "/t.jsonl" || got.HookVersion != "1.0" || got.Server != "1.0" || got.Lineage.Generation != 1 ||
		got.Provenance.AgentType != "general-purpose" || got.Diagnostics.Soft.Tokens != 150_000 || got.TaskAbsent != "" || got.Created.IsZero() {
		t.Errorf("header: %+v", got)
	}
	if !got.Repository.Known || got.Repository.Root != dir || len(got.Repository.Dirty) != 1 {
		t.Errorf("repository: %+v", got.Repository)
	}
}

func TestHandoverTask(t *testing.T) {
	r := newRig(t, nil)
	st := r.write()
	hidden, err := st.RecordSpawn(store.Spawn{Parent: r.main("S"), CallID: "1", Prompt: "x"})
	if err != nil {
		t.Fatal(err)
	}
	broken, err := st.RecordSpawn(store.Spawn{Parent: r.main("S"), CallID: "2", Prompt: "[handover:continue ho-1] go on", PromptKnown: true})
	if err != nil {
		t.Fatal(err)
	}
	first := r.call(r.sub("first"), hosts.ToolHandover, writeArgs("h", "s"), nil).stored(t)
	for name, test := range map[string]struct {
		actor  actor.ID
		change func(*store.Capability)
		want   string
	}{
		"main":   {r.main("M"), nil, "not captured for main agents"},
		"unseen": {r.sub("unseen"), nil, "the spawn was not seen"},
		"hidden": {r.sub("hidden"), func(c *store.Capability) { c.SpawnKey = hidden }, "the host does not show the prompt of a spawn"},
		"broken": {r.sub("broken"), func(c *store.Capability) {
			c.SpawnKey = broken
			c.Lineage = store.Lineage{State: store.LineageUnknown, Reason: "the marker is malformed"}
		}, "the marker is malformed"},
		"lost": {r.sub("lost"), func(c *store.Capability) { c.SpawnKey = strings.Repeat("0", 32) }, "the record of the spawn cannot be read"},
		"continuing": {r.sub("next"), func(c *store.Capability) {
			c.Lineage = store.Lineage{State: store.LineageContinues, Predecessor: first}
		}, ""},
	} {
		h := r.kept(r.call(test.actor, hosts.ToolHandover, writeArgs("h "+name, "s"), test.change).stored(t))
		if _, ok := h.Text(store.PartTask); ok || h.Header.TaskAbsent != test.want {
			t.Errorf("%s: task %v, absent %q; want %q", name, ok, h.Header.TaskAbsent, test.want)
		}
	}
}

func TestHandoverReceipt(t *testing.T) {
	r := newRig(t, nil)
	for _, a := range []actor.ID{r.sub("a"), r.main("M")} {
		got := r.call(a, hosts.ToolHandover, writeArgs("h", "what was done\nUser decisions pending: none"), nil)
		id, text := got.stored(t), got.text(t)
		for _, want := range []string{"what was done", "[/handover:receipt " + id + "]"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", a.Shown(), want, text)
			}
		}
		if reads := strings.Contains(text, modeltext.For(r.options.Host).ReadCall(id, !a.Main(), 0)); a.Main() && reads {
			t.Errorf("a main agent's receipt names the compact view: %s", text)
		}
	}
}

// TestHandoverAgain: the same text gives the same id, another text of a closed
// subagent is not stored, a main agent's is.
func TestHandoverAgain(t *testing.T) {
	r := newRig(t, nil)
	sub, main := r.sub("a"), r.main("M")
	first := r.call(sub, hosts.ToolHandover, writeArgs("h", "s"), nil).stored(t)
	if again := r.call(sub, hosts.ToolHandover, writeArgs("h", "s"), nil).stored(t); again != first {
		t.Errorf("the same text has two ids: %s and %s", first, again)
	}
	got := r.call(sub, hosts.ToolHandover, writeArgs("another", "s"), nil)
	if text := got.text(t); !got.Result.IsError || !strings.Contains(text, first) || !strings.Contains(text, "not stored") {
		t.Errorf("a closed subagent got: %s", text)
	}
	one := r.call(main, hosts.ToolHandover, writeArgs("h", "s"), nil).stored(t)
	two := r.call(main, hosts.ToolHandover, writeArgs("another", "s"), nil).stored(t)
	if one == two || r.kept(two).Header.Ordinal != 2 {
		t.Errorf("a main agent's two texts: %s and %s", one, two)
	}
	if err := r.write().Reopen(first); err != nil {
		t.Fatal(err)
	}
	if next := r.call(sub, hosts.ToolHandover, writeArgs("another", "s"), nil).stored(t); next == first {
		t.Error("a reopened subagent got its old id")
	}
}

// TestHandoverTooLong: asked once to shorten, then stored.
func TestHandoverTooLong(t *testing.T) {
	r := newRig(t, nil)
	soft := func(c *store.Capability) { c.Diagnostics.Soft.Tokens = 1000 }
	long := strings.Repeat("x", 4004)
	text := r.call(r.sub("a"), hosts.ToolHandover, writeArgs(long, "s"), soft).refusedFor(t, modeltext.CauseTooLong)
	if !strings.Contains(text, "1,001") || !strings.Contains(text, "1,000") {
		t.Errorf("no sizes in: %s", text)
	}
	r.call(r.sub("a"), hosts.ToolHandover, writeArgs(long+"y", "s"), soft).refusedFor(t, modeltext.CauseTooLong)
	r.call(r.sub("b"), hosts.ToolHandover, writeArgs(long, "s"), soft).refusedFor(t, modeltext.CauseTooLong)
	r.call(r.sub("a"), hosts.ToolHandover, writeArgs(long, "s"), soft).stored(t)
	r.call(r.sub("c"), hosts.ToolHandover, writeArgs(long[:4000], "s"), soft).stored(t)
	// A closed subagent is told that, not to shorten; its own text again is
	// acknowledged, of whatever length.
	again := r.call(r.sub("a"), hosts.ToolHandover, writeArgs(long, "s"), soft).stored(t)
	if text := r.call(r.sub("c"), hosts.ToolHandover, writeArgs(long, "s"), soft).text(t); !strings.HasPrefix(text, "[handover:closed]") {
		t.Errorf("a closed subagent got: %s", text)
	}
	if err := r.write().Reopen(again); err != nil {
		t.Fatal(err)
	}
	r.call(r.sub("a"), hosts.ToolHandover, writeArgs(long+"z", "s"), soft).refusedFor(t, modeltext.CauseTooLong)
	main := r.main("M")
	r.call(main, hosts.ToolHandover, writeArgs("h", "s"), soft).stored(t)
	r.call(main, hosts.ToolHandover, writeArgs(long, "s"), soft).refusedFor(t, modeltext.CauseTooLong)
	r.call(r.sub("d"), hosts.ToolHandover, writeArgs(long, "s"), func(c *store.Capability) { c.Diagnostics.Soft = store.Soft{Reason: "unknown"} }).stored(t)
}

// TestHandoverWrongArgumentsKeepTheRecord: a mistake in the arguments uses up
// nothing and stores nothing.
func TestHandoverWrongArgumentsKeepTheRecord(t *testing.T) {
	r := newRig(t, nil)
	r.issue(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), "toolu_x", nil)
	r.callRaw(hosts.ToolHandover, `{"handover":"h"}`, claudeMeta("toolu_x")).refusedFor(t, modeltext.CauseArgument)
	r.callRaw(hosts.ToolHandover, `{"handover":"h\udfff","summary":"s"}`, claudeMeta("toolu_x")).refusedFor(t, modeltext.CauseText)
	r.callRaw(hosts.ToolHandover, `[1]`, claudeMeta("toolu_x")).refusedFor(t, modeltext.CauseArgument)
	r.callRaw(hosts.ToolHandover, writeArgs("h", "s"), claudeMeta("toolu_x")).stored(t)
}

// TestHandoverStoreIsOpenedAnew: a store that is moved away between two calls
// gets nothing any more.
func TestHandoverStoreIsOpenedAnew(t *testing.T) {
	r := newRig(t, nil)
	r.call(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), nil).stored(t)
	moved := r.options.DataDir + "-moved"
	if err := os.Rename(r.options.DataDir, moved); err != nil {
		t.Fatal(err)
	}
	id := r.call(r.sub("b"), hosts.ToolHandover, writeArgs("h", "s"), nil).stored(t)
	r.kept(id)
	st, err := store.Open(moved)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := st.Handover(id); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the moved store has it: %v", err)
	}
}

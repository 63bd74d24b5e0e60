package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/store"
)

// line is a store with a line of generations in it.
type line struct {
	*testing.T
	store *store.Store
}

func agent(id string) actor.ID { return actor.ID{Host: "claude", Session: "s", Agent: id} }

// link records a spawn and that it made this agent.
func (l line) link(a actor.ID, prompt string, lineage store.Lineage) {
	l.Helper()
	key, err := l.store.RecordSpawn(store.Spawn{
		Parent: agent(""), CallID: a.Agent, Prompt: prompt, PromptKnown: true,
		Lineage: lineage, Project: "/p", Seen: time.Now(),
	})
	if err == nil {
		err = l.store.LinkSpawn(a, key)
	}
	if err != nil {
		l.Fatal(err)
	}
}

// publish stores a handover, without a task if that is "".
func (l line) publish(a actor.ID, lineage store.Lineage, task string) string {
	l.Helper()
	d := store.Draft{Handover: "text", Summary: "s", Header: store.Header{
		Actor: a, Kind: "subagent", Role: actor.RoleSubagent, Created: time.Now(), Project: "/p", Lineage: lineage, Server: "test",
	}}
	if task != "" {
		d.Task = []byte(task)
	} else {
		d.TaskAbsent = "the spawn was hidden"
	}
	p, err := l.store.Publish(d)
	if err != nil {
		l.Fatal(err)
	}
	return p.ID
}

// TestShowTask: --full shows the task that read_handover gives, wherever in the
// line of generations it was captured, and never a prompt with a marker.
func TestShowTask(t *testing.T) {
	const task = "the task itself"
	first := store.Lineage{State: store.LineageOrigin, Generation: 1}
	unknown := store.Lineage{State: store.LineageUnknown, Reason: "no spawn was seen"}
	for name, c := range map[string]struct {
		captured bool // the origin's record has the task
		linked   bool // the origin's spawn has it, linked later
		late     bool // the successor's lineage is that of its spawn, linked later
		of       string
	}{
		"by reference":        {captured: true, of: "second"},
		"a late lineage":      {captured: true, late: true, of: "second"},
		"an origin's late":    {linked: true, of: "second"},
		"nowhere":             {of: "second"},
		"the origin's own":    {captured: true, of: "first"},
		"of the first, later": {linked: true, of: "first"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := store.Create(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			l := line{t, s}
			text := ""
			if c.captured {
				text = task
			}
			origin := l.publish(agent("a"), first, text)
			if c.linked {
				l.link(agent("a"), task, first)
			}
			second := store.Lineage{State: store.LineageContinues, Predecessor: origin, Origin: origin, Generation: 2}
			recorded := second
			if c.late {
				recorded = unknown
			}
			id := l.publish(agent("b"), recorded, "")
			prompt := "[handover:continue " + origin + "] read it"
			l.link(agent("b"), prompt, second)

			want := "Task (of the origin, " + origin + "):\n" + task + "\n"
			switch {
			case !c.captured && !c.linked:
				want = "Task: not here, the spawn was hidden\n"
			case c.of == "first" && c.linked:
				id, want = origin, "Task (learned later, from the spawn):\n"+task+"\n"
			case c.of == "first":
				id, want = origin, "Task:\n"+task+"\n"
			}
			shows := func(args ...string) string {
				t.Helper()
				var out, failed strings.Builder
				p := process{
					out: &out, err: &failed, now: time.Now, dir: func() (string, error) { return "/p", nil },
					data: func(string) (string, string, error) { return dir, "test", nil },
				}
				if status := run(p, append([]string{"show", id, "--full"}, args...)); status != 0 {
					t.Fatalf("status %d: %s", status, failed.String())
				}
				return out.String()
			}
			if got := shows(); !strings.Contains(got, "\n"+want) || strings.Contains(got, prompt) {
				t.Errorf("want %q in:\n%s", want, got)
			}
			var v shown
			if err := json.Unmarshal([]byte(shows("--json")), &v); err != nil {
				t.Fatal(err)
			}
			got := v.Task
			if v.Joined.Task != nil {
				got = v.Joined.Task
			}
			if has := c.captured || c.linked; has != (got != nil) || has && *got != task {
				t.Errorf("as JSON: task %v, joined %v", v.Task, v.Joined.Task)
			}
		})
	}
}

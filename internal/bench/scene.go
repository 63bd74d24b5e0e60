//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/store"
)

// agent is the subagent of every session.
const agent = "abeae8a9e1d7e70ee"

// scene is a home with a project in which Claude Code has run with our hook.
type scene struct {
	home, project, data string
	env                 []string
	hook                program
}

// newScene sets a home up in which a hundred handovers of others are stored.
func newScene(b *builder) (*scene, error) {
	hook, err := b.build("./cmd/handover-hook-claude")
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(b.dir, "home-")
	if err != nil {
		return nil, err
	}
	s := &scene{home: home, project: filepath.Join(home, "project"), data: filepath.Join(home, ".local", "share", "handover"), hook: hook}
	s.env = []string{
		"HOME=" + home,
		"PATH=/usr/local/bin:/usr/bin:/bin",
		"SHELL=/bin/bash",
		"LANG=C.UTF-8",
		"TERM=xterm-256color",
		"USER=someone",
		"LOGNAME=someone",
		"PWD=" + s.project,
		"CLAUDECODE=1",
		"CLAUDE_CODE_ENTRYPOINT=sdk-cli",
		"CLAUDE_CODE_CHILD_SESSION=1",
		"CLAUDE_CODE_SESSION_ATTENDED=0",
		"CLAUDE_PID=4711",
		"CLAUDE_PROJECT_DIR=" + s.project,
		"CLAUDE_PLUGIN_ROOT=" + filepath.Join(home, "plugin"),
		"CLAUDE_PLUGIN_DATA=" + filepath.Join(home, ".claude", "plugins", "data", "handover"),
	}
	if err := os.MkdirAll(filepath.Join(s.project, ".git"), 0o700); err != nil {
		return nil, err
	}
	settings := filepath.Join(home, ".claude", "settings.json")
	if err := write(settings, []byte(`{"enabledPlugins":{"handover@auto-context-handover":true},"permissions":{"allow":["Bash(go test:*)"]}}`)); err != nil {
		return nil, err
	}
	return s, s.handOver(100)
}

// handOver stores handovers of other agents.
func (s *scene) handOver(n int) error {
	st, err := store.Create(s.data)
	if err != nil {
		return err
	}
	defer st.Close()
	for i := range n {
		if _, err := st.Publish(draft(i, 2000)); err != nil {
			return err
		}
	}
	return nil
}

// draft is a handover of that many bytes by the subagent of another session.
func draft(n, size int) store.Draft {
	a := actor.ID{Host: "claude", Session: fmt.Sprintf("00000000-0000-4000-8000-%012d", n), Agent: agent}
	d := store.Draft{
		Task:     []byte("Make the tests of the parser pass."),
		Handover: strings.Repeat("What was found out, and what is to be done next.\n", size/49+1)[:size],
		Summary:  "The parser is fixed but for one case.",
	}
	d.Actor, d.Kind, d.Role = a, "subagent", a.Role()
	d.Created = time.Now().UTC()
	d.Project = "/home/someone/project"
	d.Lineage = store.Lineage{State: store.LineageOrigin, Generation: 1}
	return d
}

// with adds to the environment.
func (s *scene) with(env ...string) *scene {
	c := *s
	c.env = append(append([]string(nil), s.env...), env...)
	return &c
}

// session is one session with a subagent whose record holds a number of copies
// of one text.
type session struct {
	*scene
	id string
}

func (s *scene) session(id string, text []byte, copies int) (session, error) {
	v := session{s, id}
	if err := write(v.transcript(), []byte("{}\n")); err != nil {
		return v, err
	}
	record := filepath.Join(strings.TrimSuffix(v.transcript(), ".jsonl"), "subagents", "agent-"+agent)
	if err := write(record+".meta.json", []byte(`{"agentType":"general-purpose","description":"bench","toolUseId":"toolu_spawn","spawnDepth":1}`)); err != nil {
		return v, err
	}
	f, err := os.OpenFile(record+".jsonl", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return v, err
	}
	defer f.Close()
	for range copies {
		if _, err := f.Write(text); err != nil {
			return v, err
		}
	}
	// Nothing is to be written to the disk any more while we measure.
	if err := f.Sync(); err != nil {
		return v, err
	}
	// As the host does when the agent starts; the hook notes it.
	begin, err := v.event("SubagentStart", "")
	if err != nil {
		return v, err
	}
	_, err = begin.output()
	return v, err
}

func (v session) transcript() string {
	return filepath.Join(v.home, ".claude", "projects", "-home-someone-project", v.id+".jsonl")
}

// event is the hook with an event of the session's subagent; members are those
// that only this event has, each with a comma before it.
func (v session) event(name, members string) (process, error) {
	text := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"prompt_id":"5c2f9d0e-7b43-4a86-9f1e-3d8c7b6a5e40","permission_mode":"default","agent_id":%q,"agent_type":"general-purpose","effort":{"level":"medium"},"hook_event_name":%q%s}`,
		v.id, v.transcript(), v.project, agent, name, members)
	file := filepath.Join(v.home, "stdin", v.id, name+".json")
	return process{program: v.hook, env: v.env, stdin: file}, write(file, []byte(text))
}

// batch is the event after the tools of the record's last request.
func (v session) batch(output string) (process, error) {
	return v.event("PostToolBatch", fmt.Sprintf(`,"tool_calls":[{"tool_name":"Bash","tool_input":{"command":"go test ./...","description":"run the tests"},"tool_use_id":%q,"tool_response":"%s"}]`, call, output))
}

// foreign is the event before a tool that is not ours.
func (v session) foreign() (process, error) {
	return v.event("PreToolUse", `,"tool_name":"Bash","tool_input":{"command":"go test ./...","description":"run the tests"},"tool_use_id":"toolu_next"`)
}

// write writes a file and what folders it needs.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

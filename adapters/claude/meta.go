package claude

import (
	"bufio"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/scan"
	"github.com/auto-context-handover/handover/measure/tail"
	"github.com/auto-context-handover/handover/store"
)

// meta is the host's note about a subagent, as far as it is used here.
type meta struct {
	agentType, name, description, call string
	// worktree is the path of the agent's own work tree, "" if it has none.
	worktree string
}

// maxMeta bounds the note's size in bytes.
const maxMeta = 1 << 20

// readMeta reads agent-<id>.meta.json; ok is false where it cannot be.
func readMeta(path string) (m meta, ok bool) {
	f, err := tail.Open(path)
	if err != nil {
		return m, false
	}
	defer f.Close()
	s := scan.New(io.NewSectionReader(f, 0, min(f.Size(), maxMeta)), nil)
	err = s.Object(func(key string) error {
		switch key {
		case "agentType":
			return text(s, &m.agentType)
		case "name":
			return text(s, &m.name)
		case "description":
			return text(s, &m.description)
		case "toolUseId":
			return text(s, &m.call)
		case "worktreePath":
			return text(s, &m.worktree)
		}
		return nil
	})
	return m, err == nil
}

// Origin implements hooks.Origins.
func (Host) Origin(ev hooks.Event) hooks.Origin {
	if ev.Actor.Main() || ev.Record == "" {
		return hooks.Origin{}
	}
	m, ok := readMeta(strings.TrimSuffix(ev.Record, ".jsonl") + ".meta.json")
	if !ok {
		return hooks.Origin{}
	}
	o := hooks.Origin{
		CallID:     m.call,
		Provenance: store.Provenance{AgentType: m.agentType, Name: m.name, Description: m.description},
	}
	if filepath.IsAbs(m.worktree) {
		// An agent definition can ask for a work tree, too; the spawn is silent then.
		o.Worktree, o.Provenance.Isolation = m.worktree, "worktree"
	}
	return o
}

// AgentType is the type of a subagent by the host's own note beside the main
// transcript; "" where there is none.
func AgentType(transcript, agent string) string {
	path := metaPath(transcript, agent)
	if path == "" {
		return ""
	}
	m, _ := readMeta(path)
	return m.agentType
}

// Locate implements hooks.Origins: the transcript of the subagent that a reader
// names by its id, in the caller's session only.
func (Host) Locate(ev hooks.Event, reference string) (string, bool) {
	agent := reference
	if session, a, ok := strings.Cut(reference, ":"); ok {
		if session != ev.Actor.Session {
			return "", false
		}
		agent = a
	}
	if !ValidID(agent) || ev.Record == "" {
		return "", false
	}
	dir := filepath.Dir(ev.Record)
	if ev.Actor.Main() {
		dir = filepath.Dir(RecordPath(ev.Record, "x"))
	}
	path := filepath.Join(dir, "agent-"+agent+".jsonl")
	return path, exists(path)
}

// firstRow is the time, in Unix nanoseconds, in the first row of a transcript
// that has one; 0 if there is none.
func firstRow(path string) int64 {
	f, err := tail.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	r := bufio.NewReaderSize(io.NewSectionReader(f, 0, min(f.Size(), 4<<20)), 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if t := rowTime(line); t != 0 || err != nil {
			return t
		}
	}
}

func rowTime(line []byte) int64 {
	var stamp string
	s := scan.NewBytes(line)
	if s.Object(func(key string) error {
		if key == "timestamp" {
			return text(s, &stamp)
		}
		return nil
	}) != nil {
		return 0
	}
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return 0
	}
	return t.UnixNano()
}

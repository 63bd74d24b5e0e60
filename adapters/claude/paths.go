package claude

import (
	"os"
	"path/filepath"
	"strings"
)

// ids as the host makes them: a letter, digits, hyphens. Anything else gives no
// path, so that no id can point outside the session's folder.
const maxID = 128

// ValidID reports whether id has the form of an id of this host.
func ValidID(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case (c == '-' || c == '_') && i > 0:
		default:
			return false
		}
	}
	return true
}

// kindOf tells a teammate from a subagent: the host makes a teammate's id of
// "a", its name, which is its type as well, and 16 hex digits; a subagent's of
// "a" and 16 hex digits (2.1.332, interactive with agent teams switched on).
func kindOf(id, agentType string) string {
	hex, ok := strings.CutPrefix(id, "a"+agentType+"-")
	if ok && agentType != "" && len(hex) == 16 && strings.Trim(hex, "0123456789abcdef") == "" {
		return "teammate"
	}
	return "subagent"
}

// RecordPath derives an agent's own transcript from the main one's path: the
// path itself for a main agent ("" as the agent), "" where the id or the path
// is not what this host writes.
func RecordPath(main, agent string) string {
	if !filepath.IsAbs(main) || !strings.HasSuffix(main, ".jsonl") {
		return ""
	}
	if agent == "" {
		return main
	}
	if !ValidID(agent) {
		return ""
	}
	return filepath.Join(strings.TrimSuffix(main, ".jsonl"), "subagents", "agent-"+agent+".jsonl")
}

// metaPath is the path of the host's note about a subagent.
func metaPath(main, agent string) string {
	p := RecordPath(main, agent)
	if agent == "" || p == "" {
		return ""
	}
	return strings.TrimSuffix(p, ".jsonl") + ".meta.json"
}

// size is the file's size in bytes, 0 if there is no such regular file.
func size(path string) int64 {
	if path == "" {
		return 0
	}
	st, err := os.Lstat(path)
	if err != nil || !st.Mode().IsRegular() {
		return 0
	}
	return st.Size()
}

func exists(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Lstat(path)
	return err == nil
}

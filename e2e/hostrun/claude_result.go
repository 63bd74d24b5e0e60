package hostrun

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
)

// ClaudeResult is what a run of Claude Code left.
type ClaudeResult struct {
	Events  []ClaudeEvent
	Stderr  string
	Code    int
	Session string // the last session id of the run
	Text    string // the final result's text
	IsError bool   // the final result says so
}

// ClaudeEvent is one line of the stream-json output.
type ClaudeEvent struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Session string `json:"session_id"`
	Result  string `json:"result"`
	IsError bool   `json:"is_error"`
	Raw     []byte `json:"-"`
}

// Where returns the events of a type and subtype; "" stands for any.
func (r *ClaudeResult) Where(kind, subtype string) []ClaudeEvent {
	var found []ClaudeEvent
	for _, e := range r.Events {
		if (kind == "" || e.Type == kind) && (subtype == "" || e.Subtype == subtype) {
			found = append(found, e)
		}
	}
	return found
}

// result waits for a run and reads its output.
func (c *Claude) result(p *Process) *ClaudeResult {
	c.tb.Helper()
	lines, stderr, code := p.Wait()
	r := &ClaudeResult{Stderr: stderr, Code: code}
	for _, line := range lines {
		var e ClaudeEvent
		if err := json.Unmarshal(line, &e); err != nil {
			c.tb.Fatalf("claude: a line of output that is not JSON: %s", line)
		}
		e.Raw = line
		r.Events = append(r.Events, e)
		if e.Session != "" {
			r.Session = e.Session
		}
		if e.Type == "result" {
			r.Text, r.IsError = e.Result, e.IsError
		}
	}
	return r
}

// Transcript returns the path of the transcript of a session of this project,
// or of one of its subagents.
func (c *Claude) Transcript(session, agent string) string {
	slug := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(c.Dir, "-")
	folder := filepath.Join(c.Home, ".claude", "projects", slug)
	if agent == "" {
		return filepath.Join(folder, session+".jsonl")
	}
	return filepath.Join(folder, session, "subagents", "agent-"+agent+".jsonl")
}

func joinLines(lines [][]byte) string { return string(bytes.Join(lines, []byte("\n"))) }

package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/measure"
)

const (
	session = "11111111-2222-3333-4444-555555555555"
	agent   = "abeae8a9e1d7e70ee"
)

// usageOf is a usage as the host writes it; its four counters sum to n.
func usageOf(n int64) string {
	return fmt.Sprintf(`{"input_tokens":%d,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":5,"output_tokens_details":{"thinking_tokens":0},"server_tool_use":{"web_search_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_5m_input_tokens":0},"inference_geo":"","iterations":[],"speed":"standard","fallback_credit":null}`, n-10)
}

// assistant is one block of a subagent's response.
func assistant(id, usage, block string) string {
	return fmt.Sprintf(`{"parentUuid":"p","isSidechain":true,"agentId":%q,"message":{"id":%q,"type":"message","role":"assistant","model":"claude-opus-5-5","content":[%s],"stop_reason":"tool_use","usage":%s},"apiBlockIndex":0,"requestId":"req","type":"assistant","uuid":"u","timestamp":"2026-11-30T23:11:47.330Z","sessionId":%q,"version":"2.1.332"}`, agent, id, block, usage, session)
}

const (
	textBlock = `{"type":"text","text":"\"usage\":{\"input_tokens\":999999}"}`
	boundary  = `{"parentUuid":null,"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":5156},"sessionId":"` + session + `"}`
	toolRow   = `{"type":"user","isSidechain":true,"agentId":"` + agent + `","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]},"sessionId":"` + session + `"}`
	blobRow   = `{"type":"api-request-blob","body":"…"}`
)

func TestReading(t *testing.T) {
	ok := assistant("msg_1", usageOf(52123), textBlock)
	for _, c := range []struct {
		name string
		rows string
		want int64  // 0 = unknown
		why  string // part of the reason
	}{
		{"one block", ok + "\n", 52123, ""},
		{"several blocks, the last wins", assistant("msg_1", usageOf(50), textBlock) + "\n" + toolRow + "\n" + ok + "\n", 52123, ""},
		{"newest of two", assistant("msg_0", usageOf(99), textBlock) + "\n" + ok + "\n" + toolRow + "\n" + blobRow + "\n", 52123, ""},
		{"no usage", assistant("msg_0", usageOf(99), textBlock) + "\n" + strings.Replace(ok, `"usage":`, `"used":`, 1) + "\n", 0, "no usage"},
		{"null usage", assistant("msg_1", "null", textBlock) + "\n", 0, "no usage"},
		{"usage is a list", assistant("msg_1", "[1]", textBlock) + "\n", 0, "no usage"},
		{"all zero", assistant("msg_1", `{"input_tokens":0,"output_tokens":0}`, textBlock) + "\n", 0, "all zero"},
		{"renamed counter", assistant("msg_1", strings.Replace(usageOf(9000), "cache_read_input_tokens", "cached_input_tokens", 1), textBlock) + "\n", 0, "cached_input_tokens"},
		{"counter is a string", assistant("msg_1", strings.Replace(usageOf(9000), `"output_tokens":5`, `"output_tokens":"5"`, 1), textBlock) + "\n", 0, "output_tokens"},
		{"counter is negative", assistant("msg_1", strings.Replace(usageOf(9000), `"output_tokens":5`, `"output_tokens":-5`, 1), textBlock) + "\n", 0, "output_tokens"},
		{"counter is a fraction", assistant("msg_1", strings.Replace(usageOf(9000), `"output_tokens":5`, `"output_tokens":5.5`, 1), textBlock) + "\n", 0, "output_tokens"},
		{"counter is huge", assistant("msg_1", strings.Replace(usageOf(9000), `"output_tokens":5`, `"output_tokens":1e300`, 1), textBlock) + "\n", 0, "output_tokens"},
		{"no output counter", assistant("msg_1", strings.Replace(usageOf(9000), `"output_tokens":5,`, ``, 1), textBlock) + "\n", 0, "lacks"},
		{"iterations", assistant("msg_1", strings.Replace(usageOf(9000), `"iterations":[]`, `"iterations":[{"input_tokens":1,"output_tokens":1},{"input_tokens":700,"cache_read_input_tokens":20,"output_tokens":3}]`, 1), textBlock) + "\n", 723, ""},
		{"null input", assistant("msg_1", strings.Replace(usageOf(9000), `"input_tokens":8990`, `"input_tokens":null`, 1), textBlock) + "\n", 0, "lacks"},
		{"null output", assistant("msg_1", strings.Replace(usageOf(9000), `"output_tokens":5`, `"output_tokens":null`, 1), textBlock) + "\n", 0, "lacks"},
		{"an iteration that is not understood", assistant("msg_1", strings.Replace(usageOf(9000), `"iterations":[]`, `"iterations":[{"input_tokens":1,"output_tokens":1},{}]`, 1), textBlock) + "\n", 0, "no usage"},
		{"iterations are no list", assistant("msg_1", strings.Replace(usageOf(9000), `"iterations":[]`, `"iterations":{}`, 1), textBlock) + "\n", 0, "iterations"},
		{"null iterations", assistant("msg_1", strings.Replace(usageOf(9000), `"iterations":[]`, `"iterations":null`, 1), textBlock) + "\n", 9000, ""},
		{"a compaction as iteration", assistant("msg_1", strings.Replace(usageOf(9000), `"iterations":[]`, `"iterations":[{"type":"message","input_tokens":1,"output_tokens":1},{"type":"compaction","input_tokens":700,"output_tokens":3}]`, 1), textBlock) + "\n", 0, "compaction"},
		{"no id", ok + "\n" + strings.Replace(assistant("msg_2", usageOf(77), textBlock), `"id":"msg_2",`, "", 1) + "\n", 0, "no id"},
		{"synthetic error is no request", ok + "\n" + strings.Replace(assistant("msg_2", usageOf(77), textBlock), `"claude-opus-5-5"`, `"<synthetic>"`, 1) + "\n", 52123, ""},
		{"error message is no request", ok + "\n" + strings.Replace(assistant("msg_2", usageOf(77), textBlock), `"apiBlockIndex":0`, `"isApiErrorMessage":true`, 1) + "\n", 52123, ""},
		{"another agent's", ok + "\n" + strings.Replace(assistant("msg_2", usageOf(77), textBlock), agent, "aaaaaaaaaaaaaaaaa", 1) + "\n", 52123, ""},
		{"the main agent's", ok + "\n" + strings.Replace(strings.Replace(assistant("msg_2", usageOf(77), textBlock), `"agentId":"`+agent+`",`, "", 1), `"isSidechain":true`, `"isSidechain":false`, 1) + "\n", 52123, ""},
		{"another session's", ok + "\n" + strings.Replace(assistant("msg_2", usageOf(77), textBlock), session, "99999999-2222-3333-4444-555555555555", 1) + "\n", 52123, ""},
		{"after a compaction", ok + "\n" + boundary + "\n" + toolRow + "\n", 0, "since the compaction"},
		{"request after a compaction", ok + "\n" + boundary + "\n" + assistant("msg_2", usageOf(4100), textBlock) + "\n", 4100, ""},
		{"torn last row", ok + "\n" + assistant("msg_2", usageOf(77), textBlock)[:200], 52123, ""},
		{"last row without its line end", ok, 52123, ""},
		{"CRLF and BOM", "\ufeff" + ok + "\r\n" + toolRow + "\r\n", 52123, ""},
		{"NUL block", ok + "\n" + strings.Repeat("\x00", 5000) + "\n", 52123, ""},
		{"fused rows", ok + "\n" + assistant("msg_2", usageOf(77), textBlock) + assistant("msg_3", usageOf(78), textBlock) + "\n", 52123, ""},
		{"garbage", ok + "\nnot json\n{\"type\":\n[]\n\n", 52123, ""},
		{"lone surrogate", ok + "\n" + `{"type":"user","message":"\ud800"}` + "\n", 52123, ""},
		{"twice the same member", ok + "\n" + strings.Replace(assistant("msg_2", usageOf(77), textBlock), `"type":"assistant"`, `"type":"assistant","type":"assistant"`, 1) + "\n", 52123, ""},
		{"nothing known", "{\"kind\":\"a\"}\n{\"kind\":\"b\"}\n", 0, "none of 2 records"},
		{"no request", toolRow + "\n" + blobRow + "\n", 0, "among 2 records"},
		{"empty", "", 0, "empty"},
		{"long row after it", ok + "\n" + `{"type":"user","x":"` + strings.Repeat("y", 3<<20) + `"}` + "\n", 52123, ""},
		{"long row itself", strings.Replace(ok, `"text":"`, `"text":"`+strings.Repeat("z", 2<<20), 1) + "\n", 52123, ""},
		{"beyond the cap", ok + "\n" + `{"type":"user","x":"` + strings.Repeat("y", 33<<20) + `"}` + "\n", 0, "32 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			main := filepath.Join(t.TempDir(), session+".jsonl")
			path := RecordPath(main, agent)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(c.rows), 0o600); err != nil {
				t.Fatal(err)
			}
			got := MeasureFile(main, session, agent, "", hooks.Env{Lookup: func(string) (string, bool) { return "", false }}).Reading
			if c.want == 0 {
				if got.Known() || !strings.Contains(got.Reason, c.why) {
					t.Errorf("got %+v, want unknown because of %q", got, c.why)
				}
				return
			}
			if got.Kind != measure.Measured || got.Tokens != c.want {
				t.Errorf("got %+v, want %d tokens", got, c.want)
			}
		})
	}
}

func TestGrowth(t *testing.T) {
	row := func(id string, n int64) string { return assistant(id, usageOf(n), textBlock) + "\n" }
	env := hooks.Env{Lookup: func(string) (string, bool) { return "", false }}
	main := filepath.Join(t.TempDir(), session+".jsonl")
	path := RecordPath(main, agent)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(rows string) {
		if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(row("a", 1000) + row("a", 1000) + toolRow + "\n" + row("b", 1500) + row("c", 2700) + row("c", 2700))
	g := MeasureFile(main, session, agent, "", env).Growth
	if g.Baseline.Tokens != 1000 || !g.IncreaseKnown || g.LastIncrease != 1200 {
		t.Errorf("three requests: %+v", g)
	}
	write(row("a", 1000) + boundary + "\n" + row("b", 1500))
	g = MeasureFile(main, session, agent, "", env).Growth
	if g.Baseline.Tokens != 1500 || g.IncreaseKnown {
		t.Errorf("one request of the epoch: %+v", g)
	}
	write(row("a", 1000) + assistant("b", "null", textBlock) + "\n" + row("c", 2700))
	g = MeasureFile(main, session, agent, "", env).Growth
	if g.Baseline.Tokens != 1000 || g.IncreaseKnown {
		t.Errorf("a request without usage before the newest: %+v", g)
	}
}

func TestRecordPathStaysInside(t *testing.T) {
	for _, id := range []string{"", "../../x", "a/b", "a\\b", ".", "..", "a.b", "-x", "é", strings.Repeat("a", 129), "a\x00b"} {
		if id != "" && RecordPath("/h/s.jsonl", id) != "" {
			t.Errorf("agent id %q gives the path %q", id, RecordPath("/h/s.jsonl", id))
		}
	}
	for _, main := range []string{"", "s.jsonl", "/h/s.json", "../s.jsonl"} {
		if got := RecordPath(main, agent); got != "" {
			t.Errorf("main transcript %q gives the path %q", main, got)
		}
	}
	if got := RecordPath("/h/s.jsonl", agent); got != "/h/s/subagents/agent-"+agent+".jsonl" {
		t.Errorf("path is %q", got)
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// twins is how often two hooks of one agent are started together.
const twins = 200

// noRaceSleep spares each process the second that the race detector waits at its
// end by default.
const noRaceSleep = "GORACE=atexit_sleep_ms=0"

// hookRun runs the hook as a process of its own.
func hookRun(t *testing.T, home, stdin string) string {
	cmd := exec.Command(os.Args[0])
	cmd.Args = []string{"handover-hook-claude"}
	cmd.Path = filepath.Join(home, "handover-hook-claude")
	cmd.Env = []string{"HOME=" + home, noRaceSleep}
	cmd.Stdin = strings.NewReader(stdin)
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	if err := cmd.Run(); err != nil || diag.Len() > 0 {
		t.Errorf("hook: %v, stderr %q", err, diag.String())
	}
	return out.String()
}

// together runs two hooks at once.
func together(t *testing.T, home, one, other string) (string, string) {
	var wg sync.WaitGroup
	var a, b string
	wg.Go(func() { a = hookRun(t, home, one) })
	wg.Go(func() { b = hookRun(t, home, other) })
	wg.Wait()
	return a, b
}

// TestTwoHooksAtOnce: hooks of one agent run in parallel, as processes. Two that
// see the same stage give one notice; two that see different ones never a lower
// after a higher; two spawns leave two facts, two calls two records.
func TestTwoHooksAtOnce(t *testing.T) {
	home := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// testscript's commands are chosen by the name they are started under.
	if err := os.Symlink(self, filepath.Join(home, "handover-hook-claude")); err != nil {
		t.Fatal(err)
	}
	const session = "11111111-2222-3333-4444-555555555555"
	main := filepath.Join(home, session+".jsonl")
	agents := filepath.Join(home, session, "subagents")
	if err := os.MkdirAll(agents, 0o700); err != nil {
		t.Fatal(err)
	}
	row := func(agent string, tokens int) {
		line := fmt.Sprintf(`{"isSidechain":true,"agentId":%q,"message":{"id":"m","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":"c"}],"usage":{"input_tokens":%d,"output_tokens":1}},"type":"assistant","sessionId":%q}`+"\n", agent, tokens, session)
		if err := os.WriteFile(filepath.Join(agents, "agent-"+agent+".jsonl"), []byte(line), 0o600); err != nil {
			t.Error(err)
		}
	}
	event := func(agent, rest string) string {
		return fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"agent_id":%q,"agent_type":"x",%s}`, session, main, home, agent, rest)
	}
	batch := `"hook_event_name":"PostToolBatch","tool_calls":[{"tool_use_id":"c"}]`
	for n := range twins {
		agent := fmt.Sprintf("a%016x", n)
		row(agent, 125_000)
		one, other := together(t, home, event(agent, batch), event(agent, batch))
		if got := strings.Count(one+other, "[handover:notice 1]"); got != 1 {
			t.Fatalf("round %d: %d notices of stage 1:\n%s\n%s", n, got, one, other)
		}
		spawn := `"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":"task %d"},"tool_use_id":"spawn%d"`
		together(t, home, event(agent, fmt.Sprintf(spawn, 1, 2*n)), event(agent, fmt.Sprintf(spawn, 2, 2*n+1)))
		call := `"hook_event_name":"PreToolUse","tool_name":"mcp__plugin_handover_handover__context_handover","tool_input":{"handover":"h%d","summary":"s"},"tool_use_id":"call%d","mcp_server":{"name":"plugin:handover:handover"}`
		one, other = together(t, home, event(agent, fmt.Sprintf(call, 1, 2*n)), event(agent, fmt.Sprintf(call, 2, 2*n+1)))
		if !strings.Contains(one, `"allow"`) || !strings.Contains(other, `"allow"`) {
			t.Fatalf("round %d: %s %s", n, one, other)
		}
	}
	for folder, want := range map[string]int{"spawns": 2 * twins, "capabilities": 2 * twins, "actors": twins} {
		entries, err := os.ReadDir(filepath.Join(home, ".local", "share", "handover", folder))
		if err != nil || len(entries) != want {
			t.Errorf("%s holds %d files, want %d: %v", folder, len(entries), want, err)
		}
	}
}

// TestHostGone: what was claimed for an answer that nobody could read is given
// back, so that the next hook says it.
func TestHostGone(t *testing.T) {
	home := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(home, "handover-hook-claude")); err != nil {
		t.Fatal(err)
	}
	start := fmt.Sprintf(`{"session_id":"s1","transcript_path":"%s/s1.jsonl","cwd":%q,"hook_event_name":"SessionStart","source":"startup"}`, home, home)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := exec.Command(filepath.Join(home, "handover-hook-claude"))
	cmd.Env = []string{"HOME=" + home, noRaceSleep}
	cmd.Stdin, cmd.Stdout = strings.NewReader(start), w
	if err := cmd.Run(); err != nil {
		t.Errorf("with nobody to read: %v", err)
	}
	w.Close()
	if got := hookRun(t, home, start); !strings.Contains(got, "[handover:intro]") {
		t.Errorf("the introduction that nobody read is not said again: %q", got)
	}
}

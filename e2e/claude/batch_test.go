//go:build e2e

package claude

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// batchCalls is how many tools a batch calls.
const batchCalls = 3

// TestClaudeBatchTime prints how long it takes, at the median and at the 95th
// percentile, from an answer that calls tools to the request that brings their
// results, and what the plugin adds to that: with 1, 8 and 32 subagents at once,
// below every stage, as the model server sees it. It asserts nothing about time.
// It does not run in parallel with other stories.
func TestClaudeBatchTime(t *testing.T) {
	for _, c := range []struct{ agents, batches int }{{1, 24}, {8, 8}, {32, 4}} {
		t.Run(fmt.Sprint(c.agents), func(t *testing.T) {
			without := batchGaps(t, c.agents, c.batches, "")
			with := batchGaps(t, c.agents, c.batches, pluginFolder)
			for _, p := range []int{50, 95} {
				before := percentile(without, p)
				fmt.Printf("batch_ms_p%d_of_%d: %.1f\n", p, c.agents, milliseconds(before))
				fmt.Printf("batch_added_ms_p%d_of_%d: %.1f\n", p, c.agents, milliseconds(percentile(with, p)-before))
			}
		})
	}
}

// TestClaudeBatchProcesses: a quiet batch of tools starts at most one process of
// ours for each of its calls and one more.
func TestClaudeBatchProcesses(t *testing.T) {
	folder, seen := recordingPlugin(t)
	const n, batches = 8, 4
	batchGaps(t, n, batches, folder)

	events := recordedEvents(t, seen)
	byCall := map[string]int{}
	for _, e := range events {
		if e.Agent != "" && e.Call != "" {
			byCall[e.Call]++
		}
	}
	most, found, counted := 0, 0, 0
	for _, e := range events {
		if e.Agent == "" || e.Event != "PostToolBatch" {
			continue
		}
		found++
		processes := 1
		for _, c := range e.Calls {
			processes += byCall[c.ID]
		}
		counted += processes
		most = max(most, processes)
		if processes > len(e.Calls)+1 {
			t.Errorf("a batch of %d calls started %d processes", len(e.Calls), processes)
		}
	}
	if found != n*batches {
		t.Errorf("the hook saw %d batches, want %d", found, n*batches)
	}
	for _, e := range events {
		if e.Agent != "" && e.Event != "SubagentStart" && e.Event != "SubagentStop" {
			counted--
		}
	}
	if counted != 0 {
		t.Errorf("%d processes belong to no batch", -counted)
	}
	fmt.Printf("processes_per_batch_of_%d_calls: %d\n", batchCalls, most)
}

// batchGaps runs n subagents at once, with the plugin in the folder or without
// one, and returns how long each of their batches took.
func batchGaps(t *testing.T, n, batches int, plugin string) []time.Duration {
	t.Helper()
	script := model.NewScript(t, hostrun.ClaudeHost())
	claude := hostrun.NewClaude(t, script)
	claude.Env["CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS"] = "64"
	claude.Env["CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY"] = "64"
	claude.Timeout = 3 * time.Minute
	if plugin != "" {
		claude.InstallPlugin(plugin)
	}
	var files []string
	for i := range batchCalls {
		file := filepath.Join(claude.Dir, fmt.Sprintf("file-%d.txt", i))
		if err := os.WriteFile(file, []byte("some text\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	script.Main().Steps(
		func(*model.Turn) model.Answer {
			var spawns model.Answer
			for i := range n {
				spawns = spawns.Then(hostrun.ClaudeSpawn{Prompt: fmt.Sprintf("SUBTASK: part %d", i)}.Call())
			}
			return spawns
		},
		func(turn *model.Turn) model.Answer {
			if got := len(turn.LastToolResults()); got != n {
				turn.Fatalf("main was sent %d reports, want %d", got, n)
			}
			return model.Text("main is done")
		},
	)
	var steps []func(*model.Turn) model.Answer
	for range batches {
		steps = append(steps, func(*model.Turn) model.Answer {
			var calls model.Answer
			for _, file := range files {
				calls = calls.Then(model.ToolUse("Read", map[string]string{"file_path": file}))
			}
			return calls
		})
	}
	steps = append(steps, func(turn *model.Turn) model.Answer {
		for _, r := range turn.LastToolResults() {
			if r.Error {
				turn.Fatalf("a read failed: %s", r.Text)
			}
		}
		return model.Text("report")
	})
	agents := script.Agent("SUBTASK").Steps(steps...)
	runs(t, claude, script, "Do the task in parts.", "main is done")

	var gaps []time.Duration
	for _, requests := range byAgent(agents) {
		for i, r := range requests[1:] {
			gaps = append(gaps, r.At.Sub(requests[i].Reply.At))
		}
	}
	if len(gaps) != n*batches {
		t.Fatalf("%d batches, want %d", len(gaps), n*batches)
	}
	return gaps
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// percentile is the nearest-rank one.
func percentile(list []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[(len(sorted)*p+99)/100-1]
}

// recordingPlugin is a copy of our plugin whose hook first keeps what the host
// gave it, one file for each process, in the folder seen.
func recordingPlugin(t *testing.T) (folder, seen string) {
	t.Helper()
	folder, seen = filepath.Join(t.TempDir(), "plugin"), t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(pluginFolder)); err != nil {
		t.Fatal(err)
	}
	hook := filepath.Join(folder, "bin", "handover-hook-claude")
	if err := os.Rename(hook, hook+"-itself"); err != nil {
		t.Fatal(err)
	}
	keep := fmt.Sprintf("#!/bin/sh\nkept=$(mktemp '%s/XXXXXXXXXX') && cat >\"$kept\" && exec \"$0-itself\" \"$@\" <\"$kept\"\n", seen)
	if err := os.WriteFile(hook, []byte(keep), 0o700); err != nil {
		t.Fatal(err)
	}
	return folder, seen
}

// recordedEvent is what tells hook processes apart.
type recordedEvent struct {
	Event string `json:"hook_event_name"`
	Agent string `json:"agent_id"`
	Call  string `json:"tool_use_id"`
	Calls []struct {
		ID string `json:"tool_use_id"`
	} `json:"tool_calls"`
}

func recordedEvents(t *testing.T, folder string) []recordedEvent {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var events []recordedEvent
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var e recordedEvent
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatalf("a hook was given %s: %v", strings.TrimSpace(string(text)), err)
		}
		events = append(events, e)
	}
	return events
}

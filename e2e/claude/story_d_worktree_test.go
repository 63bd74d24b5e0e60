//go:build e2e

package claude

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
)

// repository makes the project of a story a git repository with one commit.
func repository(tb testing.TB, c *hostrun.Claude) {
	tb.Helper()
	if err := os.WriteFile(filepath.Join(c.Dir, "kept.txt"), []byte("committed\n"), 0o644); err != nil {
		tb.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
		git(tb, c.Dir, args...)
	}
}

// git runs git with an identity of its own and no settings of the machine.
func git(tb testing.TB, dir string, args ...string) string {
	tb.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=story", "-c", "user.email=story@example.invalid"}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// runs one command and checks what it printed.
func printed(w *worker, command func() string, want string) phase {
	asked := false
	return func(t *model.Turn) (model.Answer, outcome) {
		if !asked {
			asked = true
			return w.using(hostrun.ClaudeBash(command())), again
		}
		if got := t.LastToolResult().Text; !strings.Contains(got, want) {
			t.Fatalf("%s: the command printed %q, want %q", t.Request.Conversation, got, want)
		}
		return model.Answer{}, passed
	}
}

// treeOf takes the work tree from what the parent is told to add to the prompt.
func treeOf(t *testing.T, add string) string {
	t.Helper()
	_, rest, _ := strings.Cut(add, `"`)
	tree, _, ok := strings.Cut(rest, `"`)
	if !ok || !filepath.IsAbs(tree) {
		t.Fatalf("no work tree in %q", add)
	}
	return tree
}

// TestWorktree: a subagent in a work tree of its own hands over with a commit
// and an uncommitted file. Its successor is started without a tree of its own
// and told where the work is, and so is the one after that; nothing is left
// behind. That a successor with the same parameters would not have the work is
// shown first.
func TestWorktree(t *testing.T) {
	t.Parallel()
	var first worker
	var second, third successor
	var p parent
	script := model.NewScript(t, hostrun.ClaudeHost())
	fill := []load{{19_999, ""}, {20_000, "1"}}
	tree := func() string { return treeOf(t, p.Compact.Add) }
	work := phases(
		first.starts(),
		printed(&first, func() string {
			return "echo open > open.txt && echo more >> kept.txt && git -c user.name=s -c user.email=s@example.invalid commit -qam second && pwd"
		}, filepath.Join(".claude", "worktrees", "agent-")),
		first.carried(fill...),
		first.handsOver(drafted(map[string]string{"Prioritized next steps": "1. go on"}, "User decisions pending: none")),
	)
	naive := phases(
		printed(&worker{}, func() string { return "cat kept.txt; ls open.txt 2>&1 || true" }, "No such file"),
		says(model.Text("a fresh tree has nothing of it")),
	)
	goesOn := phases(
		second.readsAll(),
		printed(&second.worker, func() string { return "cd '" + tree() + "' && cat open.txt kept.txt && echo two >> open.txt" }, "open\ncommitted\nmore"),
		second.carried(fill...),
		second.handsOver(drafted(map[string]string{"Prioritized next steps": "1. finish"}, "User decisions pending: none")),
	)
	finishes := phases(
		third.readsAll(),
		printed(&third.worker, func() string { return "cd '" + tree() + "' && cat open.txt" }, "open\ntwo"),
		says(model.Text(report)),
	)
	isolated := func(s *hostrun.ClaudeSpawn) { s.Prompt += "\n" + p.Compact.Add }
	lead := []phase{p.spawns(hostrun.ClaudeSpawn{Type: "general-purpose", Isolation: "worktree", Prompt: "SUBTASK: change two files."}), p.reads()}
	lead = append(lead, func(*model.Turn) (model.Answer, outcome) {
		return hostrun.ClaudeSpawn{Type: "general-purpose", Isolation: "worktree", Prompt: "NAIVE: same parameters."}.Call(), over
	})
	lead = append(lead, func(*model.Turn) (model.Answer, outcome) {
		s := hostrun.ClaudeSpawn{Type: p.Compact.AgentType, Isolation: p.Compact.Isolation, Prompt: p.Compact.Prompt.Line + "\n" + p.Compact.Add}
		p.Spawned = s
		return s.Call(), over
	})
	lead = append(lead, p.replaces(isolated)...)
	leading := phases(append(lead, p.ends(report, "main is done"))...)
	script.Main().Do(leading.answer)
	script.Agent("SUBTASK").Do(work.answer)
	script.Agent("NAIVE").Do(naive.answer)
	script.Agent("[handover:continue").Do(inTurn(goesOn, finishes))

	claude := withPlugin(t, script, "soft=20000")
	claude.Mode = "bypassPermissions"
	claude.Env["IS_SANDBOX"] = "1"
	repository(t, claude)
	runs(t, claude, script, "Do the task.", "main is done")
	for _, c := range []*course{work, naive, goesOn, finishes, leading} {
		c.finished(t)
	}
	if t.Failed() {
		return
	}
	all := handovers(t, storeFolder(claude))
	if len(all) != 2 {
		t.Fatalf("%d handovers, want 2", len(all))
	}
	for i, h := range all {
		if want := filepath.Join(claude.Dir, ".claude", "worktrees"); !strings.HasPrefix(h.Head.Worktree, want) {
			t.Errorf("generation %d: work tree %q, want one in %s", i+1, h.Head.Worktree, want)
		}
		if h.Head.Repository.Root != h.Head.Worktree {
			t.Errorf("generation %d: the repository state is that of %q", i+1, h.Head.Repository.Root)
		}
	}
	if all[0].Head.Worktree != all[1].Head.Worktree || !strings.Contains(p.Compact.Add, all[1].Head.Worktree) || p.Compact.Isolation != "" {
		t.Errorf("the views do not carry the work tree on: %+v", p.Compact)
	}
	open, err := os.ReadFile(filepath.Join(all[0].Head.Worktree, "open.txt"))
	if err != nil || string(open) != "open\ntwo\n" {
		t.Errorf("the uncommitted file holds %q, %v", open, err)
	}
	shown.Show(t, "d", "A subagent in a work tree of its own handed over with a commit and an uncommitted file in it. A subagent started with the same parameters did not have that work (its command's output in the requests shows it). "+
		"The views prescribed no isolation and the tree's path; the successor and the one after it found and continued the work there, and the uncommitted file holds what both wrote. Records and repository state name that tree.")
}

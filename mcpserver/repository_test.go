package mcpserver

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// newRepository makes a repository with two committed files.
func newRepository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mustGit(t, dir, "init", "-q", "-b", "main")
	mustGit(t, dir, "config", "user.email", "a@example.com")
	mustGit(t, dir, "config", "user.name", "a")
	mustWrite(t, filepath.Join(dir, "a.go"), "package a\n")
	mustWrite(t, filepath.Join(dir, "sub", "b.txt"), "b\n")
	mustGit(t, dir, "add", ".")
	mustGit(t, dir, "commit", "-q", "-m", "first")
	return dir
}

func mustGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestRepositoryState(t *testing.T) {
	dir := newRepository(t)
	mustWrite(t, filepath.Join(dir, "a.go"), "package a // changed\n")
	mustWrite(t, filepath.Join(dir, "new", "with space\nand line.txt"), "new\n")
	if err := os.Remove(filepath.Join(dir, "sub", "b.txt")); err != nil {
		t.Fatal(err)
	}
	head := mustGit(t, dir, "rev-parse", "HEAD")

	got := repositoryState(context.Background(), filepath.Join(dir, "sub"), os.Environ())
	want := store.Repository{
		Known: true, Root: dir, Head: head, Branch: "main",
		Dirty: []store.DirtyFile{
			{Path: "a.go", Status: ".M", SHA256: "-"},
			{Path: "sub/b.txt", Status: ".D"},
			{Path: "new/with space\nand line.txt", Status: "??", SHA256: "-"},
		},
	}
	for i, file := range got.Dirty {
		if file.SHA256 != "" && i < len(want.Dirty) {
			sum, _, _ := strings.Cut(mustOutput(t, "sha256sum", "-z", filepath.Join(dir, file.Path)), " ")
			want.Dirty[i].SHA256 = sum
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

func mustOutput(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestRepositoryWorktree(t *testing.T) {
	dir := newRepository(t)
	linked := filepath.Join(t.TempDir(), "linked")
	mustGit(t, dir, "worktree", "add", "-q", "-b", "side", linked)
	got := repositoryState(context.Background(), linked, os.Environ())
	if !got.Known || !got.Worktree || got.Branch != "side" {
		t.Errorf("state of a linked work tree: %+v", got)
	}
}

func TestRepositoryUnknown(t *testing.T) {
	dir := newRepository(t)
	elsewhere := newRepository(t)
	mustGit(t, elsewhere, "config", "core.worktree", dir)
	bare := filepath.Join(dir, "vendor", "trap")
	mustGit(t, dir, "init", "-q", "--bare", bare)

	for name, dir := range map[string]string{
		"no directory":        "",
		"missing":             filepath.Join(t.TempDir(), "missing"),
		"no repository":       t.TempDir(),
		"work tree elsewhere": elsewhere,
		"embedded bare":       bare,
	} {
		got := repositoryState(context.Background(), dir, os.Environ())
		if got.Known || got.Reason == "" || len(got.Dirty) > 0 {
			t.Errorf("%s: %+v, want unknown with a reason", name, got)
		}
	}
}

// TestRepositoryRunsNothing: none of the programs that a repository's own
// configuration names is run.
func TestRepositoryRunsNothing(t *testing.T) {
	dir := newRepository(t)
	proof := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(dir, "evil.sh")
	mustWrite(t, script, "#!/bin/sh\necho $0 >> "+proof+"\ncat\n")
	mustWrite(t, filepath.Join(dir, ".gitattributes"), "*.go filter=evil diff=evil\n*.txt filter=e.v\\\"il\n")
	for _, key := range []string{
		"core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "filter.e.v il.clean",
		"diff.evil.command", "diff.evil.textconv", "diff.external", "core.pager", "core.sshCommand", "core.askPass",
		"credential.helper", "core.alternateRefsCommand", "core.editor", "gpg.program",
	} {
		mustGit(t, dir, "config", key, script)
	}
	mustGit(t, dir, "config", "filter.evil.required", "true")
	mustGit(t, dir, "config", "core.hooksPath", filepath.Join(dir, "hooks"))
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "query-watchman", "pre-commit", "reference-transaction"} {
		mustWrite(t, filepath.Join(dir, "hooks", hook), "#!/bin/sh\necho $0 >> "+proof+"\n")
	}
	mustWrite(t, filepath.Join(dir, "a.go"), "package b\n") // same size: git must look inside
	mustWrite(t, filepath.Join(dir, "sub", "b.txt"), "c\n")

	environ := append(os.Environ(),
		"GIT_EXTERNAL_DIFF="+script, "GIT_DIR="+t.TempDir(), "GIT_ASKPASS="+script, "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0="+script, "GIT_TRACE="+filepath.Join(dir, "trace"))
	got := repositoryState(context.Background(), dir, environ)
	if !got.Known || len(got.Dirty) == 0 {
		t.Fatalf("state: %+v", got)
	}
	repositoryDrift(context.Background(), got, "see a.go", environ)
	if ran, err := os.ReadFile(proof); err == nil {
		t.Errorf("the repository's programs ran:\n%s", ran)
	}
	if _, err := os.Stat(filepath.Join(dir, "trace")); err == nil {
		t.Error("GIT_TRACE was followed")
	}
	// The trap works at all: a plain git status runs it.
	plain := exec.Command("git", "status")
	plain.Dir = dir
	_ = plain.Run()
	if _, err := os.Stat(proof); err != nil {
		t.Error("the trap of this test does not work")
	}
}

func TestRepositoryFilterThatCannotBeSwitchedOff(t *testing.T) {
	dir := newRepository(t)
	mustGit(t, dir, "config", "filter.a=b.clean", "/bin/cat")
	got := repositoryState(context.Background(), dir, os.Environ())
	if got.Known || !strings.Contains(got.Reason, "switched off") {
		t.Errorf("state: %+v", got)
	}
}

// TestRepositoryTime: a git that hangs, with a child that hangs, is given up
// after its time and killed with the child. Neither ends by itself.
func TestRepositoryTime(t *testing.T) {
	bin := t.TempDir()
	pidFile := filepath.Join(bin, "pid")
	mustWrite(t, filepath.Join(bin, "git"), "#!/bin/sh\nsleep 1000000 &\necho $! > "+pidFile+"\nwait\n")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	got := repositoryState(ctx, t.TempDir(), os.Environ())
	if got.Known || !strings.Contains(got.Reason, "in time") {
		t.Errorf("state: %+v", got)
	}
	pid, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("git's child is still running")
}

func TestRepositoryOutputIsBounded(t *testing.T) {
	dir := newRepository(t)
	for i := range 900 {
		mustWrite(t, filepath.Join(dir, "many", strings.Repeat("x", 100)+string(rune('a'+i%26))+strings.Repeat("y", i/26)), "")
	}
	got := repositoryState(context.Background(), dir, os.Environ())
	if !got.Known || len(got.Dirty) != maxDirty || got.More == 0 || got.Reason == "" {
		t.Errorf("known %v, %d files, %d more, reason %q", got.Known, len(got.Dirty), got.More, got.Reason)
	}
}

func TestDrift(t *testing.T) {
	dir := newRepository(t)
	mustWrite(t, filepath.Join(dir, "kept.txt"), "kept\n")
	mustWrite(t, filepath.Join(dir, "draft.txt"), "draft\n")
	mustWrite(t, filepath.Join(dir, "gone.txt"), "gone\n")
	then := repositoryState(context.Background(), dir, os.Environ())

	mustWrite(t, filepath.Join(dir, "draft.txt"), "draft, further\n")
	mustWrite(t, filepath.Join(dir, "unnamed.txt"), "x\n")
	mustWrite(t, filepath.Join(dir, "an odd name.txt"), "x\n")
	mustWrite(t, filepath.Join(dir, "sub", "b.txt"), "b2\n")
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	mustGit(t, dir, "commit", "-q", "-m", "second", "sub/b.txt")
	mustGit(t, dir, "checkout", "-q", "-b", "other")

	text := "Changed `a.go:12`, " + dir + "/kept.txt and ./draft.txt; gone.txt was made. See sub/b.txt. Not here: nothing.txt, but \"an odd name.txt\", e.g. v1.2.\nIn sub/ too."
	d := repositoryDrift(context.Background(), then, text, os.Environ())
	want := modeltext.Drift{
		Known: true, HeadThen: then.Head, HeadNow: mustGit(t, dir, "rev-parse", "HEAD"), BranchThen: "main", BranchNow: "other",
		Files: []modeltext.DriftFile{
			{Path: "an odd name.txt", What: fileChanged}, {Path: "draft.txt", What: fileChanged}, {Path: "gone.txt", What: fileGone},
			{Path: "sub/b.txt", What: fileChanged}, {Path: "unnamed.txt", What: fileChanged},
		},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("drift (-want +got):\n%s", diff)
	}
}

func TestDriftUnknown(t *testing.T) {
	for name, then := range map[string]store.Repository{
		"not recorded": {},
		"reason":       {Reason: "git did not answer in time"},
		"removed":      {Known: true, Root: filepath.Join(t.TempDir(), "gone")},
		"no git there": {Known: true, Root: t.TempDir()},
	} {
		if d := repositoryDrift(context.Background(), then, "a.go", os.Environ()); d.Known || d.Reason == "" {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// FuzzStatus: whatever git prints, parsing it ends.
func FuzzStatus(f *testing.F) {
	f.Add([]byte("# branch.oid 123\x00# branch.head main\x001 .M N... 100644 100644 100644 a b x y\x00? z\x00"))
	f.Add([]byte("\x00\x002 R. \x00u\x00?\x001"))
	f.Fuzz(func(t *testing.T, out []byte) {
		var state store.Repository
		parseStatus(out, &state)
		if len(state.Dirty) > maxDirty {
			t.Errorf("%d files", len(state.Dirty))
		}
	})
}

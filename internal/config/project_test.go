package config_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/config"
)

// forProject is a config with one override for each project, its soft counting
// from 1.
func forProject(t *testing.T, projects ...string) *config.File {
	t.Helper()
	var all []map[string]any
	for i, p := range projects {
		all = append(all, map[string]any{"match": map[string]string{"project": p}, "soft": i + 1})
	}
	text, err := json.Marshal(map[string]any{"overrides": all})
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

func decided(f *config.File, project string) string {
	q := explore()
	q.Project = project
	return config.Resolve(f, q).Soft.String()
}

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=u", "-c", "user.email=u@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func TestAProjectIsAFolderAndAllInIt(t *testing.T) {
	top := t.TempDir()
	work, other := mkdir(t, top, "work"), mkdir(t, top, "work2")
	deep := mkdir(t, work, "a", "b")
	f := forProject(t, work+"/", filepath.Join(work, "a"), filepath.Join(top, "nothing"))
	for project, want := range map[string]string{
		work:                              "1",
		filepath.Join(work, "."):          "1",
		filepath.Join(work, "gone"):       "1", // a folder that does not exist any more
		deep:                              "2", // the longer of two
		other:                             "auto",
		top:                               "auto",
		"":                                "auto",
		filepath.Join(top, "nothing/x/y"): "3",
		filepath.Join(work, "a", "..", "..", "work2"): "auto",
	} {
		if got := decided(f, project); got != want {
			t.Errorf("%q: %s, want %s", project, got, want)
		}
	}
}

func TestALongerProjectBeatsALaterOne(t *testing.T) {
	top := t.TempDir()
	deep := mkdir(t, top, "a")
	if got := decided(forProject(t, deep, top), deep); got != "1" {
		t.Errorf("got %s", got)
	}
	if got := decided(forProject(t, top, deep, deep), deep); got != "3" {
		t.Errorf("of two equal ones the later: got %s", got)
	}
}

func TestSymbolicLinksAreResolvedOnBothSides(t *testing.T) {
	top := t.TempDir()
	deep := mkdir(t, top, "real", "deep")
	link := filepath.Join(top, "link")
	if err := os.Symlink(filepath.Join(top, "real"), link); err != nil {
		t.Skip(err)
	}
	for _, pattern := range []string{link, filepath.Join(top, "real"), filepath.Join(link, "deep")} {
		for _, project := range []string{deep, filepath.Join(link, "deep"), filepath.Join(link, "deep", "gone")} {
			if got := decided(forProject(t, pattern), project); got != "1" {
				t.Errorf("%s does not match %s", pattern, project)
			}
		}
	}
}

func TestAWorktreeCountsAsItsRepository(t *testing.T) {
	top := t.TempDir()
	repo, elsewhere := mkdir(t, top, "repo"), mkdir(t, top, "elsewhere")
	git(t, repo, "init", "-q")
	mkdir(t, repo, "sub", "dir")
	write(t, filepath.Join(repo, "sub", "dir", "f"), "x")
	git(t, repo, "add", ".")
	git(t, repo, "commit", "-qm", "x")
	tree := filepath.Join(elsewhere, "tree")
	git(t, repo, "worktree", "add", "-q", tree)
	relative := filepath.Join(elsewhere, "relative")
	git(t, repo, "worktree", "add", "-q", relative)
	shift, err := filepath.Rel(relative, filepath.Join(repo, ".git", "worktrees", "relative"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(relative, ".git"), "gitdir: "+shift+"\n") // as newer gits can write it

	f := forProject(t, repo, filepath.Join(repo, "sub"))
	for project, want := range map[string]string{
		repo:                               "1",
		tree:                               "1",
		relative:                           "1",
		filepath.Join(tree, "sub", "dir"):  "2", // the same folder in the repository
		filepath.Join(tree, "gone", "far"): "1",
		elsewhere:                          "auto",
	} {
		if got := decided(f, project); got != want {
			t.Errorf("%s: %s, want %s", project, got, want)
		}
	}
	if got := decided(forProject(t, elsewhere), tree); got != "1" {
		t.Errorf("the worktree's own path does not count: %s", got)
	}

	// A bare repository has its worktrees beside it.
	bare := filepath.Join(top, "bare.git")
	git(t, top, "clone", "-q", "--bare", repo, bare)
	git(t, bare, "worktree", "add", "-q", "-b", "b", filepath.Join(elsewhere, "of-bare"))
	if got := decided(forProject(t, bare), filepath.Join(elsewhere, "of-bare")); got != "1" {
		t.Errorf("a worktree of a bare repository: %s", got)
	}
}

func TestNoFileInAProjectClaimsAnothersSettings(t *testing.T) {
	top := t.TempDir()
	repo := mkdir(t, top, "repo")
	git(t, repo, "init", "-q")
	git(t, repo, "commit", "-q", "--allow-empty", "-m", "x")
	tree := filepath.Join(top, "tree")
	git(t, repo, "worktree", "add", "-q", tree)
	link, err := os.ReadFile(filepath.Join(tree, ".git"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a copy of a worktree's link": string(link),
		"the repository itself":       "gitdir: " + filepath.Join(repo, ".git") + "\n",
		"nothing":                     "",
		"no link":                     "gitdir\n",
		"a device":                    "gitdir: /dev\n",
		"a very long one":             "gitdir: /" + strings.Repeat("x", 1<<16),
	} {
		hostile := mkdir(t, top, strings.ReplaceAll(name, " ", "-"))
		write(t, filepath.Join(hostile, ".git"), text)
		if got := decided(forProject(t, repo), hostile); got != "auto" {
			t.Errorf("%s: %s", name, got)
		}
	}
	// A git folder of its own that points back at itself and names another's
	// repository as the common one is not stopped by the back link alone.
	self := mkdir(t, top, "self")
	own := mkdir(t, self, "own")
	write(t, filepath.Join(self, ".git"), "gitdir: own\n")
	write(t, filepath.Join(own, "gitdir"), filepath.Join(self, ".git")+"\n")
	write(t, filepath.Join(own, "commondir"), filepath.Join(repo, ".git")+"\n")
	if got := decided(forProject(t, repo), self); got != "auto" {
		t.Errorf("a self-made git folder: %s", got)
	}
}

func TestASubmoduleIsItsOwnProject(t *testing.T) {
	top := t.TempDir()
	super := mkdir(t, top, "super")
	module := mkdir(t, top, "checkout", "m")
	mkdir(t, super, ".git", "modules", "m")
	write(t, filepath.Join(module, ".git"), "gitdir: "+filepath.Join(super, ".git", "modules", "m")+"\n")
	if got := decided(forProject(t, super), module); got != "auto" {
		t.Errorf("got %s", got)
	}
}

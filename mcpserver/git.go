package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// gitOutput bounds what is read from one git command.
const gitOutput = 64 << 10

// git asks git about one directory without running anything that the
// repository there configures: no fsmonitor, filter, hook, external diff or
// transport, no bare repository that merely lies in a work tree, and none of
// the variables by which the caller's environment could redirect it.
type git struct {
	dir string
	env []string
	// off are the settings that switch the repository's own filters off.
	off []string
}

// errGitCut means that git's output was longer than gitOutput; what was read
// until then is returned with it.
var errGitCut = errors.New("git's output was cut")

// newGit prepares git in dir. The filters a repository defines have names of
// its own choosing, so they are listed first and then overridden by name.
func newGit(ctx context.Context, dir string, environ []string) (*git, error) {
	g := &git{dir: dir, env: gitEnviron(environ)}
	out, err := g.run(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return g, nil // none is defined
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for key := range strings.SplitSeq(string(out), "\x00") {
		name, ok := filterName(key)
		if !ok || seen[name] {
			continue
		}
		if strings.Contains(name, "=") {
			return nil, fmt.Errorf("a filter of the repository has a name that cannot be switched off: %q", bounded(name))
		}
		seen[name] = true
		for _, setting := range []string{".clean=", ".smudge=", ".process=", ".required=false"} {
			g.off = append(g.off, "-c", "filter."+name+setting)
		}
	}
	return g, nil
}

// filterName returns NAME of the key filter.NAME.setting.
func filterName(key string) (string, bool) {
	rest, ok := strings.CutPrefix(key, "filter.")
	if !ok {
		return "", false
	}
	end := strings.LastIndexByte(rest, '.')
	if end < 0 {
		return "", false
	}
	return rest[:end], true
}

// run returns the output of one git command.
func (g *git) run(ctx context.Context, args ...string) ([]byte, error) {
	all := []string{
		"--no-pager", "--no-optional-locks",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=/dev/null",
		"-c", "safe.bareRepository=explicit",
		"-c", "protocol.allow=never",
		"-c", "core.quotePath=false",
	}
	all = append(append(all, g.off...), args...)
	cmd := exec.CommandContext(ctx, "git", all...)
	cmd.Dir = g.dir
	cmd.Env = g.env
	out, problem := capped{limit: gitOutput}, capped{limit: 1 << 10}
	cmd.Stdout, cmd.Stderr = &out, &problem
	ownGroup(cmd)
	cmd.WaitDelay = 100 * time.Millisecond
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("git did not answer in time")
	case out.cut:
		return out.kept.Bytes(), errGitCut
	case err != nil:
		if first, _, _ := strings.Cut(problem.kept.String(), "\n"); first != "" {
			return nil, fmt.Errorf("git says: %s", bounded(strings.TrimPrefix(first, "fatal: ")))
		}
		return nil, err
	}
	return out.kept.Bytes(), nil
}

// gitEnviron is the environment less every GIT_ variable, plus those that keep
// git from locking, asking and fetching.
func gitEnviron(environ []string) []string {
	var env []string
	for _, e := range environ {
		name := strings.ToUpper(e)
		if strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "SSH_ASKPASS") || strings.HasPrefix(name, "LC_ALL=") {
			continue
		}
		env = append(env, e)
	}
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_PAGER=cat")
}

// capped keeps the first limit bytes written to it and refuses the rest. The
// buffer is no embedded one: its ReadFrom would go round the limit.
type capped struct {
	kept  bytes.Buffer
	limit int
	cut   bool
}

func (c *capped) Write(p []byte) (int, error) {
	room := c.limit - c.kept.Len()
	if len(p) > room {
		c.cut = true
		c.kept.Write(p[:room])
		return room, errGitCut
	}
	return c.kept.Write(p)
}

// bounded cuts a string of foreign origin to what a person may be shown of it.
func bounded(s string) string {
	if len(s) > 120 {
		s = strings.ToValidUTF8(s[:120], "") + "…"
	}
	return s
}

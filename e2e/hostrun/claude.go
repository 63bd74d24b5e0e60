package hostrun

import (
	"encoding/json"
	"path/filepath"
	"sort"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/model"
	"github.com/auto-context-handover/handover/e2e/model/messages"
)

// Claude runs Claude Code for one story. All its runs share a home, a project
// folder and a model server. The fields may be changed before a run.
type Claude struct {
	Home string            // $HOME
	Dir  string            // the working directory
	Env  map[string]string // added to, or replacing, the few variables that are set

	Mode    string        // --permission-mode; "": the host's default
	Allow   []string      // --allowedTools
	Model   string        // --model; "": the host's default
	Args    []string      // further arguments of every run
	Timeout time.Duration // of one run

	Version string        // the pinned version
	Server  *model.Server // what it talks to

	tb   testing.TB
	path string
}

// NewClaude returns a Claude Code with an empty home and an empty project, which
// gets its answers from the script.
func NewClaude(tb testing.TB, script *model.Script) *Claude {
	tb.Helper()
	path, version := Pinned(tb, "@anthropic-ai/claude-code", "claude")
	base := newHome(tb)
	c := &Claude{
		Home:    mkdir(tb, filepath.Join(base, "home")),
		Dir:     mkdir(tb, filepath.Join(base, "project")),
		Env:     map[string]string{},
		Timeout: 60 * time.Second,
		Version: version,
		Server:  model.Serve(tb, script, messages.Wire{}),
		tb:      tb,
		path:    path,
	}
	mkdir(tb, filepath.Join(base, "tmp"))
	keepLog(tb, script, base)
	return c
}

// Run gives a prompt to a new session, waits for the end and returns the result.
// Arguments such as --resume go before the prompt.
func (c *Claude) Run(prompt string, args ...string) *ClaudeResult {
	c.tb.Helper()
	all := append([]string{"-p", "--output-format", "stream-json", "--verbose"}, c.options()...)
	all = append(append(all, args...), "--", prompt)
	return c.result(c.start(all))
}

// Command runs another subcommand of the host, such as "plugin", and returns
// what it printed. An exit code other than 0 fails the test.
func (c *Claude) Command(args ...string) string {
	c.tb.Helper()
	lines, stderr, code := c.start(args).Wait()
	out := joinLines(lines)
	if code != 0 {
		c.tb.Fatalf("claude %q: exit code %d\n%s\n%s", args, code, out, stderr)
	}
	return out
}

func (c *Claude) start(args []string) *Process {
	c.tb.Helper()
	return Start(c.tb, Command{Host: "claude", Path: c.path, Args: args, Env: c.environment(), Dir: c.Dir, Timeout: c.Timeout})
}

// options returns the arguments that the fields ask for.
func (c *Claude) options() []string {
	var args []string
	if c.Mode != "" {
		args = append(args, "--permission-mode", c.Mode)
	}
	if c.Model != "" {
		args = append(args, "--model", c.Model)
	}
	args = append(args, c.Args...)
	if len(c.Allow) > 0 {
		args = append(append(args, "--allowedTools"), c.Allow...)
	}
	return args
}

// environment returns the whole environment of a run.
func (c *Claude) environment() []string {
	env := map[string]string{
		"HOME":                     c.Home,
		"PATH":                     "/usr/local/bin:/usr/bin:/bin",
		"SHELL":                    "/bin/bash",
		"LANG":                     "C.UTF-8",
		"TMPDIR":                   filepath.Join(filepath.Dir(c.Home), "tmp"),
		"CLAUDE_CODE_TMPDIR":       filepath.Join(filepath.Dir(c.Home), "tmp"),
		"ANTHROPIC_API_KEY":        "not-a-key",
		"ANTHROPIC_BASE_URL":       c.Server.URL,
		"DISABLE_TELEMETRY":        "1",
		"DISABLE_ERROR_REPORTING":  "1",
		"DISABLE_AUTOUPDATER":      "1",
		"DISABLE_FEEDBACK_COMMAND": "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
	}
	if c.Mode == "auto" {
		// Its classifier is then a request of its own, not part of the answer.
		env["CLAUDE_CODE_AUTO_MODE_SERVER"] = "0"
	}
	for k, v := range c.Env {
		env[k] = v
	}
	var list []string
	for k, v := range env {
		list = append(list, k+"="+v)
	}
	sort.Strings(list)
	return list
}

// userLine is a prompt as --input-format stream-json takes it.
func userLine(prompt string) []byte {
	line, _ := json.Marshal(map[string]any{
		"type":    "user",
		"message": map[string]any{"role": "user", "content": prompt},
	})
	return append(line, '\n')
}

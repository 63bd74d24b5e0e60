package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/auto-context-handover/handover/cmd/handover/term"
)

// Options say where the demo finds its programs and writes its timeline.
type Options struct {
	// Programs is the folder with handover, handover-hook-claude and
	// handover-mcp.
	Programs string
	// Plugin is a plugin folder that was laid before; empty lays one.
	Plugin string
	Out    io.Writer
	Style  term.Style
	// Environ is the environment that the host would have; what concerns the
	// store is taken out of it.
	Environ []string
	// Temp is where the temporary folder is made; empty is the system's place.
	Temp string
	// Deliver, if not nil, replaces each text on its way to a model. It is how
	// a test shows that no text can be garbled unnoticed.
	Deliver func(text Text, s string) string
}

// ErrNoFolder: the temporary folder could not be made, so nothing was played.
var ErrNoFolder = errors.New("no temporary folder")

// Run plays one handover. An error says what went wrong and with which text;
// the temporary folder is removed in any case.
func Run(ctx context.Context, o Options) (err error) {
	started := time.Now()
	if o.Deliver == nil {
		o.Deliver = func(_ Text, s string) string { return s }
	}
	dir, err := os.MkdirTemp(o.Temp, "handover-demo-")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoFolder, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := prepare(ctx, o, dir)
	if err != nil {
		return err
	}
	if err := p.play(); err != nil {
		return err
	}
	p.gap()
	p.line("done", "in %.1f s; the temporary folder is removed", time.Since(started).Seconds())
	return p.failed
}

// play is one run of the demo.
type play struct {
	timeline
	options Options
	host    *host
	// programs are absolute paths.
	handover string

	lead   *lead
	worker *worker
	next   *successor
	main   *agent
	// first is the agent whose handover it is.
	first *agent
	facts facts
}

// facts count what must have happened exactly so often.
type facts struct{ notices, introductions, stored, reads int }

// prepare lays the plugin and starts the host and the MCP server.
func prepare(ctx context.Context, o Options, dir string) (*play, error) {
	programs, err := filepath.Abs(o.Programs)
	if err != nil {
		return nil, err
	}
	p := &play{timeline: timeline{out: o.Out, style: o.Style}, options: o, handover: executable(programs, "handover")}
	for _, name := range []string{"handover", "handover-hook-claude", "handover-mcp"} {
		if _, err := os.Stat(executable(programs, name)); err != nil {
			return nil, fmt.Errorf("the program %s is not in %s: build it with make build, or name its folder with --bin", name, programs)
		}
	}
	p.lead, p.worker, p.next = &lead{}, &worker{}, &successor{}
	if p.host, err = newHost(ctx, dir); err != nil {
		return nil, err
	}
	p.host.tell, p.host.deliver = p, o.Deliver
	p.host.cast = []script{
		{name: "worker", prompt: Task, model: p.worker},
		{name: "successor", prompt: SuccessorPrompt, model: p.next},
	}
	if err := os.WriteFile(filepath.Join(p.host.project, "worker.go"), []byte(workerGo), 0o600); err != nil {
		return nil, err
	}
	root := o.Plugin
	if root == "" {
		root = filepath.Join(dir, "plugin")
		if _, err := p.run(o.Environ, "plugin", "--host", "claude", "--bin", programs, root); err != nil {
			return nil, fmt.Errorf("the plugin cannot be laid: %w", err)
		}
	}
	if p.host.plugin, err = loadPlugin(root); err != nil {
		return nil, err
	}
	p.host.plugin.env = hostEnvironment(o.Environ, p.host)
	return p, nil
}

// executable is the path of a program in a folder.
func executable(folder, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(folder, name)
}

// play runs the session from its start to the end of the main agent.
func (p *play) play() (err error) {
	h := p.host
	p.title()
	if err := h.startServer(); err != nil {
		return fmt.Errorf("the MCP server does not start: %w", err)
	}
	defer func() { err = errors.Join(err, h.server.Close()) }()
	p.main = h.main(p.lead)
	p.line("host", "plugin %s loaded, MCP server up with %d tools", p.host.plugin.name, len(h.server.tools))
	reply, err := h.fire(p.main, "SessionStart", "", map[string]any{"source": "startup"})
	if err != nil {
		return err
	}
	if err := h.writeUser(p.main, userAsks); err != nil {
		return err
	}
	if err := h.addContext(p.main, "SessionStart", reply, Introduction); err != nil {
		return err
	}
	h.send(p.main, Task, userAsks)
	p.line("user", "%q", userAsks)
	report, err := h.run(p.main)
	if err != nil {
		return err
	}
	p.line("main", "tells the user: %s", report)
	return p.check()
}

// run runs the handover command and returns what it prints.
func (p *play) run(environ []string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.host.ctx, settle)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.handover, args...)
	cmd.Env, cmd.Dir = environ, p.host.project
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("handover %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.Bytes(), nil
}

// measure asks the handover command what the adapter reads.
func (p *play) measure(a *agent) (int64, error) {
	args := []string{"measure", "--host", "claude", "--json"}
	if a.id != "" {
		args = append(args, "--agent", a.id)
	}
	out, err := p.run(p.host.plugin.env, append(args, p.host.transcript)...)
	if err != nil {
		return 0, err
	}
	var reading struct {
		Known  bool
		Tokens int64
		Reason string
	}
	if err := json.Unmarshal(out, &reading); err != nil {
		return 0, fmt.Errorf("handover measure: %w", err)
	}
	if !reading.Known {
		return 0, fmt.Errorf("handover measure: the reading is unknown: %s", reading.Reason)
	}
	return reading.Tokens, nil
}

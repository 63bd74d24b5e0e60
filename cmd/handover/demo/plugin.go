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
	"regexp"
	"slices"
	"strings"
)

// plugin is our plugin as the simulated host loaded it from its folder.
type plugin struct {
	root   string
	name   string
	hooks  map[string][]group
	server string
	start  command
	// env is what the host passes to every process of the plugin.
	env []string
}

type group struct {
	Matcher string `json:"matcher"`
	Hooks   []struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	} `json:"hooks"`
}

type command struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// loadPlugin reads the plugin folder as the host does.
func loadPlugin(root string) (plugin, error) {
	p := plugin{root: root}
	var manifest struct{ Name string }
	var hooks struct{ Hooks map[string][]group }
	var servers struct {
		McpServers map[string]command `json:"mcpServers"`
	}
	for name, into := range map[string]any{".claude-plugin/plugin.json": &manifest, "hooks/hooks.json": &hooks, ".mcp.json": &servers} {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return p, err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return p, fmt.Errorf("%s: %w", name, err)
		}
	}
	p.name, p.hooks = manifest.Name, hooks.Hooks
	for name, c := range servers.McpServers {
		p.server, p.start = name, c
	}
	if p.name == "" || len(p.hooks) == 0 || p.server == "" {
		return p, errors.New("the plugin has no name, no hooks or no server")
	}
	return p, nil
}

// serverName is the host's own full name of the plugin's server.
func (p plugin) serverName() string { return "plugin:" + p.name + ":" + p.server }

// toolPrefix starts the full name of each of the server's tools.
func (p plugin) toolPrefix() string { return "mcp__plugin_" + p.name + "_" + p.server + "__" }

// expand puts the plugin's folder in place of its variable.
func (p plugin) expand(s string) string {
	return filepath.FromSlash(strings.ReplaceAll(s, "${CLAUDE_PLUGIN_ROOT}", p.root))
}

// applies reports whether a matcher names the tool: alternatives of plain names
// are exact, anything else is a regular expression, none is every tool.
func applies(matcher, tool string) bool {
	if matcher == "" || tool == "" {
		return true
	}
	if !strings.ContainsAny(matcher, `.*+?()[]{}^$\`) {
		return slices.Contains(strings.Split(matcher, "|"), tool)
	}
	ok, err := regexp.MatchString(matcher, tool)
	return ok && err == nil
}

// reply is a hook's answer.
type reply struct {
	Decision string `json:"decision"`
	// Person is shown to the user and to no model.
	Person   string `json:"systemMessage"`
	Reason   string `json:"reason"`
	Specific struct {
		Event    string          `json:"hookEventName"`
		Context  string          `json:"additionalContext"`
		Decision string          `json:"permissionDecision"`
		Reason   string          `json:"permissionDecisionReason"`
		Input    json.RawMessage `json:"updatedInput"`
	} `json:"hookSpecificOutput"`
}

// fire runs the hooks that the plugin registered for an event.
func (h *host) fire(a *agent, event, tool string, fields map[string]any) (reply, error) {
	fields["session_id"], fields["transcript_path"], fields["cwd"] = h.session, h.transcript, h.project
	fields["hook_event_name"], fields["permission_mode"], fields["prompt_id"] = event, "default", "prompt-1"
	if a.id != "" {
		fields["agent_id"], fields["agent_type"] = a.id, a.kind
	}
	input, err := json.Marshal(fields)
	if err != nil {
		return reply{}, err
	}
	var r reply
	for _, g := range h.plugin.hooks[event] {
		if !applies(g.Matcher, tool) {
			continue
		}
		for _, hook := range g.Hooks {
			out, err := h.runHook(hook.Command, hook.Args, input)
			if err != nil {
				return r, fmt.Errorf("the hook for %s: %w", event, err)
			}
			if len(out) == 0 {
				continue
			}
			if err := json.Unmarshal(out, &r); err != nil {
				return r, fmt.Errorf("the hook's answer to %s is not one JSON object: %w: %.200q", event, err, out)
			}
			if r.Specific.Event != "" && r.Specific.Event != event {
				return r, fmt.Errorf("the hook answers %s with hookEventName %q", event, r.Specific.Event)
			}
		}
	}
	return r, nil
}

func (h *host) runHook(program string, args []string, input []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(h.ctx, settle)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.plugin.expand(program), args...)
	cmd.Dir, cmd.Env = h.project, h.plugin.env
	cmd.Stdin = bytes.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	if stderr.Len() > 0 {
		return nil, fmt.Errorf("it complains: %s", strings.TrimSpace(stderr.String()))
	}
	return bytes.TrimSpace(stdout.Bytes()), nil
}

// startServer starts the plugin's MCP server.
func (h *host) startServer() error {
	cmd := exec.CommandContext(h.ctx, h.plugin.expand(h.plugin.start.Command), h.plugin.start.Args...)
	cmd.Dir, cmd.Env = h.project, h.plugin.env
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	h.server = newServer(in, out, h.plugin.toolPrefix())
	h.server.wait = func() error {
		err := cmd.Wait()
		if err != nil {
			return fmt.Errorf("the MCP server ended badly: %w: %s", err, strings.TrimSpace(stderr.String()))
		}
		return nil
	}
	return h.server.initialize()
}

var _ io.Closer = (*server)(nil)

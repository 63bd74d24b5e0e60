package demo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// host is a simulated Claude Code with one session.
type host struct {
	ctx     context.Context
	plugin  plugin
	server  *server
	home    string
	project string
	session string
	// transcript is the path of the main agent's.
	transcript string
	now        func() time.Time
	tell       teller
	// deliver is what every text passes on its way to a model.
	deliver func(text Text, s string) string
	calls   int
	// shown are the sentences that hooks had for the user.
	shown []string
	// cast are the subagents in the order in which they will be started.
	cast []script
}

// teller is told what happens, in order. An error ends the demo.
type teller interface {
	request(a *agent, u usage) error
	hookSaid(a *agent, event, context string) error
	called(a *agent, c call, result string) error
	spawned(parent, child *agent, prompt string) error
	ended(a *agent, report string) error
}

// agent is one agent loop of the host.
type agent struct {
	name  string // for people
	id    string // empty for the main agent
	kind  string // agent_type
	model model
	path  string // of its transcript
	inbox []message
}

// message is one text that the agent's next request will hold.
type message struct {
	text Text
	body string
}

// model answers requests.
type model interface {
	answer(inbox []message) (response, error)
}

// response is what a model answers: a text that ends the turn, or calls.
type response struct {
	text  string
	calls []call
	usage usage
}

// call is one tool call. Its id is set by the host.
type call struct {
	id, name string
	input    map[string]any
}

// usage is the provider's count of one request.
type usage struct{ input, create, read, output int64 }

func (u usage) tokens() int64 { return u.input + u.create + u.read + u.output }

// modelName is a model with a window of 200,000 tokens.
const modelName = "claude-sonnet-4-5-20250929"

// newHost makes the folders of a session in dir.
func newHost(ctx context.Context, dir string) (*host, error) {
	h := &host{
		ctx: ctx, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"),
		session: uuid(), now: time.Now,
	}
	slug := strings.NewReplacer("/", "-", `\`, "-", ":", "-", ".", "-").Replace(h.project)
	h.transcript = filepath.Join(h.home, ".claude", "projects", slug, h.session+".jsonl")
	for _, d := range []string{h.project, filepath.Dir(h.transcript)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// main returns the session's main agent.
func (h *host) main(m model) *agent {
	return &agent{name: "main", model: m, path: h.transcript}
}

// child returns a new subagent; its files come with its first row.
func (h *host) child(name, kind string, m model) *agent {
	id := "a" + random(8)
	path := filepath.Join(strings.TrimSuffix(h.transcript, ".jsonl"), "subagents", "agent-"+id+".jsonl")
	return &agent{name: name, id: id, kind: kind, model: m, path: path}
}

// send puts a text into the agent's next request, through deliver.
func (h *host) send(a *agent, text Text, body string) {
	a.inbox = append(a.inbox, message{text, h.deliver(text, body)})
}

// run is the agent's loop. It returns the text that ends it.
func (h *host) run(a *agent) (string, error) {
	for turns := 0; turns < 40; turns++ {
		inbox := a.inbox
		a.inbox = nil
		r, err := a.model.answer(inbox)
		if err != nil {
			return "", fmt.Errorf("the %s cannot go on: %w", a.name, err)
		}
		if err := h.writeResponse(a, &r); err != nil {
			return "", err
		}
		if err := h.tell.request(a, r.usage); err != nil {
			return "", err
		}
		if len(r.calls) > 0 {
			if err := h.batch(a, r.calls); err != nil {
				return "", err
			}
			continue
		}
		again, err := h.stop(a, r.text)
		if err != nil || !again {
			return r.text, err
		}
	}
	return "", fmt.Errorf("the %s does not come to an end", a.name)
}

// batch runs the calls of one response.
func (h *host) batch(a *agent, calls []call) error {
	var done []map[string]any
	for _, c := range calls {
		result, err := h.call(a, c)
		if err != nil {
			return err
		}
		done = append(done, map[string]any{"tool_name": c.name, "tool_input": c.input, "tool_use_id": c.id, "tool_response": result})
		if err := h.tell.called(a, c, result); err != nil {
			return err
		}
	}
	reply, err := h.fire(a, "PostToolBatch", "", map[string]any{"tool_calls": done})
	if err != nil {
		return err
	}
	return h.addContext(a, "PostToolBatch", reply, Notice)
}

// call runs one call between its two hooks and returns what the model is shown.
func (h *host) call(a *agent, c call) (string, error) {
	event := map[string]any{"tool_name": c.name, "tool_input": c.input, "tool_use_id": c.id}
	tool, ours := h.server.tool(c.name)
	if ours {
		event["mcp_server"] = map[string]any{"name": h.plugin.serverName(), "source": "plugin"}
	}
	reply, err := h.fire(a, "PreToolUse", c.name, event)
	if err != nil {
		return "", err
	}
	if reply.Specific.Decision == "deny" {
		result := "PreToolUse:" + c.name + " hook error: " + reply.Specific.Reason
		return result, h.result(a, c, Denial, result)
	}
	if ours && reply.Specific.Decision != "allow" {
		return "", fmt.Errorf("the hook did not allow %s; the host would now ask its user", c.name)
	}
	if ours && reply.Specific.Input != nil {
		if err := json.Unmarshal(reply.Specific.Input, &c.input); err != nil {
			return "", fmt.Errorf("the hook rewrote the input of %s: %w", c.name, err)
		}
	}
	var text Text
	var result string
	var answer any
	switch {
	case ours:
		text = textOf(tool, a)
		result, err = h.server.call(h.ctx, tool, c.id, c.input)
		answer = []map[string]any{{"type": "text", "text": result}}
	case c.name == "Agent":
		text = Report
		result, answer, err = h.spawn(a, c)
	case c.name == "ToolSearch":
		text = ToolListing
		result, err = h.server.search(h.plugin, c.input)
		answer = result
	default:
		text = Ordinary
		result, err = h.builtin(c)
		answer = map[string]any{"stdout": result}
	}
	if err != nil {
		return "", err
	}
	if err := h.result(a, c, text, result); err != nil {
		return "", err
	}
	event["tool_response"], event["duration_ms"] = answer, 5
	if reply, err = h.fire(a, "PostToolUse", c.name, event); err != nil {
		return "", err
	}
	if reply.Person != "" {
		h.shown = append(h.shown, reply.Person)
	}
	return result, nil
}

// result writes a call's result down and shows it to the agent.
func (h *host) result(a *agent, c call, text Text, result string) error {
	h.send(a, text, result)
	return h.writeResult(a, c, result)
}

// builtin is one of the host's own tools.
func (h *host) builtin(c call) (string, error) {
	name, _ := c.input["file_path"].(string)
	path := filepath.Join(h.project, filepath.FromSlash(name))
	switch c.name {
	case "Read":
		data, err := os.ReadFile(path)
		return string(data), err
	case "Write":
		content, _ := c.input["content"].(string)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return "", err
		}
		return "File written: " + name, nil
	}
	return "", fmt.Errorf("the host has no tool %q", c.name)
}

// spawn runs a subagent in the foreground, as the tool Agent.
func (h *host) spawn(parent *agent, c call) (string, any, error) {
	prompt, _ := c.input["prompt"].(string)
	kind, _ := c.input["subagent_type"].(string)
	script, err := h.script(parent)
	if err != nil {
		return "", nil, err
	}
	child := h.child(script.name, kind, script.model)
	reply, err := h.fire(child, "SubagentStart", "", map[string]any{})
	if err != nil {
		return "", nil, err
	}
	if err := h.writeMeta(child, c); err != nil {
		return "", nil, err
	}
	if err := h.writeUser(child, prompt); err != nil {
		return "", nil, err
	}
	h.send(child, script.prompt, prompt)
	if err := h.tell.spawned(parent, child, prompt); err != nil {
		return "", nil, err
	}
	if err := h.addContext(child, "SubagentStart", reply, Introduction); err != nil {
		return "", nil, err
	}
	report, err := h.run(child)
	if err != nil {
		return "", nil, err
	}
	if err := h.tell.ended(child, report); err != nil {
		return "", nil, err
	}
	answer := map[string]any{
		"status": "completed", "prompt": prompt, "agentId": child.id, "agentType": kind,
		"content": []map[string]any{{"type": "text", "text": report}}, "resolvedModel": modelName,
	}
	shown := "[Subagent hand-back] The agent has finished. The report follows:\n\n  " + strings.ReplaceAll(report, "\n", "\n  ")
	return shown, answer, nil
}

// script returns the part of the next subagent.
func (h *host) script(parent *agent) (script, error) {
	if parent.id != "" || len(h.cast) == 0 {
		return script{}, fmt.Errorf("the script has no further subagent")
	}
	next := h.cast[0]
	h.cast = h.cast[1:]
	return next, nil
}

// script is one subagent's part: its name, its model, and what its prompt is.
type script struct {
	name   string
	prompt Text
	model  model
}

// stop fires the hook of an agent that ends, and reports whether it goes on.
func (h *host) stop(a *agent, last string) (again bool, err error) {
	if a.id == "" {
		return false, nil
	}
	reply, err := h.fire(a, "SubagentStop", "", map[string]any{
		"stop_hook_active": false, "agent_transcript_path": a.path, "last_assistant_message": last,
	})
	if err != nil {
		return false, err
	}
	if reply.Decision == "block" {
		return false, fmt.Errorf("a hook keeps the %s from ending: %s", a.name, reply.Reason)
	}
	return false, nil
}

// random returns 2n hex digits.
func random(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

func uuid() string {
	s := random(16)
	return s[:8] + "-" + s[8:12] + "-4" + s[13:16] + "-a" + s[17:20] + "-" + s[20:]
}

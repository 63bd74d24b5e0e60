package demo

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// writeRow appends one row to the agent's transcript, as the host writes it.
func (h *host) writeRow(a *agent, row map[string]any) error {
	row["uuid"] = uuid()
	row["timestamp"] = h.now().UTC().Format("2006-01-02T15:04:05.000Z")
	row["cwd"], row["sessionId"], row["version"] = h.project, h.session, "2.1.332"
	row["entrypoint"], row["gitBranch"] = "cli", "HEAD"
	row["isSidechain"] = a.id != ""
	if a.id != "" {
		row["agentId"] = a.id
	}
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(a.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// writeUser writes a prompt.
func (h *host) writeUser(a *agent, prompt string) error {
	return h.writeRow(a, map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": prompt}})
}

// writeResult writes what a call gave.
func (h *host) writeResult(a *agent, c call, result string) error {
	return h.writeRow(a, map[string]any{
		"type": "user", "toolUseResult": result,
		"message": map[string]any{"role": "user", "content": []map[string]any{
			{"type": "tool_result", "tool_use_id": c.id, "content": result},
		}},
	})
}

// writeResponse gives the calls their ids and writes one row for each block of
// a response; all bear the same message id and the same final usage.
func (h *host) writeResponse(a *agent, r *response) error {
	var blocks []map[string]any
	if r.text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": r.text})
	}
	for i := range r.calls {
		h.calls++
		r.calls[i].id = fmt.Sprintf("toolu_demo_%03d", h.calls)
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": r.calls[i].id, "name": r.calls[i].name, "input": r.calls[i].input})
	}
	id, stop := "msg_demo_"+random(6), "end_turn"
	if len(r.calls) > 0 {
		stop = "tool_use"
	}
	for i, block := range blocks {
		err := h.writeRow(a, map[string]any{
			"type": "assistant", "apiBlockIndex": i, "requestId": "req" + strings.TrimPrefix(id, "msg"), "requestedModel": modelName,
			"message": map[string]any{
				"id": id, "type": "message", "role": "assistant", "model": modelName,
				"content": []map[string]any{block}, "stop_reason": stop, "stop_sequence": nil,
				"usage": map[string]any{
					"input_tokens": r.usage.input, "cache_creation_input_tokens": r.usage.create,
					"cache_read_input_tokens": r.usage.read, "output_tokens": r.usage.output,
					"service_tier": "standard", "iterations": []any{},
				},
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeMeta writes the host's note on a subagent.
func (h *host) writeMeta(a *agent, c call) error {
	note, err := json.Marshal(map[string]any{
		"agentType": a.kind, "isBuiltIn": true, "description": c.input["description"], "toolUseId": c.id,
		"spawnDepth": 1, "requestShape": "foreground", "model": modelName, "modelNotNamed": true,
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(a.path, ".jsonl")+".meta.json", note, 0o600)
}

// addContext shows and keeps the text that a hook added.
func (h *host) addContext(a *agent, event string, r reply, text Text) error {
	if err := h.tell.hookSaid(a, event, r.Specific.Context); err != nil {
		return err
	}
	if r.Specific.Context == "" {
		return nil
	}
	shown := event + " hook additional context: " + r.Specific.Context
	h.send(a, text, shown)
	return h.writeRow(a, map[string]any{
		"type":       "attachment",
		"attachment": map[string]any{"type": "hook_additional_context", "hookEvent": event, "content": []string{r.Specific.Context}, "renderedRole": "system"},
	})
}

// settle is how long a process of ours may take before the demo gives up.
const settle = 10 * time.Second

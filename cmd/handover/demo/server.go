package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// server is the client's end of one MCP server over stdio: requests go out one
// at a time, so each answer belongs to the last request.
type server struct {
	in     io.WriteCloser
	lines  chan []byte
	prefix string
	last   int
	wait   func() error

	// instructions and tools are what the server said about itself.
	instructions string
	tools        []toolInfo
}

// toolInfo is one tool of tools/list.
type toolInfo struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// maxLine bounds one line of the server, in bytes.
const maxLine = 32 << 20

func newServer(in io.WriteCloser, out io.Reader, prefix string) *server {
	s := &server{in: in, prefix: prefix, lines: make(chan []byte)}
	go func() {
		defer close(s.lines)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			s.lines <- slices.Clone(scanner.Bytes())
		}
	}()
	return s
}

// Close ends the server the way hosts do, by ending its input, and waits for
// its exit status.
func (s *server) Close() error {
	if s == nil || s.in == nil {
		return nil
	}
	err := s.in.Close()
	s.in = nil
	for range s.lines {
		// what it still has to say concerns nobody
	}
	return errors.Join(err, s.wait())
}

func (s *server) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.in.Write(append(line, '\n'))
	return err
}

// request sends one request and decodes its result.
func (s *server) request(method string, params, result any) error {
	s.last++
	if err := s.send(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	deadline := time.After(settle)
	for {
		select {
		case line, ok := <-s.lines:
			if !ok {
				return fmt.Errorf("%s: the MCP server closed its output", method)
			}
			var answer struct {
				ID     *int            `json:"id"`
				Result json.RawMessage `json:"result"`
				Error  *struct {
					Code    int    `json:"code"`
					Message string `json:"message"`
				} `json:"error"`
			}
			if err := json.Unmarshal(line, &answer); err != nil {
				return fmt.Errorf("%s: the MCP server wrote something else than JSON: %.200q", method, line)
			}
			if answer.ID == nil {
				continue // a notification
			}
			if *answer.ID != s.last {
				return fmt.Errorf("%s: the answer has id %d, the request %d", method, *answer.ID, s.last)
			}
			if answer.Error != nil {
				return fmt.Errorf("%s: error %d: %s", method, answer.Error.Code, answer.Error.Message)
			}
			return json.Unmarshal(answer.Result, result)
		case <-deadline:
			return fmt.Errorf("%s: no answer within %v", method, settle)
		}
	}
}

// initialize does what the host does at its start.
func (s *server) initialize() error {
	var info struct {
		Instructions string `json:"instructions"`
	}
	err := s.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "claude-code", "version": "2.1.332"},
	}, &info)
	if err != nil {
		return err
	}
	s.instructions = info.Instructions
	if err := s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return err
	}
	var list struct {
		Tools []toolInfo `json:"tools"`
	}
	if err := s.request("tools/list", map[string]any{}, &list); err != nil {
		return err
	}
	if len(list.Tools) == 0 {
		return errors.New("tools/list: the MCP server has no tools")
	}
	s.tools = list.Tools
	return nil
}

// tool returns the server's own name of a tool that the model calls by its
// full name.
func (s *server) tool(full string) (string, bool) {
	name, ok := strings.CutPrefix(full, s.prefix)
	return name, ok && slices.ContainsFunc(s.tools, func(t toolInfo) bool { return t.Name == name })
}

// call calls a tool as the host does, with the id of the model's call in _meta.
func (s *server) call(_ context.Context, tool, id string, input map[string]any) (string, error) {
	var result struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	err := s.request("tools/call", map[string]any{
		"name": tool, "arguments": input,
		"_meta": map[string]any{"claudecode/toolUseId": id, "progressToken": s.last + 1},
	}, &result)
	if err != nil {
		return "", err
	}
	if result.Structured != nil {
		return "", fmt.Errorf("%s: a host would show the model only the structured part of the answer", tool)
	}
	var b strings.Builder
	for _, c := range result.Content {
		if c.Type != "text" {
			return "", fmt.Errorf("%s: the answer holds %q, not text", tool, c.Type)
		}
		b.WriteString(c.Text)
	}
	return b.String(), nil
}

// search is the host's tool that loads deferred tools: it shows their
// descriptions and schemas.
func (s *server) search(p plugin, input map[string]any) (string, error) {
	query, _ := input["query"].(string)
	names, ok := strings.CutPrefix(query, "select:")
	if !ok {
		return "No matching deferred tools found", nil
	}
	var b strings.Builder
	for _, full := range strings.Split(names, ",") {
		name, _ := s.tool(full)
		for _, t := range s.tools {
			if t.Name != name {
				continue
			}
			line, err := json.Marshal(map[string]any{"name": p.toolPrefix() + t.Name, "description": t.Description, "parameters": t.InputSchema})
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "<function>%s</function>\n", line)
		}
	}
	if b.Len() == 0 {
		return "No matching deferred tools found", nil
	}
	return "<functions>\n" + b.String() + "</functions>", nil
}

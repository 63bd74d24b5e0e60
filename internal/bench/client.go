//go:build linux || darwin

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// client is the host's side of one MCP server over stdio, as little as a host
// does before it can offer the server's tools.
type client struct {
	child *os.Process
	in    io.WriteCloser
	out   *bufio.Reader
	close func()
	next  int
}

// startServer starts a server from one of its copies.
func startServer(p process, copy int) (*client, error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer inRead.Close()
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer outWrite.Close()
	argv := p.argv(copy)
	child, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Env: p.env, Files: []*os.File{inRead, outWrite, os.Stderr}})
	if err != nil {
		return nil, err
	}
	return &client{child: child, in: inWrite, out: bufio.NewReaderSize(outRead, 64<<10), close: func() { outRead.Close() }}, nil
}

// listTools makes the server's acquaintance and returns how many tools it has.
func (c *client) listTools() (int, error) {
	err := c.call("initialize", `{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"claude-code","version":"2.1.332"}}`, nil)
	if err != nil {
		return 0, err
	}
	if _, err := io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		return 0, err
	}
	var list struct {
		Tools []json.RawMessage `json:"tools"`
	}
	err = c.call("tools/list", `{}`, &list)
	return len(list.Tools), err
}

// call sends a request and waits for its answer.
func (c *client) call(method, params string, result any) error {
	c.next++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.next, method, params); err != nil {
		return err
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	var answer struct {
		ID     int
		Result json.RawMessage
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.ID != c.next || answer.Result == nil {
		return fmt.Errorf("%s was answered by %s", method, line)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}

// end closes stdin and waits for the server's end.
func (c *client) end() error {
	c.in.Close()
	defer c.close()
	late := time.AfterFunc(10*time.Second, func() { c.child.Kill() })
	defer late.Stop()
	state, err := c.child.Wait()
	if err == nil && !state.Success() {
		err = fmt.Errorf("the server ended with %v", state)
	}
	return err
}

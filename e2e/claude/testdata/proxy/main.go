// Command proxy stands between a host and an MCP server on stdio and does to
// the calls of tools what a careless one between them might:
//
//	proxy unnamed SERVER ARGS…  takes the host's call id out of _meta
//	proxy first SERVER ARGS…    sends the first call twice, passes its first answer on
//	proxy second SERVER ARGS…   the same, but passes its second answer on
//
// Everything else goes through unchanged.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "proxy: unnamed|first|second SERVER ARGS…")
		os.Exit(1)
	}
	if err := run(os.Args[1], exec.Command(os.Args[2], os.Args[3:]...)); err != nil {
		fmt.Fprintln(os.Stderr, "proxy:", err)
		os.Exit(1)
	}
}

func run(mode string, server *exec.Cmd) error {
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		return err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	p := &proxy{mode: mode, server: in, calls: map[string]message{}}
	go func() {
		_ = lines(os.Stdin, p.fromHost)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ended = true
		p.end()
	}()
	if err := lines(out, p.fromServer); err != nil {
		return err
	}
	return server.Wait()
}

// message is one JSON-RPC message; what is not touched stays as it was.
type message map[string]json.RawMessage

// proxy is what is under way between the two.
type proxy struct {
	mode string

	mu     sync.Mutex
	server io.WriteCloser
	calls  map[string]message // sent once, by id
	open   int                // sent a second time and not answered yet
	done   bool               // there was a call that is or was sent twice
	ended  bool               // the host has closed its end
}

// again marks the id of a call that is sent for the second time.
const again = `"again-`

func (p *proxy) fromHost(line []byte) error {
	var m message
	if json.Unmarshal(line, &m) == nil && string(m["method"]) == `"tools/call"` {
		if p.mode == "unnamed" {
			line = m.without("claudecode/toolUseId").line()
		} else {
			p.mu.Lock()
			if !p.done {
				p.calls[string(m["id"])], p.done = m, true
			}
			p.mu.Unlock()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.server.Write(line)
	return err
}

func (p *proxy) fromServer(line []byte) error {
	var m message
	if json.Unmarshal(line, &m) != nil {
		return pass(line)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	id := string(m["id"])
	if call, ok := p.calls[id]; ok && m["method"] == nil {
		delete(p.calls, id)
		call["id"] = json.RawMessage(again + id + `"`)
		p.open++
		if _, err := p.server.Write(call.line()); err != nil {
			return err
		}
		if p.mode == "second" {
			return nil
		}
		return pass(line)
	}
	if rest, ok := bytes.CutPrefix(m["id"], []byte(again)); ok {
		p.open--
		p.end()
		if p.mode == "first" {
			return nil
		}
		m["id"] = bytes.TrimSuffix(rest, []byte(`"`))
		line = m.line()
	}
	return pass(line)
}

// end closes the server's stdin once nothing can follow.
func (p *proxy) end() {
	if p.ended && p.open == 0 && len(p.calls) == 0 {
		_ = p.server.Close()
	}
}

// without is a call that lacks a member of its _meta.
func (m message) without(name string) message {
	var params, meta message
	if json.Unmarshal(m["params"], &params) == nil && json.Unmarshal(params["_meta"], &meta) == nil {
		delete(meta, name)
		params["_meta"] = meta.line()
		m["params"] = params.line()
	}
	return m
}

func (m message) line() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		panic(err) // it came from JSON
	}
	return b.Bytes()
}

func pass(line []byte) error {
	_, err := os.Stdout.Write(line)
	return err
}

// lines calls f for every line of r, its line end included.
func lines(r io.Reader, f func([]byte) error) error {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			if err := f(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

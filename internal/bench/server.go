//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// measureServer compares the start of our MCP server, until a host knows its
// tools, with that of a bare one, and weighs ours when it has nothing to do.
func measureServer(b *builder) (map[string]value, error) {
	s, err := newScene(b)
	if err != nil {
		return nil, err
	}
	ours, err := b.build("./cmd/handover-mcp")
	if err != nil {
		return nil, err
	}
	bare, err := b.build("./internal/bench/bare")
	if err != nil {
		return nil, err
	}
	subject := process{program: ours, args: []string{"--host", "claude"}, env: s.env}
	baseline := process{program: bare, env: s.env}
	took, err := rounds(200, baseline.introduce, subject.introduce)
	if err != nil {
		return nil, err
	}
	values := map[string]value{"mcp_start_vs_bare_sdk": ratio(took[1], took[0])}
	values["mcp_idle_mb"], err = subject.idle()
	return values, err
}

// introduce starts a server and takes the time until its two tools are known.
func (p process) introduce(round int) (time.Duration, error) {
	start := time.Now()
	c, err := startServer(p, round)
	if err != nil {
		return 0, err
	}
	n, err := c.listTools()
	took := time.Since(start)
	if e := c.end(); err == nil {
		err = e
	}
	if err == nil && n != 2 {
		err = fmt.Errorf("%s has %d tools", p.program[0], n)
	}
	return took, err
}

// idle is the memory of a server that was introduced and then left alone for a
// while.
func (p process) idle() (value, error) {
	c, err := startServer(p, 0)
	if err != nil {
		return value{}, err
	}
	defer c.end()
	if _, err := c.listTools(); err != nil {
		return value{}, err
	}
	time.Sleep(2 * time.Second)
	n, err := resident(c.child.Pid)
	return megabytes(n), err
}

// resident is the memory in bytes that a process has now.
func resident(pid int) (int64, error) {
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				return kilobytes(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			}
		}
	}
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, err
	}
	return kilobytes(string(out))
}

func kilobytes(text string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n << 10, err
}

//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// process is a program with all it is started with.
type process struct {
	program program
	args    []string
	env     []string
	// stdin is a file.
	stdin string
}

// argv is the command line that runs one copy of the program.
func (p process) argv(n int) []string {
	return append([]string{p.program[n%len(p.program)]}, p.args...)
}

// time runs the program with its output thrown away.
func (p process) time(round int) (time.Duration, error) {
	in, err := os.Open(p.stdin)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	nothing, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer nothing.Close()
	argv := p.argv(round)
	start := time.Now()
	child, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Env: p.env, Files: []*os.File{in, nothing, nothing}})
	if err != nil {
		return 0, err
	}
	state, err := child.Wait()
	took := time.Since(start)
	if err != nil {
		return 0, err
	}
	if !state.Success() {
		return 0, fmt.Errorf("%s: %v", argv[0], state)
	}
	return took, nil
}

// output runs the program and returns what it printed. Anything on stderr is an
// error: the program did not do what it is timed for.
func (p process) output() (string, error) {
	in, err := os.Open(p.stdin)
	if err != nil {
		return "", err
	}
	defer in.Close()
	var out, complaint bytes.Buffer
	cmd := exec.Command(p.program[0], p.args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.env, in, &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", p.program[0], err, complaint.String())
	}
	if complaint.Len() > 0 {
		return "", fmt.Errorf("%s said: %s", p.program[0], complaint.String())
	}
	return out.String(), nil
}

// silent runs the program and fails if it says anything.
func (p process) silent() error {
	out, err := p.output()
	if err == nil && out != "" {
		err = fmt.Errorf("%s was to be silent, but answered %s", p.program[0], out)
	}
	return err
}

// peak is the program's peak memory, the highest of some runs.
func (p process) peak(b *builder) (value, error) {
	once, err := b.build("./internal/bench/once")
	if err != nil {
		return value{}, err
	}
	measured := p
	measured.program, measured.args = once, p.argv(0)
	var highest int64
	for range 5 {
		out, err := measured.output()
		if err != nil {
			return value{}, err
		}
		n, err := strconv.ParseInt(strings.TrimSpace(out), 10, 64)
		if err != nil {
			return value{}, err
		}
		highest = max(highest, n)
	}
	return megabytes(highest), nil
}

// megabytes of 1024 × 1024 bytes.
func megabytes(n int64) value { return value{number: float64(n) / (1 << 20)} }

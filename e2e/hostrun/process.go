package hostrun

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Command is one run of a host program.
type Command struct {
	Host    string // for the time summary
	Path    string
	Args    []string
	Env     []string // all of it
	Dir     string
	Timeout time.Duration // then the process group is killed and the test fails
}

// Process is a running host program. It is ended with the test.
type Process struct {
	tb      testing.TB
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	started time.Time
	host    string
	timer   *time.Timer

	mu      sync.Mutex
	lines   [][]byte // complete lines of stdout
	more    chan struct{}
	ended   chan struct{} // closed when the program is gone
	stderr  bytes.Buffer  // read only after ended
	code    int
	expired bool
}

// Start starts a host program with a pipe to its stdin.
func Start(tb testing.TB, c Command) *Process {
	tb.Helper()
	if os.Getenv(isolatedEnv) == "" {
		tb.Fatal("hostrun: a host runs only under hostrun.Main")
	}
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	cmd.SysProcAttr = ownGroup()
	p := &Process{tb: tb, cmd: cmd, host: c.Host, more: make(chan struct{}), ended: make(chan struct{})}
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		tb.Fatalf("hostrun: %v", err)
	}
	// Pipes of our own: what the program leaves behind is killed when it ends,
	// not when the last writer has closed them.
	var ours, theirs [2]*os.File
	for i := range ours {
		if ours[i], theirs[i], err = os.Pipe(); err != nil {
			tb.Fatalf("hostrun: %v", err)
		}
	}
	cmd.Stdout, cmd.Stderr = theirs[0], theirs[1]
	p.started = time.Now()
	err = cmd.Start()
	for i := range theirs {
		_ = theirs[i].Close()
	}
	if err != nil {
		for i := range ours {
			_ = ours[i].Close()
		}
		tb.Fatalf("hostrun: %s: %v", c.Path, err)
	}
	p.timer = time.AfterFunc(c.Timeout, func() {
		p.mu.Lock()
		p.expired = true
		p.mu.Unlock()
		killGroup(cmd.Process.Pid)
	})
	var read sync.WaitGroup
	read.Go(func() { p.read(ours[0]) })
	read.Go(func() { _, _ = io.Copy(&p.stderr, ours[1]) })
	go p.wait(ours, &read)
	tb.Cleanup(func() {
		select {
		case <-p.ended:
		default:
			killGroup(cmd.Process.Pid)
			<-p.ended
		}
	})
	return p
}

// Send writes bytes to the program's stdin.
func (p *Process) Send(data []byte) {
	p.tb.Helper()
	if _, err := p.stdin.Write(data); err != nil {
		p.tb.Fatalf("hostrun: %s: stdin: %v", p.host, err)
	}
}

// CloseInput ends the program's stdin.
func (p *Process) CloseInput() { _ = p.stdin.Close() }

// PID returns the program's process id, which is also its group's.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Kill ends the program and all of its group at once.
func (p *Process) Kill() { killGroup(p.cmd.Process.Pid) }

// Await returns the first line of stdout, from line number from on, that accept
// accepts, and the number of the line after it. It fails the test if the
// program ends first.
func (p *Process) Await(from int, accept func(line []byte) bool) (line []byte, next int) {
	p.tb.Helper()
	for {
		p.mu.Lock()
		lines, more := p.lines, p.more
		p.mu.Unlock()
		for ; from < len(lines); from++ {
			if accept(lines[from]) {
				return lines[from], from + 1
			}
		}
		select {
		case <-more:
			continue
		default:
		}
		select {
		case <-more:
		case <-p.ended:
			p.mu.Lock()
			n := len(p.lines)
			p.mu.Unlock()
			if from >= n {
				p.tb.Fatalf("hostrun: %s ended without the awaited line; exit code %d, stderr: %s", p.host, p.code, p.stderr.String())
			}
		}
	}
}

// Wait closes stdin, waits for the end and returns the lines of stdout, stderr
// and the exit code (-1 after a signal). A run that had to be killed for its
// time fails the test.
func (p *Process) Wait() (lines [][]byte, stderr string, code int) {
	p.tb.Helper()
	p.CloseInput()
	<-p.ended
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.expired {
		p.tb.Fatalf("hostrun: %s took too long and was killed; stderr: %s; last lines: %s", p.host, p.stderr.String(), bytes.Join(p.lines[max(0, len(p.lines)-5):], []byte("\n")))
	}
	return p.lines, p.stderr.String(), p.code
}

// read collects the lines of stdout.
func (p *Process) read(from io.Reader) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			p.mu.Lock()
			p.lines = append(p.lines, line)
			close(p.more)
			p.more = make(chan struct{})
			p.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// wait collects the end of the program.
func (p *Process) wait(pipes [2]*os.File, read *sync.WaitGroup) {
	err := p.cmd.Wait()
	took := time.Since(p.started)
	p.timer.Stop()
	killGroup(p.cmd.Process.Pid) // what it left behind
	for _, pipe := range pipes {
		_ = pipe.SetReadDeadline(time.Now().Add(2 * time.Second)) // what left the group
	}
	read.Wait()
	for _, pipe := range pipes {
		_ = pipe.Close()
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		p.code = exit.ExitCode()
	case err != nil:
		p.code = -1
	}
	recordTime(p.tb, p.host, took)
	close(p.ended)
}

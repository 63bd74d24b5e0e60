package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// TestMain lets the test's binary be the server.
func TestMain(m *testing.M) {
	if os.Getenv("HANDOVER_MCP_TEST_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a running server.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

func command(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append([]string{"HANDOVER_MCP_TEST_MAIN=1", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, env...)
	return cmd
}

func run0(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: command(t, env, args...)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = &p.stderr
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	p.send(strings.TrimSuffix(strings.Join(strings.Split(hello, "\n")[:2], "\n"), "\n"))
	p.receive()
	return p
}

func (p *process) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// receive returns the next answer's id and text.
func (p *process) receive() (id, text string) {
	p.t.Helper()
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatalf("no answer: %v\n%s", err, p.stderr.String())
	}
	var got struct {
		ID     json.RawMessage
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(line, &got); err != nil {
		p.t.Fatalf("%v in %q", err, line)
	}
	if len(got.Result.Content) > 0 {
		text = got.Result.Content[0].Text
	}
	return string(got.ID), text
}

// end waits for the process and returns its exit status.
func (p *process) end() int {
	p.t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case <-done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(30 * time.Second):
		p.t.Fatal("the server does not end")
		return -1
	}
}

// issue plays the hook for a call of context_handover.
func issue(t *testing.T, dir, agent, args, callID string) {
	t.Helper()
	st, err := store.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	hash, err := store.ArgumentHash([]byte(args), hosts.ReservedKey)
	if err != nil {
		t.Fatal(err)
	}
	_, err = st.IssueCapability(store.CapabilityKey("claude", "", callID), store.Capability{
		Actor: actor.ID{Host: "claude", Session: "S", Agent: agent}, Kind: "subagent", Role: actor.RoleSubagent,
		Tool: string(hosts.ToolHandover), Arguments: hash, CallID: callID, Issued: time.Now(), HookVersion: "1",
	})
	if err != nil {
		t.Fatal(err)
	}
}

func writeCall(id int, args, callID string) string {
	return fmt.Sprintf(`{"method":"tools/call","params":{"name":"context_handover","arguments":%s,"_meta":{"claudecode/toolUseId":%q}},"jsonrpc":"2.0","id":%d}`, args, callID, id)
}

func TestFlags(t *testing.T) {
	for _, test := range []struct {
		args       []string
		status     int
		out, err   string
		unexpected string
	}{
		{args: []string{"--version"}, out: "devel\n"},
		{args: []string{"--help"}, err: "-host"},
		{args: nil, status: 1, err: "claude"},
		{args: []string{"--host", "nobody"}, status: 1, err: `"nobody"`},
		{args: []string{"--unknown"}, status: 1, err: "unknown"},
		{args: []string{"--host", "claude", "more"}, status: 1, err: "1 further"},
	} {
		cmd := command(t, nil, test.args...)
		var out, problem bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &problem
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != test.status {
			t.Errorf("%q: status %d, want %d", test.args, got, test.status)
		}
		if out.String() != test.out || !strings.Contains(problem.String(), test.err) {
			t.Errorf("%q: stdout %q, stderr %q", test.args, out.String(), problem.String())
		}
	}
}

// TestDirectories: flag before variable before default, and no directory at all
// is told to the model.
func TestDirectories(t *testing.T) {
	home, named, flagged := t.TempDir(), filepath.Join(t.TempDir(), "named"), filepath.Join(t.TempDir(), "flagged")
	for _, test := range []struct {
		env  []string
		args []string
		want string
	}{
		{[]string{"HOME=" + home}, nil, filepath.Join(home, ".local", "share", "handover")},
		{[]string{"HOME=" + home, "AUTO_CONTEXT_HANDOVER_DATA=" + named}, nil, named},
		{[]string{"HOME=" + home, "AUTO_CONTEXT_HANDOVER_DATA=" + named}, []string{"--data", flagged}, flagged},
		{[]string{"HOME="}, nil, "HOME"},
		{[]string{"HOME=" + home, "AUTO_CONTEXT_HANDOVER_DATA=relative"}, nil, "AUTO_CONTEXT_HANDOVER_DATA"},
	} {
		p := run0(t, test.env, append([]string{"--host", "claude"}, test.args...)...)
		p.send(writeCall(2, `{"handover":"h","summary":"s"}`, "toolu_1"))
		if _, text := p.receive(); !strings.Contains(text, test.want) {
			t.Errorf("%q %q: no %q in: %s", test.env, test.args, test.want, text)
		}
		p.in.Close()
		if status := p.end(); status != 0 {
			t.Errorf("status %d", status)
		}
	}
}

// TestEndOfStdin: calls that are piped in are all answered, though stdin ends
// at once.
func TestEndOfStdin(t *testing.T) {
	dir := t.TempDir()
	const n = 20
	p := run0(t, nil, "--host", "claude", "--data", dir)
	var lines []string
	for i := range n {
		args := fmt.Sprintf(`{"handover":"h %d","summary":"s"}`, i)
		issue(t, dir, fmt.Sprint(i), args, fmt.Sprint("toolu_", i))
		lines = append(lines, writeCall(100+i, args, fmt.Sprint("toolu_", i)))
	}
	p.send(strings.Join(lines, "\n"))
	p.in.Close()
	for range n {
		if id, text := p.receive(); !strings.HasPrefix(text, "[handover:stored]") {
			t.Errorf("call %s: %s", id, text)
		}
	}
	if status := p.end(); status != 0 {
		t.Errorf("status %d: %s", status, p.stderr.String())
	}
}

// TestTerminated: told to end, the server answers what it has read.
func TestTerminated(t *testing.T) {
	dir := t.TempDir()
	p := run0(t, nil, "--host", "claude", "--data", dir)
	args := fmt.Sprintf(`{"handover":%q,"summary":"s"}`, strings.Repeat("x", 500_000))
	issue(t, dir, "a", args, "toolu_a")
	p.send(writeCall(7, args, "toolu_a"))
	// The answer to a ping shows that the call before it was read.
	p.send(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	answered := map[string]string{}
	id, text := p.receive()
	answered[id] = text
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	id, text = p.receive()
	answered[id] = text
	if !strings.HasPrefix(answered["7"], "[handover:stored]") {
		t.Errorf("answers: %v", answered)
	}
	if status := p.end(); status != 0 {
		t.Errorf("status %d: %s", status, p.stderr.String())
	}
}

// TestBrokenStdout: a host that stops reading costs the answer, not the store.
func TestBrokenStdout(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "--host", "claude", "--data", dir)
	cmd.Env = append(os.Environ(), "HANDOVER_MCP_TEST_MAIN=1")
	cmd.Stdout = write
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	lines := bufio.NewReader(read)
	io.WriteString(in, hello)
	for range 2 {
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	read.Close()
	args := `{"handover":"h","summary":"s"}`
	issue(t, dir, "a", args, "toolu_a")
	io.WriteString(in, writeCall(7, args, "toolu_a")+"\n")
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if id, state, err := st.Latest(actor.ID{Host: "claude", Session: "S", Agent: "a"}); err != nil || !state.Exists {
		t.Errorf("stored: %q, %+v, %v", id, state, err)
	}
}

// TestLog: diagnostics go where they are wanted and never to stdout.
func TestLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	for _, env := range [][]string{nil, {"AUTO_CONTEXT_HANDOVER_LOG=" + file}} {
		p := run0(t, env, "--host", "claude", "--data", t.TempDir())
		p.send(writeCall(2, `{"handover":"h","summary":"s"}`, "toolu_1"))
		p.receive()
		p.in.Close()
		p.end()
		logged := p.stderr.String()
		if env != nil {
			if logged != "" {
				t.Errorf("stderr although there is a file: %s", logged)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			logged = string(data)
		}
		if !strings.Contains(logged, "cause=no-hook") {
			t.Errorf("log: %s", logged)
		}
	}
}

// TestMemoryAfterLargeCalls: what a large handover took is given back.
func TestMemoryAfterLargeCalls(t *testing.T) {
	dir := t.TempDir()
	server := build(t, "github.com/auto-context-handover/handover/cmd/handover-mcp")
	args := fmt.Sprintf(`{"handover":%q,"summary":"s"}`, strings.Repeat("x", store.MaxText))
	cmd := exec.Command(server, "--host", "claude", "--data", dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	p := &process{t: t, cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	p.send(strings.TrimSpace(hello))
	p.receive()
	p.receive()
	for i := range 20 {
		agent := fmt.Sprint(i)
		issue(t, dir, agent, args, "toolu_"+agent)
		p.send(writeCall(100+i, args, "toolu_"+agent))
	}
	for range 20 {
		if id, text := p.receive(); !strings.HasPrefix(text, "[handover:stored]") {
			t.Errorf("call %s: %.300s", id, text)
		}
	}
	kib := 0
	for range 600 {
		if kib = resident(t, cmd.Process.Pid); kib <= 15_000 {
			t.Logf("%d KiB resident", kib)
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if kib > 15_000 {
		t.Errorf("%d KiB resident while idle", kib)
	}
	p.in.Close()
	p.end()
}

//go:build unix

package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	"github.com/auto-context-handover/handover/measure"
)

// faultVariable makes the test binary a hook whose host fails in one way.
const faultVariable = "HANDOVER_TEST_FAULT"

func TestMain(m *testing.M) {
	if fault, ok := os.LookupEnv(faultVariable); ok {
		os.Args = os.Args[:1]
		os.Exit(Main(hosts.Claude(), faulty(fault), "test"))
	}
	os.Exit(m.Run())
}

// faulty is a host that fails where its name says.
type faulty string

func (f faulty) at(place string) {
	if !strings.HasPrefix(string(f), place) {
		return
	}
	switch what := strings.TrimPrefix(string(f), place+" "); what {
	case "panic":
		panic("on purpose")
	case "goroutine":
		go func() { panic("on purpose") }()
		time.Sleep(time.Hour)
	case "overflow":
		var f func(int) int
		f = func(n int) int { return f(n+1) + f(n+2) }
		f(0)
	case "hang":
		time.Sleep(time.Hour)
	case "map":
		m := map[int]int{}
		for range 8 {
			go func() {
				for i := 0; ; i++ {
					m[i%8] = i
				}
			}()
		}
		time.Sleep(time.Hour)
	case "deadlock":
		select {}
	}
}

func (f faulty) Decode(in io.Reader, _ Env) (Event, error) {
	f.at("decode")
	io.Copy(io.Discard, in)
	ev := Event{Name: ToolStart, HostEvent: "PreToolUse", Actor: actor.ID{Host: "claude", Session: "s", Agent: "a"}, Kind: "subagent", Shown: true, Record: "/nowhere.jsonl"}
	ev.Call = Call{Name: "context_handover", ID: "c", Tool: hosts.ToolHandover, Input: []byte(`{"handover":"h","summary":"s"}`)}
	if f == "foreign" {
		ev.Call = Call{Name: "Bash"}
	}
	return ev, nil
}

func (f faulty) Measure(Event, Env, Need) measure.Observation {
	f.at("measure")
	return measure.Observation{Reading: measure.UnknownBecause("test")}
}

func (f faulty) Encode(w io.Writer, _ Event, r Reply) error {
	f.at("encode")
	if r.Empty() {
		return nil
	}
	return json.NewEncoder(w).Encode(map[string]any{"allow": r.Allow, "deny": r.Deny})
}

// fault runs a hook with the fault and returns its stdout and how it ended.
func fault(t *testing.T, name string, stdin io.Reader, environ ...string) (stdout, stderr string, state *os.ProcessState) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append([]string{faultVariable + "=" + name, "HOME=" + t.TempDir(), "GORACE=atexit_sleep_ms=0"}, environ...)
	cmd.Stdin = stdin
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), diag.String(), cmd.ProcessState
}

// TestFaults: whatever breaks, the status is never 2, which hosts read as
// "block", and a write that got no record is denied as far as that can still be
// said.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault string
		// deny: the write must be denied; signal: nothing can be said any more
		// and the process dies by a signal, unless it is so slow about it that
		// the deadline comes first.
		deny, signal bool
	}{
		{fault: "decode panic"},
		{fault: "decode hang"},
		{fault: "decode deadlock"},
		{fault: "decode goroutine", signal: true},
		{fault: "decode overflow", signal: true},
		{fault: "decode map", signal: true},
		{fault: "measure panic", deny: true},
		{fault: "measure hang", deny: true},
		{fault: "measure goroutine", signal: true},
		{fault: "measure overflow", signal: true},
		{fault: "none"},
		{fault: "foreign"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, state := fault(t, c.fault, strings.NewReader("{}"))
			status := state.Sys().(syscall.WaitStatus)
			switch {
			case c.signal && status.Signaled():
				if stdout != "" {
					t.Errorf("stdout %q, want nothing", stdout)
				}
				return
			case state.ExitCode() != 0:
				t.Errorf("ended with status %d, want 0; stderr %.300s", state.ExitCode(), stderr)
			}
			denied := strings.Contains(stdout, `"allow":false`) && strings.Contains(stdout, "[handover:refused hook-failed]")
			if denied != c.deny && !c.signal {
				t.Errorf("denied: %v, want %v; stdout %q", denied, c.deny, stdout)
			}
			if c.fault == "none" && !strings.Contains(stdout, `"allow":true`) {
				t.Errorf("a call without a fault is answered %q", stdout)
			}
			if (c.fault == "foreign" || strings.HasPrefix(c.fault, "decode")) && stdout != "" {
				t.Errorf("stdout %q, want nothing", stdout)
			}
		})
	}
}

// TestStdinThatNeverEnds: a host that does not close stdin is not waited for.
func TestStdinThatNeverEnds(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	stdout, _, state := fault(t, "none", r)
	if state.ExitCode() != 0 || stdout != "" {
		t.Errorf("status %d, stdout %q", state.ExitCode(), stdout)
	}
}

// TestLogThatNobodyReads: a log that is a pipe without a reader is not waited for.
func TestLogThatNobodyReads(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "log")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"measure panic", "decode hang"} {
		_, _, state := fault(t, name, strings.NewReader("{}"), LogVariable+"="+pipe)
		if state.ExitCode() != 0 {
			t.Errorf("%s: status %d, want 0 (-1: it had to be killed)", name, state.ExitCode())
		}
	}
}

// TestUnknownFlag: arguments that are not understood are no reason to block.
func TestUnknownFlag(t *testing.T) {
	p := &process{row: hosts.Claude(), host: faulty("none"), in: strings.NewReader("{}"), args: []string{"--nonsense"}, lookup: func(string) (string, bool) { return "", false }, now: time.Now}
	var out, diag bytes.Buffer
	p.out, p.err = &out, &diag
	p.run()
	if out.Len() != 0 || !strings.Contains(diag.String(), "nonsense") {
		t.Errorf("stdout %q, stderr %q", out.String(), diag.String())
	}
}

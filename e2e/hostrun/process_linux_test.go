package hostrun

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/e2e/rehearse"
)

// shell is a made-up host: a script of /bin/sh.
func shell(script string, timeout time.Duration) Command {
	return Command{Host: "shell", Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"A=b"}, Timeout: timeout}
}

func TestProcess(t *testing.T) {
	t.Setenv(isolatedEnv, "1")
	times := t.TempDir()
	t.Setenv(timesEnv, times)
	p := Start(t, shell(`env | grep -c . ; echo "A is $A"; read line; echo "got $line"; echo oops >&2; printf last; exit 3`, time.Minute))
	line, next := p.Await(0, func(line []byte) bool { return strings.HasPrefix(string(line), "A is") })
	if string(line) != "A is b" {
		t.Errorf("line %q", line)
	}
	p.Send([]byte("hello\n"))
	if line, _ = p.Await(next, func([]byte) bool { return true }); string(line) != "got hello" {
		t.Errorf("line %q", line)
	}
	lines, stderr, code := p.Wait()
	if len(lines) != 4 || string(lines[3]) != "last" || stderr != "oops\n" || code != 3 {
		t.Errorf("lines %q, stderr %q, code %d", lines, stderr, code)
	}
	var summary strings.Builder
	printTimes(&summary, times)
	if !strings.HasPrefix(summary.String(), "hosts: shell ran 1 times, ") {
		t.Errorf("summary %q", summary.String())
	}
}

// TestProcessLeavesNothing: what a program started in its group ends with it,
// even if it keeps the pipes open.
func TestProcessLeavesNothing(t *testing.T) {
	t.Setenv(isolatedEnv, "1")
	p := Start(t, shell(`(sleep 300; echo waited for) & echo $!`, time.Minute))
	lines, _, code := p.Wait()
	if len(lines) != 1 || code != 0 {
		t.Fatalf("lines %q, code %d", lines, code)
	}
	gone(t, string(lines[0]))
}

func TestProcessTimeout(t *testing.T) {
	t.Setenv(isolatedEnv, "1")
	var pid string
	failures := rehearse.Run(t, func(tb testing.TB) {
		p := Start(tb, shell(`echo $$; sleep 300; echo no`, 200*time.Millisecond))
		line, _ := p.Await(0, func([]byte) bool { return true })
		pid = string(line)
		p.Wait()
	})
	if len(failures) != 1 || !strings.Contains(failures[0], "took too long") {
		t.Errorf("failures: %q", failures)
	}
	gone(t, pid)
}

func TestAwaitWithoutTheLine(t *testing.T) {
	t.Setenv(isolatedEnv, "1")
	failures := rehearse.Run(t, func(tb testing.TB) {
		Start(tb, shell(`echo a; echo why >&2; exit 4`, time.Minute)).Await(0, func([]byte) bool { return false })
	})
	if len(failures) != 1 || !strings.Contains(failures[0], "exit code 4") || !strings.Contains(failures[0], "why") {
		t.Errorf("failures: %q", failures)
	}
}

func TestStartOutsideMain(t *testing.T) {
	t.Setenv(isolatedEnv, "")
	failures := rehearse.Run(t, func(tb testing.TB) { Start(tb, shell("true", time.Minute)) })
	if len(failures) != 1 || !strings.Contains(failures[0], "hostrun.Main") {
		t.Errorf("failures: %q", failures)
	}
}

// gone fails unless a process ends soon; a zombie that nobody waits for counts
// as ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if syscall.Kill(n, 0) != nil {
			return
		}
		if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", n)
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`

// build compiles a command as it is released.
func build(tb testing.TB, pkg string) string {
	tb.Helper()
	out := filepath.Join(tb.TempDir(), filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("go build %s: %v\n%s", pkg, err, text)
	}
	return out
}

// start is the time from the start of a server to its list of tools. The
// process is handed to look before it ends.
func start(tb testing.TB, command []string, look func(pid int)) time.Duration {
	tb.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	io.WriteString(in, hello)
	lines := bufio.NewReader(out)
	for range 2 {
		if _, err := lines.ReadString('\n'); err != nil {
			tb.Fatal(err)
		}
	}
	took := time.Since(begin)
	if look != nil {
		look(cmd.Process.Pid)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		tb.Fatal(err)
	}
	return took
}

// BenchmarkStart prints the median start of the server, that of a bare one, and
// their ratio. The two take turns, so that both have the same neighbours.
func BenchmarkStart(b *testing.B) {
	ours := []string{build(b, "github.com/auto-context-handover/handover/cmd/handover-mcp"), "--host", "claude", "--data", b.TempDir()}
	bare := []string{build(b, "github.com/auto-context-handover/handover/mcpserver/testdata/bare")}
	var a, z []time.Duration
	for b.Loop() {
		a = append(a, start(b, ours, nil))
		z = append(z, start(b, bare, nil))
	}
	slices.Sort(a)
	slices.Sort(z)
	b.ReportMetric(float64(a[len(a)/2].Microseconds()), "µs/start")
	b.ReportMetric(float64(z[len(z)/2].Microseconds()), "µs/bare-start")
	b.ReportMetric(float64(a[len(a)/2])/float64(z[len(z)/2]), "ratio")
}

// resident is the memory of a process in KiB.
func resident(tb testing.TB, pid int) int {
	tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		tb.Skip("no /proc here")
	}
	for line := range strings.Lines(string(status)) {
		var kib int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kib); n == 1 {
			return kib
		}
	}
	tb.Fatal("no VmRSS")
	return 0
}

// TestIdleMemory: a server that waits holds no more than 15 MB.
func TestIdleMemory(t *testing.T) {
	server := build(t, "github.com/auto-context-handover/handover/cmd/handover-mcp")
	start(t, []string{server, "--host", "claude", "--data", t.TempDir()}, func(pid int) {
		if kib := resident(t, pid); kib > 15_000 {
			t.Errorf("%d KiB resident", kib)
		} else {
			t.Logf("%d KiB resident", kib)
		}
	})
}

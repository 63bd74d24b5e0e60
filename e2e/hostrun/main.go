package hostrun

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// isolatedEnv marks the process whose only network is loopback.
const isolatedEnv = "HANDOVER_E2E_ISOLATED"

// Main runs the tests of a package in a network namespace that has nothing but
// loopback: it starts the test binary once more inside it, and at the end prints
// how long each host ran. It returns the exit code.
func Main(m interface{ Run() int }) int {
	if os.Getenv(isolatedEnv) != "" {
		if err := onlyLoopback(); err != nil {
			fmt.Fprintln(os.Stderr, "hostrun:", err)
			return 1
		}
		return m.Run()
	}
	times, err := os.MkdirTemp("", "handover-e2e-times-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostrun:", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(times) }()
	exe, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostrun:", err)
		return 1
	}
	cmd := exec.Command(exe, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), isolatedEnv+"=1", timesEnv+"="+times)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	code := runIsolated(cmd)
	printTimes(os.Stdout, times)
	return code
}

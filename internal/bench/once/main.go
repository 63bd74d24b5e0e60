//go:build linux || darwin

// Command once runs a program once, with stdin as it is and no output, and
// prints the program's peak memory in bytes.
//
//	once PROGRAM [ARGUMENT…] <stdin
//
// The kernel counts to a new process the memory of the one that started it, so
// whoever measures a small program has to be small itself.
package main

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
)

func main() {
	if len(os.Args) < 2 {
		os.Stderr.WriteString("usage: once PROGRAM [ARGUMENT…] <stdin\n")
		os.Exit(2)
	}
	peak, err := run(os.Args[1:])
	if err != nil {
		os.Stderr.WriteString("once: " + err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString(strconv.FormatInt(peak, 10) + "\n")
}

// run returns the peak memory of a program in bytes.
func run(argv []string) (int64, error) {
	nothing, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	pid, err := syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, nothing.Fd(), nothing.Fd()}})
	if err != nil {
		return 0, err
	}
	var status syscall.WaitStatus
	var usage syscall.Rusage
	for {
		if _, err = syscall.Wait4(pid, &status, 0, &usage); err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		return 0, err
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss), nil
	}
	return int64(usage.Maxrss) << 10, nil
}

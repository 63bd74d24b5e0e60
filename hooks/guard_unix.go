//go:build unix

package hooks

import (
	"io"
	"runtime/debug"
	"syscall"
)

// nonblocking keeps the opening of a log from waiting: it may be a pipe that
// nobody reads.
const nonblocking = syscall.O_NONBLOCK

// standardOutput writes to file descriptor 1. Through os.Stdout a host that has
// gone away would end the process by a signal, before what was claimed for the
// answer is given back.
func standardOutput() io.Writer { return descriptor(1) }

type descriptor int

func (d descriptor) Write(b []byte) (n int, err error) {
	for n < len(b) {
		m, err := syscall.Write(int(d), b[n:])
		if err == syscall.EINTR || err == syscall.EAGAIN {
			continue
		}
		if err != nil {
			return n, err
		}
		n += m
	}
	return n, nil
}

// guard makes every death of this process one that hosts read as "no opinion".
// A panic on another goroutine, a stack overflow and running out of memory end
// a Go program with status 2, which hosts read as "block"; with the traceback
// mode "crash" they end it by a signal instead. No core is dumped: it would
// hold a tool's input. A runaway recursion ends early, before it has eaten a
// gigabyte.
func guard() {
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	debug.SetTraceback("crash")
	debug.SetMaxStack(maxStack)
}

//go:build unix

package hooks

import (
	"runtime/debug"
	"syscall"
)

// nonblocking keeps the opening of a log from waiting: it may be a pipe that
// nobody reads.
const nonblocking = syscall.O_NONBLOCK

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

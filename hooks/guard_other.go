//go:build !unix

package hooks

import (
	"io"
	"os"
	"runtime/debug"
)

// standardOutput: see guard_unix.go.
func standardOutput() io.Writer { return os.Stdout }

const nonblocking = 0

// guard: see guard_unix.go. There are no core dumps to switch off here.
func guard() {
	debug.SetTraceback("crash")
	debug.SetMaxStack(maxStack)
}

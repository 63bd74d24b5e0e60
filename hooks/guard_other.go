//go:build !unix

package hooks

import "runtime/debug"

const nonblocking = 0

// guard: see guard_unix.go. There are no core dumps to switch off here.
func guard() {
	debug.SetTraceback("crash")
	debug.SetMaxStack(maxStack)
}

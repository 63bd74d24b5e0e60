//go:build !unix

package hooks

import "runtime/debug"

// guard: see guard_unix.go. There are no core dumps to switch off here.
func guard() {
	debug.SetTraceback("crash")
	debug.SetMaxStack(maxStack)
}

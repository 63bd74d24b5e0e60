//go:build unix

package main

import "syscall"

// nonblocking keeps the opening of a log from waiting: it may be a pipe that
// nobody reads.
const nonblocking = syscall.O_NONBLOCK

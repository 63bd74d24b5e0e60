package mcpserver

import "syscall"

func fullDiskErrors() []error {
	return []error{syscall.Errno(39), syscall.Errno(112), syscall.Errno(1295)}
}

func readOnlyErrors() []error {
	return []error{syscall.Errno(19), syscall.ERROR_ACCESS_DENIED}
}

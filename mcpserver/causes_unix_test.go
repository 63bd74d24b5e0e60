//go:build unix

package mcpserver

import "syscall"

func fullDiskErrors() []error { return []error{syscall.ENOSPC, syscall.EDQUOT} }

func readOnlyErrors() []error { return []error{syscall.EROFS, syscall.EACCES} }

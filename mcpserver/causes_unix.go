//go:build unix

package mcpserver

import (
	"errors"
	"syscall"
)

// fullDisk reports whether there was no room to write.
func fullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// readOnlyDisk reports whether the file system takes no writes at all.
func readOnlyDisk(err error) bool { return errors.Is(err, syscall.EROFS) }

package mcpserver

import (
	"errors"
	"syscall"
)

// The system's errors that package syscall has no names for.
const (
	errorWriteProtect   syscall.Errno = 19
	errorHandleDiskFull syscall.Errno = 39
	errorDiskFull       syscall.Errno = 112
	errorDiskQuota      syscall.Errno = 1295
)

// fullDisk reports whether there was no room to write.
func fullDisk(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskQuota)
}

// readOnlyDisk reports whether the file system takes no writes at all.
func readOnlyDisk(err error) bool { return errors.Is(err, errorWriteProtect) }

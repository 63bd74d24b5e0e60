package store

import (
	"errors"
	"io/fs"
	"syscall"
)

// Windows keeps access in lists that a directory hands down to what is created
// in it; the user's own profile is private by them. There are no modes to check.

func foreign(fs.FileInfo) (owner, self int, is bool) { return 0, 0, false }

func lax(fs.FileInfo) bool { return false }

func crippled(fs.FileInfo) bool { return false }

func exact(fs.FileInfo) bool { return true }

func secondName(fs.FileInfo) bool { return false }

// noLinks reports whether an error of link means that the file system has none.
func noLinks(err error) bool {
	const invalidFunction, notSupported = syscall.Errno(1), syscall.Errno(50)
	return errors.Is(err, invalidFunction) || errors.Is(err, notSupported)
}

func noModes(error) bool { return false }

// syncDirectory does nothing: a directory's handle cannot be flushed, and NTFS
// journals the names.
func syncDirectory(file) error { return nil }

func noSync(error) bool { return true }

//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// foreign reports whether a file belongs to another user than this process's,
// and to whom.
func foreign(info fs.FileInfo) (owner, self int, is bool) {
	self = os.Geteuid()
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return self, self, false
	}
	return int(st.Uid), self, int(st.Uid) != self
}

// lax reports whether others than the owner have any access.
func lax(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// crippled reports whether the owner lacks access to a directory, as a strict
// umask leaves it.
func crippled(info fs.FileInfo) bool { return info.Mode().Perm()&0o700 != 0o700 }

// exact reports whether a new file has the mode it was created with.
func exact(info fs.FileInfo) bool { return info.Mode().Perm() == 0o600 }

// secondName reports whether a file has two names: a link that was made although
// its answer said otherwise (NFS sends a request again whose answer was lost).
func secondName(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 2
}

// noLinks reports whether an error of link means that the file system has none.
func noLinks(err error) bool {
	for _, e := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.EXDEV, syscall.EMLINK} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// noModes reports whether an error of chmod means that the file system has none.
func noModes(err error) bool {
	for _, e := range []error{syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.EPERM} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// syncDirectory makes the names in an open directory durable.
func syncDirectory(f file) error { return f.Sync() }

// noSync reports whether an error of fsync on a directory above the store only
// means that this cannot be asked for there.
func noSync(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EROFS)
}

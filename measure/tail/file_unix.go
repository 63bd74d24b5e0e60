//go:build unix

package tail

import (
	"io"
	"io/fs"
	"syscall"
)

// File is a regular file opened for reading. It is not an os.File, which costs a
// hook a registration with the poller. It is not safe for concurrent use, and has
// to be closed.
type File struct {
	path string
	fd   int
	size int64
}

// Open opens a regular file, following symbolic links. It never waits, whatever
// the path is: anything else is ErrNotRegular. Errors are of type *fs.PathError.
func Open(path string) (*File, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var stat syscall.Stat_t
	if _, err := retry(func() (int, error) { return 0, syscall.Fstat(fd, &stat) }); err != nil {
		_ = syscall.Close(fd)
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if uint32(stat.Mode)&syscall.S_IFMT != syscall.S_IFREG {
		_ = syscall.Close(fd)
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return &File{path: path, fd: fd, size: stat.Size}, nil
}

// Size is the length of the file in bytes when it was opened.
func (f *File) Size() int64 { return f.size }

// ReadAt is as io.ReaderAt says.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	if f.fd < 0 {
		return 0, f.failed(fs.ErrClosed)
	}
	if offset < 0 {
		return 0, f.failed(syscall.EINVAL)
	}
	for read := 0; ; {
		if read == len(p) {
			return read, nil
		}
		n, err := retry(func() (int, error) { return syscall.Pread(f.fd, p[read:], offset+int64(read)) })
		if err != nil {
			return read, f.failed(err)
		}
		if n == 0 {
			return read, io.EOF
		}
		read += n
	}
}

// Close can be called again, which is an error that does no harm.
func (f *File) Close() error {
	if f.fd < 0 {
		return &fs.PathError{Op: "close", Path: f.path, Err: fs.ErrClosed}
	}
	fd := f.fd
	f.fd = -1
	// Not again after EINTR: the number may be another file's by then.
	if err := syscall.Close(fd); err != nil && err != syscall.EINTR {
		return &fs.PathError{Op: "close", Path: f.path, Err: err}
	}
	return nil
}

func (f *File) failed(err error) error {
	return &fs.PathError{Op: "read", Path: f.path, Err: err}
}

// retry calls again what a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}

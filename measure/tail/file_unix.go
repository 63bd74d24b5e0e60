//go:build unix

package tail

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// File is a regular file that is open for reading. It costs three system calls
// to open and close; an os.File would register with the poller as well, which a
// process that lives for a millisecond feels.
type File struct {
	fd   int
	path string
	size int64
}

// Open opens a regular file and takes its size. Anything else is refused, and
// nothing is waited for.
func Open(path string) (*File, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var st syscall.Stat_t
	if _, err := retry(func() (int, error) { return 0, syscall.Fstat(fd, &st) }); err != nil {
		syscall.Close(fd)
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		syscall.Close(fd)
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return &File{fd, path, st.Size}, nil
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	n := 0
	for n < len(b) {
		m, err := retry(func() (int, error) { return syscall.Pread(f.fd, b[n:], off+int64(n)) })
		if err != nil {
			return n, &fs.PathError{Op: "read", Path: f.path, Err: err}
		}
		if m == 0 {
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// Close closes the file.
func (f *File) Close() error { return syscall.Close(f.fd) }

// retry repeats a call that a signal interrupted.
func retry(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}

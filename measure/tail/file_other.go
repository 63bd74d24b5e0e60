//go:build !unix

package tail

import (
	"io/fs"
	"os"
)

// File is a regular file that is open for reading.
type File struct {
	f    *os.File
	size int64
}

// Open opens a regular file and takes its size. Anything else is refused.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{f, st.Size()}, nil
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(b []byte, off int64) (int, error) { return f.f.ReadAt(b, off) }

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

//go:build !unix

package tail

import (
	"io/fs"
	"os"
)

// File is a regular file opened for reading. It has to be closed.
type File struct {
	file *os.File
	size int64
}

// Open opens a regular file, following symbolic links; anything else is
// ErrNotRegular. Errors are of type *fs.PathError.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &File{file: file, size: info.Size()}, nil
}

// Size is the length of the file in bytes when it was opened.
func (f *File) Size() int64 { return f.size }

// ReadAt is as io.ReaderAt says.
func (f *File) ReadAt(p []byte, offset int64) (int, error) { return f.file.ReadAt(p, offset) }

// Close can be called again, which is an error that does no harm.
func (f *File) Close() error { return f.file.Close() }

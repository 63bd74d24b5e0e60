package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// directory is one directory below the store's root, with the few operations
// this package needs. Names are relative and use "/". It exists so that tests
// can fail or stop at every single step; the one real implementation is
// rootDirectory.
type directory interface {
	// Open opens to read, a directory too.
	Open(name string) (file, error)
	// Create creates a file of mode 0600 (less the umask) to read and write,
	// and fails with fs.ErrExist where the name is taken.
	Create(name string) (file, error)
	Mkdir(name string) error
	Lstat(name string) (fs.FileInfo, error)
	Chmod(name string, mode fs.FileMode) error
	Chtimes(name string, mtime time.Time) error
	// Link gives a file a second name and fails with fs.ErrExist where that is
	// taken.
	Link(name, second string) error
	// Rename replaces what has the new name.
	Rename(name, to string) error
	Remove(name string) error
	// Enter opens a directory in this one.
	Enter(name string) (directory, error)
	Close() error
}

// file is an open file or directory.
type file interface {
	io.ReadWriteCloser
	io.ReaderAt
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Sync() error
	Readdirnames(n int) ([]string, error)
}

// rootDirectory is a directory of the operating system. os.Root sees to it that
// no name leads out of it.
type rootDirectory struct{ root *os.Root }

func openDirectory(path string) (directory, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return rootDirectory{root}, nil
}

func (d rootDirectory) Open(name string) (file, error) {
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d rootDirectory) Create(name string) (file, error) {
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d rootDirectory) Enter(name string) (directory, error) {
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return rootDirectory{root}, nil
}

func (d rootDirectory) Mkdir(name string) error                   { return d.root.Mkdir(name, 0o700) }
func (d rootDirectory) Lstat(name string) (fs.FileInfo, error)    { return d.root.Lstat(name) }
func (d rootDirectory) Chmod(name string, mode fs.FileMode) error { return d.root.Chmod(name, mode) }
func (d rootDirectory) Link(name, second string) error            { return d.root.Link(name, second) }
func (d rootDirectory) Rename(name, to string) error              { return d.root.Rename(name, to) }
func (d rootDirectory) Remove(name string) error                  { return d.root.Remove(name) }
func (d rootDirectory) Close() error                              { return d.root.Close() }

func (d rootDirectory) Chtimes(name string, mtime time.Time) error {
	return d.root.Chtimes(name, mtime, mtime)
}

// place is an open directory of a store with its path as people are shown it.
type place struct {
	directory
	path string
}

// file is the path of a file in the place, for people.
func (p place) file(name string) string { return filepath.Join(p.path, name) }

// missing reports whether an error only says that there is no such file.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// exists reports whether a name is taken.
func exists(d directory, name string) (bool, error) {
	_, err := d.Lstat(name)
	if missing(err) {
		return false, nil
	}
	return err == nil, err
}

// names lists a directory, unsorted; a directory that is not there is empty.
func names(d directory, name string) ([]string, error) {
	f, err := d.Open(name)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

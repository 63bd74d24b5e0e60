//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

// unfitDisk is a file system like FAT: no links, or modes that do not stick.
type unfitDisk struct {
	directory
	links, modes bool
}

func (d unfitDisk) Link(name, second string) error {
	if !d.links {
		return &os.LinkError{Op: "link", Old: name, New: second, Err: syscall.EPERM}
	}
	return d.directory.Link(name, second)
}

func (d unfitDisk) Chmod(name string, mode fs.FileMode) error {
	if !d.modes {
		return nil
	}
	return d.directory.Chmod(name, mode)
}

func (d unfitDisk) Lstat(name string) (fs.FileInfo, error) {
	info, err := d.directory.Lstat(name)
	if err == nil && !d.modes {
		return laxInfo{info}, nil
	}
	return info, err
}

func (d unfitDisk) Enter(name string) (directory, error) {
	sub, err := d.directory.Enter(name)
	return unfitDisk{sub, d.links, d.modes}, err
}

type laxInfo struct{ fs.FileInfo }

func (i laxInfo) Mode() fs.FileMode { return i.FileInfo.Mode() | 0o755 }

func TestUnfitFileSystems(t *testing.T) {
	for _, d := range []unfitDisk{{links: false, modes: true}, {links: true, modes: false}} {
		dir := fresh(t)
		_, err := createStore(dir, func(path string) (directory, error) {
			real, err := openDirectory(path)
			return unfitDisk{real, d.links, d.modes}, err
		})
		if !errors.Is(err, ErrUnfit) || errors.Is(err, ErrNoLinks) == d.links || errors.Is(err, ErrNoModes) == d.modes {
			t.Errorf("%+v: %v", d, err)
		}
		if err != nil && !strings.Contains(err.Error(), dir) {
			t.Errorf("the directory is not named: %v", err)
		}
	}
}

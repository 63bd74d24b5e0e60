//go:build linux || darwin

package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"syscall"
)

// publishRaw makes a file with this content appear in a folder: written and
// synced under another name, read back, linked, the folder synced.
func publishRaw(folder, name string, content []byte) error {
	dir, err := syscall.Open(folder, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(dir)
	final, temporary := filepath.Join(folder, name), filepath.Join(folder, ".tmp-"+name)
	if err := writeRaw(temporary, content); err != nil {
		return err
	}
	if err := syscall.Link(temporary, final); err != nil {
		return err
	}
	if err := syscall.Fsync(dir); err != nil {
		return err
	}
	return syscall.Unlink(temporary)
}

// writeRaw writes and syncs a new file and reads it back.
func writeRaw(path string, content []byte) error {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	if n, err := syscall.Write(fd, content); err != nil || n != len(content) {
		return errors.Join(err, errShort)
	}
	if err := syscall.Fsync(fd); err != nil {
		return err
	}
	back := make([]byte, len(content)+1)
	n, err := syscall.Pread(fd, back, 0)
	if err != nil {
		return err
	}
	if !bytes.Equal(back[:n], content) {
		return errShort
	}
	return nil
}

// errShort: a write or read did less than it was asked for.
var errShort = errors.New("short write or read")

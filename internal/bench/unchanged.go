//go:build linux || darwin

package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// unchanged runs f and fails if anything in the folder is another afterwards.
func unchanged(folder string, f func() error) error {
	before, err := listing(folder)
	if err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	after, err := listing(folder)
	if err == nil && after != before {
		err = fmt.Errorf("something was written in %s", folder)
	}
	return err
}

// listing is every name below the folder with its size and time.
func listing(folder string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
		return nil
	})
	return b.String(), err
}

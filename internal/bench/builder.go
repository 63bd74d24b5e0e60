//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// builder makes programs and folders below one folder.
type builder struct{ dir string }

// program is an executable file in some copies. How the pages of a file lie in
// the page cache changes the start of a small program by a tenth and stays as it
// is until the file is written again, so a program is run from each of its
// copies in turn.
type program []string

// copies of each program that is built.
const copies = 12

// build builds a command of this module the way a release is built.
func (b *builder) build(pkg string) (program, error) {
	path := filepath.Join(b.dir, "bin", filepath.Base(pkg))
	var p program
	for i := range copies {
		p = append(p, fmt.Sprintf("%s-%d", path, i))
	}
	if _, err := os.Stat(path); err == nil {
		return p, nil
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s does not build: %w\n%s", pkg, err, bytes.TrimSpace(out))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for _, c := range p {
		if err := os.WriteFile(c, text, 0o700); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// folder makes a folder.
func (b *builder) folder(name string) (string, error) {
	path := filepath.Join(b.dir, name)
	return path, os.MkdirAll(path, 0o700)
}

package manifests

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Lay makes dir the complete plugin of the host: its files, and its binaries
// copied from the folder binaries.
//
// Each file is replaced by rename, so that a host that runs the plugin in place
// never meets a missing or half-written one; files of an older version are
// removed last. Lay changes nothing in a dir that holds something else: one
// that is not empty and has no plugin of ours in it.
func Lay(host, binaries, dir string) error {
	plugin, err := Plugin(host)
	if err != nil {
		return err
	}
	if err := ours(plugin, host, dir); err != nil {
		return err
	}
	keep := map[string]bool{}
	err = fs.WalkDir(plugin, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(plugin, name)
		if err != nil {
			return err
		}
		keep[filepath.FromSlash(name)] = true
		return place(filepath.Join(dir, filepath.FromSlash(name)), data, 0o644)
	})
	if err != nil {
		return err
	}
	for _, name := range Binaries(host) {
		file, data, err := binary(binaries, name)
		if err != nil {
			return err
		}
		keep[filepath.Join("bin", file)] = true
		if err := place(filepath.Join(dir, "bin", file), data, 0o755); err != nil {
			return err
		}
	}
	return removeOthers(dir, keep)
}

// binary reads a program from the folder, under its name with or without .exe.
func binary(folder, name string) (file string, data []byte, err error) {
	for _, file := range []string{name, name + ".exe"} {
		data, err := os.ReadFile(filepath.Join(folder, file))
		if err == nil {
			return file, data, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", nil, err
		}
	}
	return "", nil, fmt.Errorf("%s is not in %s", name, folder)
}

// marker is the file that every host's plugin holds. Its first line, which names
// the host, tells our folder from somebody else's and from another host's.
const marker = "README.md"

// ours refuses a dir that holds something other than a plugin of this host.
func ours(plugin fs.FS, host, dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	want, err := fs.ReadFile(plugin, marker)
	if err != nil {
		return err
	}
	title, _, _ := bytes.Cut(want, []byte("\n"))
	text, err := os.ReadFile(filepath.Join(dir, marker))
	if first, _, _ := bytes.Cut(text, []byte("\n")); err != nil || !bytes.Equal(first, title) {
		return fmt.Errorf("%s holds something else than the %s plugin, nothing was written there: name an empty or new folder", dir, host)
	}
	return nil
}

// place writes the file beside its name and renames it over it; a file that
// already has these bytes and this mode is left alone.
func place(path string, data []byte, mode fs.FileMode) error {
	if info, err := os.Lstat(path); err == nil && info.Mode() == mode {
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
			return nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), temporary+"*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Chmod(mode), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// temporary starts the name of a file that is not finished.
const temporary = ".new-"

// removeOthers removes the files in dir that are not kept. Empty folders stay
// nowhere; a file that somebody else is writing (temporary) stays.
func removeOthers(dir string, keep map[string]bool) error {
	var folders []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			folders = append(folders, path)
		case !keep[name] && !strings.HasPrefix(d.Name(), temporary):
			return os.Remove(path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := len(folders) - 1; i > 0; i-- {
		if entries, err := os.ReadDir(folders[i]); err == nil && len(entries) == 0 {
			if err := os.Remove(folders[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

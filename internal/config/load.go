package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/internal/datadir"
)

// maxSize bounds config.json, in bytes.
const maxSize = 1 << 20

// InvalidError says what is wrong with a config.json. Whoever gets it gives no
// notices (Broken).
type InvalidError struct {
	Path string
	// Problems each name a key and its value, or the cause for which nothing
	// could be read at all.
	Problems []string
	// understood is what the rest of the file says; nil where it is no JSON.
	understood *File
	cause      error
}

func (e *InvalidError) Error() string {
	return e.Path + ": " + strings.Join(e.Problems, "; ")
}

// Unwrap is the cause for which the file could not be read, if that is it.
func (e *InvalidError) Unwrap() error { return e.cause }

// Locate is the path of config.json: AUTO_CONTEXT_HANDOVER_CONFIG, else in the
// home of configuration. A file that the variable names must exist: naming one
// is an explicit setting, which never silently becomes the default.
func Locate(env datadir.Env, goos string) (file string, err error) {
	file, named, err := datadir.NamedConfig(env, goos)
	if err != nil {
		return "", err
	}
	if !named {
		return datadir.Config(env, goos)
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s names %s, which does not exist", datadir.ConfigVariable, file)
	}
	return file, nil
}

// Load reads config.json. A missing file is nil and no error. Any other error is
// an *InvalidError that names the file and each problem with its key and value.
func Load(path string) (*File, error) {
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, &InvalidError{Path: path, Problems: []string{err.Error()}, cause: err}
	}
	return Parse(path, data)
}

// Parse reads the bytes of a config.json; path is for errors only.
func Parse(path string, data []byte) (*File, error) {
	if !utf8.Valid(data) {
		return nil, &InvalidError{Path: path, Problems: []string{"not valid UTF-8"}}
	}
	v, err := parse(data)
	if err != nil {
		return nil, &InvalidError{Path: path, Problems: []string{err.Error()}, cause: err}
	}
	var d decoder
	f := d.file(v)
	if d.problems != nil {
		return nil, &InvalidError{Path: path, Problems: d.problems, understood: f}
	}
	return f, nil
}

// read reads a regular file of at most maxSize bytes.
func read(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = fmt.Errorf("larger than %d bytes", maxSize)
	}
	return data, err
}

// open opens a regular file to read. It does not wait for a writer where the
// path is a named pipe.
func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

package main

import (
	"io"
	"os"
	"runtime"
	"time"

	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/internal/datadir/xdg"
)

// process is everything a command takes from the process it runs in. Tests
// replace it.
type process struct {
	in       io.Reader
	out, err io.Writer
	lookup   func(name string) (string, bool)
	environ  []string
	now      func() time.Time
	// dir is the working directory.
	dir func() (string, error)
	// data is the directory of the store for a flag --data, and what decided it.
	data func(flag string) (dir, source string, err error)
	// self is the path of this program.
	self func() (string, error)
	goos string
	// style is how out takes colour.
	style term.Style
}

// fromOS is the process as the operating system made it.
func fromOS() process {
	return process{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		lookup: os.LookupEnv, environ: os.Environ(), now: time.Now,
		dir: os.Getwd, data: xdg.Data, self: os.Executable, goos: runtime.GOOS,
		style: term.Style{Colour: colour(os.Stdout, os.LookupEnv)},
	}
}

// colour reports whether a file is a terminal that wants colour (NO_COLOR and
// TERM=dumb say no).
func colour(f *os.File, lookup func(string) (string, bool)) bool {
	if v, _ := lookup("NO_COLOR"); v != "" {
		return false
	}
	if v, _ := lookup("TERM"); v == "dumb" || v == "" && runtime.GOOS != "windows" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// store returns the directory of the store and what decided it. It does not
// look at the disk.
func (p process) store(flag string) (dir, source string, err error) {
	dir, source, err = p.data(flag)
	if err != nil {
		return "", "", &problem{
			happened: err.Error(), not: "No store was opened.",
			next: "Name its directory with --data or AUTO_CONTEXT_HANDOVER_DATA (an absolute path).",
		}
	}
	return dir, source, nil
}

package main

import (
	"bytes"
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
	// terminal: out is one, so that lines are cut to its width.
	terminal bool
	// style is how out takes colour.
	style term.Style
}

// fromOS is the process as the operating system made it.
func fromOS() process {
	return process{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		lookup: os.LookupEnv, environ: os.Environ(), now: time.Now,
		dir: os.Getwd, data: xdg.Data, self: os.Executable, goos: runtime.GOOS,
		terminal: terminal(os.Stdout),
		style:    term.Style{Colour: colour(os.Stdout, os.LookupEnv)},
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
	return terminal(f)
}

// terminal reports whether a file is a terminal.
func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// print writes for people in one piece, so that a failed write is seen.
func (p process) print(write func(io.Writer)) error {
	var b bytes.Buffer
	write(&b)
	_, err := p.out.Write(b.Bytes())
	return unwritten(err)
}

// unwritten says that the output could not be written, nil where it could.
func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return &problem{happened: "the output cannot be written: " + err.Error(), not: "It was not shown, or only in part.", next: "Send it somewhere else.", cause: err}
}

// store returns the directory of the store and what decided it. It does not
// look at the disk.
func (p process) store(flag string) (dir, source string, err error) {
	dir, source, err = p.data(flag)
	if err != nil {
		next := "Name its directory with --data or AUTO_CONTEXT_HANDOVER_DATA (an absolute path)."
		if flag != "" {
			next = "Give --data an absolute path."
		}
		return "", "", &problem{
			happened: err.Error(), not: "No store was opened.",
			next: next,
		}
	}
	return dir, source, nil
}

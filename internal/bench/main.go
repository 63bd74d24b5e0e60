//go:build linux || darwin

// Command bench measures what the project promises about its speed and size,
// and prints one "name: value" a line.
//
//	go run ./internal/bench [-check] [-only PATTERN] [-keep FOLDER]
//
// It is run at the root of the repository. Times are ratios: the median of many
// runs over the median of a baseline whose runs lie between them, so that a
// machine that is busy for a while slows both. Nothing is said about absolute
// times. Before a program is timed it is run once to see that it does what the
// figure is about.
//
// The exit status is 1 if a figure could not be measured and, with -check, if
// one misses its bound; the bounds are then printed on stderr.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"syscall"
)

func main() {
	check := flag.Bool("check", false, "exit with 1 if a figure misses its bound")
	only := flag.String("only", "*", "measure the figures whose `names` match, such as 'hook_*'")
	keep := flag.String("keep", "", "work in this new `folder` and leave it, to look into a figure")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "bench: arguments are not understood:", flag.Args())
		os.Exit(1)
	}
	if _, err := path.Match(*only, ""); err != nil {
		fmt.Fprintf(os.Stderr, "bench: -only %s: %v\n", *only, err)
		os.Exit(1)
	}
	dir, remove, err := workFolder(*keep)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	status := run(dir, *check, *only, os.Stdout, os.Stderr)
	remove()
	os.Exit(status)
}

// run measures and prints; it returns the exit status.
func run(dir string, check bool, only string, out, log io.Writer) int {
	status := 0
	for _, g := range groups(dir) {
		if !g.wanted(only) {
			continue
		}
		values, err := g.measure()
		if err != nil {
			fmt.Fprintf(log, "bench: %s: not measured: %v\n", g.names(), err)
			status = 1
		}
		for _, f := range g.figures {
			v, ok := values[f.name]
			if !ok {
				continue
			}
			fmt.Fprintf(out, "%s: %s\n", f.name, v)
			if check && !f.holds(v) {
				fmt.Fprintf(log, "bench: %s is %s, bound %s\n", f.name, v, f.bound())
				status = 1
			}
		}
	}
	return status
}

// workFolder makes the folder that everything is built and written in. It may
// come to hold more than a gigabyte, so it is removed even when a person stops
// the program.
func workFolder(keep string) (dir string, remove func(), err error) {
	if keep != "" {
		if dir, err = filepath.Abs(keep); err == nil {
			err = os.Mkdir(dir, 0o700)
		}
		return dir, func() {}, err
	}
	dir, err = os.MkdirTemp("", "handover-bench-")
	if err != nil {
		return "", nil, err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-stop
		os.RemoveAll(dir)
		os.Exit(1)
	}()
	return dir, func() { os.RemoveAll(dir) }, nil
}

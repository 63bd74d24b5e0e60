package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/auto-context-handover/handover/cmd/handover/term"
)

// The exit statuses of the command.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// problem is an error for a person: what happened, what was therefore not done,
// and what to do next. It is printed as two or three lines.
type problem struct {
	happened, not, next string
	// usage: the command was called wrongly.
	usage bool
	cause error
}

func (p *problem) Error() string { return p.happened }

func (p *problem) Unwrap() error { return p.cause }

// misuse is a problem with how the command was called.
func misuse(format string, args ...any) error {
	return &problem{happened: fmt.Sprintf(format, args...), not: "Nothing was done.", usage: true}
}

// report prints an error and returns the exit status that it means.
func report(w io.Writer, err error, usage string) int {
	if err == nil {
		return exitDone
	}
	var p *problem
	if !errors.As(err, &p) {
		p = &problem{happened: err.Error()}
	}
	if p.usage && p.next == "" {
		p.next = "See " + usage + " --help."
	}
	fmt.Fprintf(w, "handover: %s\n", term.Escape(p.happened))
	for _, line := range []string{p.not, p.next} {
		if line != "" {
			fmt.Fprintf(w, "  %s\n", term.Escape(line))
		}
	}
	if p.usage {
		return exitUsage
	}
	return exitFailed
}

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestLossy: lines arrive in order; with nobody to read, nothing waits for long.
func TestLossy(t *testing.T) {
	var out bytes.Buffer
	l := newLossy(&out)
	for range 3 {
		io.WriteString(l, "a line\n")
	}
	l.Close()
	if got := out.String(); got != strings.Repeat("a line\n", 3) {
		t.Errorf("got %q", got)
	}
	r, w := io.Pipe() // a write waits for a reader, who never comes
	defer r.Close()
	l = newLossy(w)
	for range 10 * lossyLines {
		io.WriteString(l, "a line\n")
	}
	l.Close()
}

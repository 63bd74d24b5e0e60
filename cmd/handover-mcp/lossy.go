package main

import (
	"io"
	"time"
)

const (
	// lossyLines is how many lines wait for a slow reader before lines are lost.
	lossyLines = 256
	// lossyEnd is how long the end waits for the lines that are left.
	lossyEnd = 200 * time.Millisecond
)

// lossy writes lines to a reader that may be slow, or not there: a host that
// does not drain our stderr must not stop the server. It is safe for concurrent
// use until it is closed.
type lossy struct {
	lines chan []byte
	done  chan struct{}
}

func newLossy(w io.Writer) *lossy {
	l := &lossy{make(chan []byte, lossyLines), make(chan struct{})}
	go func() {
		defer close(l.done)
		for line := range l.lines {
			w.Write(line)
		}
	}()
	return l
}

// Write never blocks and never fails; a line that finds no room is lost.
func (l *lossy) Write(b []byte) (int, error) {
	select {
	case l.lines <- append([]byte(nil), b...):
	default:
	}
	return len(b), nil
}

// Close writes what is left, as far as somebody reads it.
func (l *lossy) Close() {
	close(l.lines)
	select {
	case <-l.done:
	case <-time.After(lossyEnd):
	}
}

// Package rehearse runs a story that is expected to fail: it shows that a story
// notices what was broken on purpose.
package rehearse

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Run runs a story and returns its failures, none if it passed. They are not
// failures of tb, and the story's cleanups have run when Run returns.
func Run(tb testing.TB, story func(testing.TB)) []string {
	tb.Helper()
	r := &rehearsal{TB: tb}
	for _, f := range []func(){func() { story(r) }, r.clean} {
		done := make(chan any)
		go func() {
			defer close(done)
			defer func() {
				if p := recover(); p != nil {
					done <- p
				}
			}()
			f() // may end in runtime.Goexit
		}()
		if p, panicked := <-done; panicked {
			panic(p)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failures
}

// rehearsal is a testing.TB that keeps failures to itself.
type rehearsal struct {
	testing.TB

	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *rehearsal) fail(message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, message)
}

func (r *rehearsal) Error(args ...any)                 { r.fail(strings.TrimSuffix(fmt.Sprintln(args...), "\n")) }
func (r *rehearsal) Errorf(format string, args ...any) { r.fail(fmt.Sprintf(format, args...)) }
func (r *rehearsal) Fail()                             { r.fail("failed") }

func (r *rehearsal) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *rehearsal) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *rehearsal) FailNow() {
	r.Fail()
	runtime.Goexit()
}

// A rehearsal that is skipped shows nothing: a skip is a failure.

func (r *rehearsal) Skip(args ...any) {
	r.Fatal(append([]any{"skipped:"}, args...)...)
}

func (r *rehearsal) Skipf(format string, args ...any) { r.Fatalf("skipped: "+format, args...) }
func (r *rehearsal) SkipNow()                         { r.Fatal("skipped") }
func (r *rehearsal) Skipped() bool                    { return false }

// Failed says whether the story failed so far.
func (r *rehearsal) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failures) > 0
}

// Log and Logf are silent: the requests of an expected failure tell nothing.
func (r *rehearsal) Log(...any)          {}
func (r *rehearsal) Logf(string, ...any) {}

// Cleanup registers a function that runs at the end of the rehearsal.
func (r *rehearsal) Cleanup(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cleanups = append(r.cleanups, f)
}

// clean runs the cleanups, the last first.
func (r *rehearsal) clean() {
	for {
		r.mu.Lock()
		n := len(r.cleanups)
		if n == 0 {
			r.mu.Unlock()
			return
		}
		f := r.cleanups[n-1]
		r.cleanups = r.cleanups[:n-1]
		r.mu.Unlock()
		f()
	}
}

// Package hooks is the engine behind every host's hook binary: it reads one
// event, finds out who it is about, and answers with a capability, a notice, a
// refusal or, nearly always, with nothing.
//
// A hook must be invisible (design section 10). Whatever goes wrong here, the
// host gets its neutral answer and exit status 0; nothing waits, nothing is
// written and nothing is fsynced on an event that changes nothing.
package hooks

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/hosts"
)

// deadline is the time a hook gives itself, far below any host's.
const deadline = 2 * time.Second

// lastWords is the time left, once the deadline has passed, for one write.
const lastWords = 200 * time.Millisecond

// grace is the time left, once we decided to speak, to say it.
const grace = time.Second

// maxStack is the most stack in bytes that one goroutine may use; the deepest
// JSON that is scanned needs far less.
const maxStack = 64 << 20

// LogVariable names a file that takes the diagnostics instead of stderr.
const LogVariable = datadir.LogVariable

// Main runs one hook of the host and returns the exit status, which is always
// 0: hosts read 2 as "block".
func Main(row hosts.Host, h Host, version string) int {
	guard()
	growStack()
	p := &process{row: row, host: h, version: version, in: os.Stdin, out: standardOutput(), err: os.Stderr, args: os.Args[1:], lookup: os.LookupEnv, now: time.Now}
	timer := time.AfterFunc(deadline, p.expire)
	defer timer.Stop()
	p.run()
	return 0
}

// growStack makes the stack as large as a run needs at once. Grown step by step
// it is copied several times, each time to pages that were not touched before,
// which shows in a process that lives for a millisecond.
//
//go:noinline
func growStack() byte {
	var room [24 << 10]byte
	return room[len(os.Args)%len(room)]
}

// process is one run of a hook. Its fields are what a test replaces.
type process struct {
	row      hosts.Host
	host     Host
	version  string
	in       io.Reader
	out, err io.Writer
	args     []string
	lookup   func(string) (string, bool)
	now      func() time.Time

	// state settles who speaks: the run or the deadline.
	state atomic.Int32
	// last is the answer for a call that must not pass without a record
	// (design 6.7), should we fail or run out of time.
	last atomic.Pointer[[]byte]
}

const (
	working int32 = iota
	speaking
	expired
)

// expire runs on the timer's goroutine.
func (p *process) expire() {
	defer func() {
		if recover() != nil {
			os.Exit(0)
		}
	}()
	if !p.state.CompareAndSwap(working, expired) {
		time.Sleep(grace)
		os.Exit(0)
	}
	// Nobody may be reading what is written from here on.
	time.AfterFunc(lastWords, func() { os.Exit(0) })
	if b := p.last.Load(); b != nil {
		p.out.Write(*b)
	}
	p.log("gave up after %v", deadline)
	os.Exit(0)
}

// speak reports whether the run may still answer. After it, the deadline waits.
func (p *process) speak() bool {
	return p.state.CompareAndSwap(working, speaking) || p.state.Load() == speaking
}

func (p *process) run() {
	defer func() {
		if r := recover(); r != nil {
			p.fallback()
			p.log("internal error: %v", r)
		}
	}()
	env, err := p.environment()
	if err != nil {
		p.log("%v", err)
		io.Copy(io.Discard, p.in)
		return
	}
	ev, err := p.host.Decode(p.in, env)
	if err != nil {
		p.log("%s: %v", p.row.Name, err)
		return
	}
	if ev.Name == Ignored {
		return
	}
	e := &engine{row: p.row, host: p.host, env: env, ev: ev, now: p.now, log: p.log, speak: p.speak, ifAllFails: func(r Reply) {
		var b strings.Builder
		if p.host.Encode(&b, ev, r) == nil {
			answer := []byte(b.String())
			p.last.Store(&answer)
		}
	}}
	defer e.close()
	reply := e.answer()
	if !p.speak() {
		return
	}
	if err := p.host.Encode(p.out, ev, reply); err != nil {
		e.unsaid()
		p.log("answer not delivered: %v", err)
	}
}

// fallback says what must be said even when the run broke.
func (p *process) fallback() {
	if b := p.last.Load(); b != nil && p.speak() {
		p.out.Write(*b)
	}
}

func (p *process) environment() (Env, error) {
	env := Env{Lookup: p.lookup, Version: p.version, Dirs: datadir.FromEnviron(p.lookup)}
	flags := flag.NewFlagSet("handover-hook", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&env.Data, "data", "", "the directory of the store")
	if err := flags.Parse(p.args); err != nil {
		return env, fmt.Errorf("the hook's arguments are not understood, nothing was done: %w", err)
	}
	return env, nil
}

// log writes one line for whoever debugs.
func (p *process) log(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf("handover-hook: "+format, args...), "\n", " ") + "\n"
	if name, ok := p.lookup(LogVariable); ok && name != "" {
		if f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|nonblocking, 0o600); err == nil {
			io.WriteString(f, line)
			f.Close()
			return
		}
	}
	io.WriteString(p.err, line)
}

// goos is the platform whose directory rules hold.
const goos = runtime.GOOS

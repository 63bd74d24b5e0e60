package mcpserver

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	// largeMessage is a size, in bytes, from which on a message is worth giving
	// its memory back.
	largeMessage = 128 << 10
	// restBefore is how long the server must have had nothing to do by then.
	restBefore = 200 * time.Millisecond
)

// memory gives back what large messages took. A server waits for days beside
// its host and serves a handover now and then; the runtime alone would keep
// what the largest of them needed.
type memory struct {
	used atomic.Bool
	rest *time.Timer
}

func newMemory() *memory {
	return &memory{rest: time.AfterFunc(1<<62, debug.FreeOSMemory)}
}

// note takes the size of a message that was read or written.
func (m *memory) note(size int) {
	if size >= largeMessage {
		m.used.Store(true)
	}
}

// idle is told that no call is open.
func (m *memory) idle() {
	if m.used.Swap(false) {
		m.rest.Reset(restBefore)
	}
}

// stop ends it.
func (m *memory) stop() { m.rest.Stop() }

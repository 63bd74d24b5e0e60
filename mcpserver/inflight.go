package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// inFlight knows the calls that were read and are not answered yet.
type inFlight struct {
	mu    sync.Mutex
	calls map[jsonrpc.ID]bool
	idle  chan struct{} // closed while there are none
}

func newInFlight() *inFlight {
	f := &inFlight{calls: map[jsonrpc.ID]bool{}, idle: make(chan struct{})}
	close(f.idle)
	return f
}

// begin notes a call; false means that its id is in use.
func (f *inFlight) begin(id jsonrpc.ID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls[id] {
		return false
	}
	if len(f.calls) == 0 {
		f.idle = make(chan struct{})
	}
	f.calls[id] = true
	return true
}

// end notes that a call was answered and reports whether none is open now.
func (f *inFlight) end(id jsonrpc.ID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.calls[id] {
		return false
	}
	delete(f.calls, id)
	if len(f.calls) > 0 {
		return false
	}
	close(f.idle)
	return true
}

// wait returns when every call is answered or ctx ends; it reports whether all
// were answered.
func (f *inFlight) wait(ctx context.Context) bool {
	f.mu.Lock()
	idle := f.idle
	f.mu.Unlock()
	select {
	case <-idle:
		return true
	case <-ctx.Done():
		return false
	}
}

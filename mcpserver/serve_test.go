package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// gate is a clock that stops calls between their validation and the claim.
type gate struct {
	arrived chan struct{}
	open    chan struct{}
}

func newGate() *gate { return &gate{make(chan struct{}, 100), make(chan struct{})} }

func (g *gate) now() time.Time {
	g.arrived <- struct{}{}
	<-g.open
	return time.Now()
}

// noticed is a log that tells when a message was logged.
func noticed(message string) (log *slog.Logger, seen chan struct{}) {
	seen = make(chan struct{})
	once := sync.OnceFunc(func() { close(seen) })
	return slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.MessageKey && a.Value.String() == message {
				once()
			}
			return a
		},
	})), seen
}

// within waits for what has to happen.
func (r *rig) within(what string, happens <-chan struct{}) {
	r.t.Helper()
	select {
	case <-happens:
	case <-time.After(60 * time.Second):
		r.t.Fatalf("never: %s", what)
	}
}

func (r *rig) sendCall(id string, tool hosts.Tool, args, callID string) {
	r.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + string(tool) + `","arguments":` + args + `,"_meta":` + claudeMeta(callID) + `}}`)
}

func TestFiftyCalls(t *testing.T) {
	r := newRig(t, nil)
	const n = 50
	for i := range n {
		r.issue(r.sub(fmt.Sprint(i)), hosts.ToolHandover, writeArgs(fmt.Sprint("text ", i), "s"), fmt.Sprint("toolu_", i), nil)
	}
	var sending sync.WaitGroup
	for i := range n {
		sending.Go(func() {
			r.sendCall(fmt.Sprint(1000+i), hosts.ToolHandover, writeArgs(fmt.Sprint("text ", i), "s"), fmt.Sprint("toolu_", i))
		})
	}
	sending.Wait()
	ids := map[string]bool{}
	for i := range n {
		id := r.await(fmt.Sprint(1000 + i)).stored(t)
		h := r.kept(id)
		if text, _ := h.Text(store.PartHandover); h.Header.Actor != r.sub(fmt.Sprint(i)) || string(text) != fmt.Sprint("text ", i) {
			t.Errorf("call %d was stored as %q of %+v", i, text, h.Header.Actor)
		}
		ids[id] = true
	}
	if len(ids) != n {
		t.Errorf("%d ids for %d calls", len(ids), n)
	}
}

// TestEndOfInput: what was read before stdin ended is answered, and the server
// ends without an error.
func TestEndOfInput(t *testing.T) {
	g := newGate()
	log, ending := noticed(logEnding)
	r := newRig(t, func(o *Options) { o.Now, o.Log = g.now, log })
	const n = 10
	for i := range n {
		r.issue(r.sub(fmt.Sprint(i)), hosts.ToolHandover, writeArgs("h", "s"), fmt.Sprint("toolu_", i), nil)
	}
	for i := range n {
		r.sendCall(fmt.Sprint(1000+i), hosts.ToolHandover, writeArgs("h", "s"), fmt.Sprint("toolu_", i))
	}
	for range n {
		<-g.arrived
	}
	r.in.Close()
	r.within("the end of stdin is noticed", ending)
	close(g.open)
	for i := range n {
		r.await(fmt.Sprint(1000 + i)).stored(t)
	}
	<-r.serving
	if r.err != nil {
		t.Errorf("ended with %v", r.err)
	}
}

// TestToldToEnd: the same where the process is told to end while stdin stays open.
func TestToldToEnd(t *testing.T) {
	g := newGate()
	log, ending := noticed(logEnding)
	r := newRig(t, func(o *Options) { o.Now, o.Log = g.now, log })
	r.issue(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), "toolu_a", nil)
	r.sendCall("7", hosts.ToolHandover, writeArgs("h", "s"), "toolu_a")
	<-g.arrived
	r.stop()
	r.within("the word to end is noticed", ending)
	close(g.open)
	r.await("7").stored(t)
	<-r.serving
	if r.err != nil {
		t.Errorf("ended with %v", r.err)
	}
}

// TestGrace: a call that never ends does not keep the process for ever.
func TestGrace(t *testing.T) {
	g := newGate()
	r := newRig(t, func(o *Options) { o.Now, o.Grace = g.now, 50*time.Millisecond })
	r.sendCall("7", hosts.ToolHandover, writeArgs("h", "s"), "toolu_a")
	<-g.arrived
	r.in.Close()
	r.within("the server ends although the call does not", r.serving)
	if r.err != nil {
		t.Errorf("ended with %v", r.err)
	}
}

// TestCancelled: a call that is being carried out is carried out.
func TestCancelled(t *testing.T) {
	g := newGate()
	r := newRig(t, func(o *Options) { o.Now = g.now })
	r.issue(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), "toolu_a", nil)
	r.sendCall("7", hosts.ToolHandover, writeArgs("h", "s"), "toolu_a")
	<-g.arrived
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"esc"}}`)
	r.request("ping", "{}") // the cancellation was read
	close(g.open)
	r.kept(r.await("7").stored(t))

	// Cancelled before anything was done, which no host can time.
	r.issue(r.sub("b"), hosts.ToolHandover, writeArgs("h", "s"), "toolu_b", func(c *store.Capability) { c.Directory = newRepository(t) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := r.server.contextHandover(ctx, &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{
		Arguments: []byte(writeArgs("h", "s")), Meta: mcp.Meta{"claudecode/toolUseId": "toolu_b"},
	}})
	if err != nil || result.IsError {
		t.Fatalf("a cancelled call: %+v %v", result, err)
	}
	id, _, err := r.write().Latest(r.sub("b"))
	if err != nil || !r.kept(id).Header.Repository.Known {
		t.Errorf("a cancelled call was carried out by half: %v", err)
	}
}

// TestPanic: a fault in one call is an error of that call.
func TestPanic(t *testing.T) {
	r := newRig(t, func(o *Options) { o.Now = func() time.Time { panic("injected") } })
	for range 3 {
		got := r.callRaw(hosts.ToolHandover, writeArgs("h", "s"), claudeMeta("x"))
		if got.Error == nil || got.Error.Code != -32603 || strings.Contains(got.Raw, "injected") {
			t.Errorf("answer: %s", got.Raw)
		}
	}
	if got := r.request("ping", "{}"); got.Error != nil {
		t.Errorf("ping after that: %s", got.Raw)
	}
}

// TestLinesThatAreNoMessages: each is answered, by its id where it has one, and
// the server goes on.
func TestLinesThatAreNoMessages(t *testing.T) {
	r := newRig(t, nil)
	long := strings.Repeat("x", maxLine)
	for _, test := range []struct {
		line, id string
		code     int
	}{
		{`garbage`, "null", -32700},
		{`{"jsonrpc":"2.0","id":90,"method":"ping"`, "90", -32700},
		{`{"jsonrpc":"2.0","id":91,"method":"ping"}}`, "91", -32700},
		{`{"jsonrpc":"2.0","id":92,"method":"ping"}{"jsonrpc":"2.0","id":93,"method":"ping"}`, "93", -32700},
		{`{"id":94,"method":"ping"}`, "94", -32600},
		{`{"jsonrpc":"1.0","id":95,"method":"ping"}`, "95", -32600},
		{`{"jsonrpc":"2.0"}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":96,"method":7}`, "96", -32600},
		{`"ping"`, "null", -32600},
		{`null`, "null", -32600},
		{`[]`, "null", -32600},
		{`[1]`, "null", -32600},
		{strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), "null", -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":97,\"method\":\"\x01\"}", "97", -32700},
		{`{"method":"tools/call","params":{"name":"context_handover","arguments":{"handover":"` + long + `"}},"jsonrpc":"2.0","id":98}`, "98", -32600},
		{`{"jsonrpc":"2.0","id":"99","method":"tools/call","params":{"name":"context_handover","arguments":{"handover":"` + long + `"}}}`, `"99"`, -32600},
	} {
		r.send(test.line)
		got := r.await(test.id)
		if got.Error == nil || got.Error.Code != test.code {
			t.Errorf("%.60s: %.300s", test.line, got.Raw)
		}
		if got := r.request("ping", "{}"); got.Error != nil {
			t.Fatalf("ping after %.60s: %s", test.line, got.Raw)
		}
	}
	r.send("\n \r\n")
	r.call(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), nil).stored(t)
}

// TestBatch: older protocols allow several messages in one line.
func TestBatch(t *testing.T) {
	r := newRig(t, nil)
	r.send(`[{"jsonrpc":"2.0","id":50,"method":"ping"},{"jsonrpc":"2.0","id":51,"method":"ping"}]`)
	for _, id := range []string{"50", "51"} {
		if got := r.await(id); got.Error != nil {
			t.Errorf("answer: %s", got.Raw)
		}
	}
}

// TestIDInUse: a second call with the id of an open one does not get its answer
// mixed up.
func TestIDInUse(t *testing.T) {
	g := newGate()
	r := newRig(t, func(o *Options) { o.Now = g.now })
	r.issue(r.sub("a"), hosts.ToolHandover, writeArgs("h", "s"), "toolu_a", nil)
	r.sendCall("7", hosts.ToolHandover, writeArgs("h", "s"), "toolu_a")
	<-g.arrived
	r.send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
	r.request("ping", "{}")
	close(g.open)
	r.await("7").stored(t)
	r.in.Close()
	r.within("all that the server wrote is read", r.received)
	select {
	case got := <-r.waiting("7"):
		t.Errorf("a second answer: %s", got.Raw)
	default:
	}
}

// TestSubscriptionDoesNotHoldTheEnd: a client that listens for changes is
// answered only at the end, so the end does not wait for it.
func TestSubscriptionDoesNotHoldTheEnd(t *testing.T) {
	r := startRig(t, func(o *Options) { o.Grace = time.Hour })
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	r.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}`)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}`)
	if got := r.await("2"); got.Error != nil {
		t.Fatalf("tools/list: %s", got.Raw)
	}
	r.in.Close()
	select {
	case <-r.serving:
	case <-time.After(10 * time.Second):
		t.Fatal("the server does not end")
	}
}

// brokenReader fails like a pipe that breaks.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestBrokenPipes(t *testing.T) {
	s := New(Options{Host: hosts.Claude(), DataDir: t.TempDir()})
	if err := s.Serve(context.Background(), brokenReader{}, io.Discard); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a broken stdin: %v", err)
	}
	// A host that closes its end of stdout ends the server.
	in, host := io.Pipe()
	out, write := io.Pipe()
	out.Close()
	done := make(chan error)
	go func() { done <- s.Serve(context.Background(), in, write) }()
	io.WriteString(host, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n")
	select {
	case err := <-done:
		if err == nil {
			t.Error("no error although nothing can be answered")
		}
	case <-time.After(10 * time.Second):
		t.Error("the server does not end")
	}
}

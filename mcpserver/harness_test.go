package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// marks is a source of delimiters that tests know: 00000001, 00000002, …
type marks struct {
	mu sync.Mutex
	n  uint32
}

func (m *marks) Read(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
	n := m.n
	for i := len(p) - 1; i >= 0; i-- {
		p[i] = byte(n)
		n >>= 8
	}
	return len(p), nil
}

// rig is a server behind pipes, with the host's and the hook's part played by
// the test.
type rig struct {
	t       *testing.T
	options Options
	server  *Server
	project string

	in       *io.PipeWriter
	serving  chan struct{} // closed when Serve returned err
	received chan struct{} // closed when all that it wrote was read
	err      error
	stop     context.CancelFunc
	requests int
	calls    int

	mu      sync.Mutex
	answers map[string]chan reply
}

// reply is one line of the server.
type reply struct {
	Raw    string
	ID     json.RawMessage
	Result struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	Error *struct {
		Code    int
		Message string
	}
}

// newRig starts a server that has been initialized.
func newRig(t *testing.T, change func(*Options)) *rig {
	t.Helper()
	r := startRig(t, change)
	got := r.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	if got.Error != nil {
		t.Fatalf("initialize: %s", got.Raw)
	}
	r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r
}

// startRig starts a server and sends nothing.
func startRig(t *testing.T, change func(*Options)) *rig {
	t.Helper()
	r := &rig{t: t, project: t.TempDir(), serving: make(chan struct{}), received: make(chan struct{}), answers: map[string]chan reply{}}
	r.options = Options{
		Host: hosts.Claude(), DataDir: filepath.Join(t.TempDir(), "store"), Version: "1.0", Random: &marks{},
	}
	if change != nil {
		change(&r.options)
	}
	r.server = New(r.options)
	r.server.gitTime = 20 * time.Second // others use the processors too
	in, serverIn := io.Pipe()
	serverOut, out := io.Pipe()
	r.in = serverIn
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go func() {
		r.err = r.server.Serve(ctx, in, out)
		out.Close()
		close(r.serving)
	}()
	go r.receive(serverOut)
	t.Cleanup(func() {
		r.in.Close()
		stop()
		select {
		case <-r.serving:
		case <-time.After(20 * time.Second):
			t.Error("the server did not end")
		}
	})
	return r
}

func (r *rig) receive(out io.Reader) {
	defer close(r.received)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		got := reply{Raw: lines.Text()}
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			r.t.Errorf("the server wrote a line that is no JSON: %q", got.Raw)
			continue
		}
		r.waiting(string(got.ID)) <- got
	}
}

// waiting is where the answer with this id arrives.
func (r *rig) waiting(id string) chan reply {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answers[id] == nil {
		r.answers[id] = make(chan reply, 16)
	}
	return r.answers[id]
}

func (r *rig) send(line string) {
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Errorf("writing to the server: %v", err)
	}
}

func (r *rig) await(id string) reply {
	r.t.Helper()
	select {
	case got := <-r.waiting(id):
		return got
	case <-time.After(60 * time.Second):
		r.t.Fatalf("no answer to %s", id)
		return reply{}
	}
}

func (r *rig) nextID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests++
	return fmt.Sprint(r.requests)
}

func (r *rig) request(method, params string) reply {
	r.t.Helper()
	id := r.nextID()
	r.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	return r.await(id)
}

// write opens the rig's store as a hook does.
func (r *rig) write() *store.Store {
	r.t.Helper()
	st, err := store.Create(r.options.DataDir)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { st.Close() })
	return st
}

// main and sub are actors of the rig's host.
func (r *rig) main(session string) actor.ID {
	return actor.ID{Host: r.options.Host.Name, Session: session}
}

func (r *rig) sub(agent string) actor.ID {
	return actor.ID{Host: r.options.Host.Name, Session: "S", Agent: agent}
}

// capability is what a hook knows of an ordinary call.
func (r *rig) capability(a actor.ID, tool hosts.Tool, args, callID string) store.Capability {
	r.t.Helper()
	hash, err := store.ArgumentHash([]byte(args), hosts.ReservedKey)
	if err != nil {
		r.t.Fatal(err)
	}
	c := store.Capability{
		Actor: a, Kind: string(a.Role()), Role: a.Role(), Tool: string(tool), Arguments: hash, CallID: callID,
		Project: r.project, Issued: time.Now(), HookVersion: "1.0",
		Lineage: store.Lineage{State: store.LineageOrigin},
	}
	c.Diagnostics.Stage, c.Diagnostics.PromptedBy = 1, "notice"
	c.Diagnostics.Soft = store.Soft{Tokens: 150_000, Source: "auto"}
	return c
}

// issue plays the hook: it writes the record of a call.
func (r *rig) issue(a actor.ID, tool hosts.Tool, args, callID string, change func(*store.Capability)) {
	r.t.Helper()
	c := r.capability(a, tool, args, callID)
	if change != nil {
		change(&c)
	}
	if _, err := r.write().IssueCapability(store.CapabilityKey(r.options.Host.Name, "", callID), c); err != nil {
		r.t.Fatal(err)
	}
}

// callRaw sends a tools/call as the host does.
func (r *rig) callRaw(tool hosts.Tool, args, meta string) reply {
	r.t.Helper()
	return r.request("tools/call", `{"name":"`+string(tool)+`","arguments":`+args+`,"_meta":`+meta+`}`)
}

// call is a whole call of a tool by an actor: the hook, then the host.
func (r *rig) call(a actor.ID, tool hosts.Tool, args string, change func(*store.Capability)) reply {
	r.t.Helper()
	r.mu.Lock()
	r.calls++
	callID := fmt.Sprintf("toolu_%d", r.calls)
	r.mu.Unlock()
	r.issue(a, tool, args, callID, change)
	return r.callRaw(tool, args, claudeMeta(callID))
}

func claudeMeta(callID string) string {
	return `{"claudecode/toolUseId":"` + callID + `","progressToken":5}`
}

// text is the one text of a result.
func (got reply) text(t *testing.T) string {
	t.Helper()
	if got.Error != nil || len(got.Result.Content) != 1 || got.Result.Content[0].Type != "text" {
		t.Fatalf("not one text: %.500s", got.Raw)
	}
	if strings.Contains(got.Raw, "structuredContent") {
		t.Errorf("structured content in %.200s", got.Raw)
	}
	return got.Result.Content[0].Text
}

// stored is the id in a receipt.
func (got reply) stored(t *testing.T) string {
	t.Helper()
	text := got.text(t)
	if got.Result.IsError || !strings.HasPrefix(text, "[handover:stored]") {
		t.Fatalf("not stored: %s", text)
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); store.ValidID(line) {
			return line
		}
	}
	t.Fatalf("no id on a line of its own: %s", text)
	return ""
}

// refusedFor checks that a call was refused for this cause, in words and by
// flag.
func (got reply) refusedFor(t *testing.T, cause modeltext.Cause) string {
	t.Helper()
	text := got.text(t)
	if !got.Result.IsError || !strings.HasPrefix(text, "[handover:refused "+string(cause)+"]") {
		t.Errorf("want refusal %s, got error %v: %.400s", cause, got.Result.IsError, text)
	}
	return text
}

func arg(pairs ...any) string {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func writeArgs(handover, summary string) string {
	return arg("handover", handover, "summary", summary)
}

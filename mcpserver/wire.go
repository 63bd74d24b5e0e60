package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// wire is our end of the host's pipes: one JSON-RPC message a line.
//
// It is an [mcp.Connection] of our own because the SDK's ends with the first
// line that is no message, and at the end of stdin drops the answers that are
// still being worked on. This one answers such a line with an error and goes
// on, and reports the end only when every call was answered.
type wire struct {
	out io.Writer
	log *slog.Logger
	// grace bounds how long the end of stdin waits for open calls.
	grace time.Duration

	writing  sync.Mutex
	open     *inFlight
	memory   *memory
	incoming chan jsonrpc.Message
	ended    chan struct{} // closed when stdin ended; ending says how
	ending   error
	stopping <-chan struct{} // closed when the process was told to end

	closing sync.Once
	closed  chan struct{}
	late    chan struct{} // closed when the grace was over before the open calls
}

// newWire starts reading. Once stop ends no further line is taken.
func newWire(stop context.Context, in io.Reader, out io.Writer, grace time.Duration, log *slog.Logger) *wire {
	w := &wire{
		out: out, log: log, grace: grace,
		open:     newInFlight(),
		memory:   newMemory(),
		incoming: make(chan jsonrpc.Message),
		ended:    make(chan struct{}),
		stopping: stop.Done(),
		closed:   make(chan struct{}),
		late:     make(chan struct{}),
	}
	go w.pump(newLineReader(in, maxLine))
	return w
}

// Connect makes wire an [mcp.Transport] for its one connection.
func (w *wire) Connect(context.Context) (mcp.Connection, error) { return w, nil }

// SessionID is empty: stdio has no sessions.
func (w *wire) SessionID() string { return "" }

// pump reads lines until stdin ends, and hands on what is a message.
func (w *wire) pump(lines *lineReader) {
	defer close(w.ended)
	for {
		l, err := lines.next()
		if err != nil {
			w.ending = err
			return
		}
		w.memory.note(len(l.text))
		msgs, err := messages(l)
		if err != nil {
			w.log.Warn("a line on stdin is no message", "error", err)
			w.reply(l, err)
			continue
		}
		for _, msg := range msgs {
			if !w.hand(msg) {
				w.ending = io.EOF
				return
			}
		}
	}
}

// hand passes one message to Read; false means that nobody reads any more.
func (w *wire) hand(msg jsonrpc.Message) bool {
	req, isRequest := msg.(*jsonrpc.Request)
	call := isRequest && counted(req)
	if call && !w.open.begin(req.ID) {
		w.log.Warn("a call was skipped: its id is that of an open call", "id", req.ID.Raw())
		return true
	}
	select {
	case w.incoming <- msg:
		return true
	case <-w.stopping:
	case <-w.closed:
	}
	if call {
		w.open.end(req.ID)
	}
	return false
}

// counted reports whether the end of stdin must wait for the answer. A
// subscription is answered only when it ends, so it is never waited for.
func counted(req *jsonrpc.Request) bool {
	return req.IsCall() && req.Method != "subscriptions/listen"
}

// logEnding is logged when the end was noticed, before the wait for open calls.
const logEnding = "no further call is taken; the open ones are finished"

// Read returns the next message. The end of stdin, or of the process, is
// returned when no call is open, or after the grace.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-w.incoming:
		return msg, nil
	case <-w.ended:
	case <-w.stopping:
	case <-w.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	w.log.Debug(logEnding)
	limited, cancel := context.WithTimeout(ctx, w.grace)
	defer cancel()
	if !w.open.wait(limited) {
		w.log.Warn("ending although calls are not answered", "waited", w.grace)
		close(w.late)
	}
	if err := w.broken(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}

// broken is what ended stdin, nil where that was its end.
func (w *wire) broken() error {
	select {
	case <-w.ended:
		if !errors.Is(w.ending, io.EOF) {
			return fmt.Errorf("stdin: %w", w.ending)
		}
	default:
	}
	return nil
}

// Write sends one message.
func (w *wire) Write(_ context.Context, msg jsonrpc.Message) error {
	if resp, ok := msg.(*jsonrpc.Response); ok {
		defer w.answered(resp.ID)
	}
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	w.memory.note(len(text))
	return w.send(text)
}

// answered notes that a call is over.
func (w *wire) answered(id jsonrpc.ID) {
	if w.open.end(id) {
		w.memory.idle()
	}
}

// send writes one line as a whole.
func (w *wire) send(text []byte) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	_, err := w.out.Write(append(text, '\n'))
	return err
}

// Close ends the connection. The pipes belong to the process and stay open.
func (w *wire) Close() error {
	w.closing.Do(func() {
		close(w.closed)
		w.memory.stop()
	})
	return nil
}

// lineError is why a line is no message, with its JSON-RPC code.
type lineError struct {
	code int
	text string
}

func (e *lineError) Error() string { return e.text }

// messages decodes a line: one message, or a batch of them.
func messages(l line) ([]jsonrpc.Message, error) {
	if l.long {
		return nil, &lineError{jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message has more than %d bytes and was not read; a handover may hold 1 MiB", maxLine)}
	}
	if !json.Valid(l.text) {
		return nil, &lineError{jsonrpc.CodeParseError, "the line is not valid JSON"}
	}
	parts := []json.RawMessage{l.text}
	if l.text[firstByte(l.text)] == '[' {
		if err := json.Unmarshal(l.text, &parts); err != nil || len(parts) == 0 {
			return nil, &lineError{jsonrpc.CodeInvalidRequest, "the batch holds no message"}
		}
	}
	var out []jsonrpc.Message
	for _, part := range parts {
		msg, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			return nil, &lineError{jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message: " + err.Error()}
		}
		out = append(out, msg)
	}
	return out, nil
}

// firstByte is the index of the first byte that is no JSON white space. The
// text is valid JSON, so there is one.
func firstByte(text []byte) int {
	for i, b := range text {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return i
		}
	}
	return 0
}

// reply answers a line that is no message.
func (w *wire) reply(l line, why error) {
	var e *lineError
	if !errors.As(why, &e) {
		return
	}
	id := l.id
	if l.long {
		w.memory.note(maxLine)
		w.memory.idle()
	} else {
		id = foundID(l.text)
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc.Error   `json:"error"`
	}{"2.0", id, jsonrpc.Error{Code: int64(e.code), Message: e.text}})
	if err == nil {
		err = w.send(text)
	}
	if err != nil {
		w.log.Warn("no answer to a line that is no message", "error", err)
	}
}

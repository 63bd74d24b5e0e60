package mcpserver

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// defaultGrace bounds how long a server that was told to end waits for the
// calls it is working on.
const defaultGrace = 10 * time.Second

// defaultGitTime bounds everything git does for one call of a tool.
const defaultGitTime = time.Second

// Options is everything a server needs. Nothing else is read from the process:
// no environment, no working directory, no clock.
type Options struct {
	// Host is the row of the host that starts the server. It is configuration;
	// a record of another host is refused.
	Host hosts.Host
	// DataDir is the store's directory. Where it could not be found out it is
	// empty and DataErr says why: every call is then refused with that cause.
	DataDir string
	DataErr error
	// DefaultDir is the directory that a hook without settings uses. The server
	// looks there for a record that is not in DataDir, to name both.
	DefaultDir string
	// Version of this program, as it stands in records and in serverInfo.
	Version string
	// Environ is the environment git is run in, less its own variables.
	Environ []string

	// Rollover starts successors of main agents; nil where the host cannot.
	Rollover Rollover
	// Life is what hook and server both know of the host's session, on a host
	// whose hooks can run without this server: it is noted in the store at the
	// start, and without it those hooks stay silent. Elsewhere it is empty.
	Life string

	// Log takes diagnostics; nil discards them.
	Log *slog.Logger
	// Now and Random are the clock and the source of the delimiters; nil means
	// the system's.
	Now    func() time.Time
	Random io.Reader
	// Grace bounds the wait for open calls at the end; 0 means 10 seconds.
	Grace time.Duration
}

// Server serves the two tools to one host process. It keeps nothing between
// calls: the store is opened anew for each, so that a directory which was moved
// or restored meanwhile is not written on.
type Server struct {
	Options
	texts modeltext.Voice
	// gitTime bounds everything git does for one call.
	gitTime time.Duration
}

// New prepares a server.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
	return &Server{Options: o, texts: modeltext.For(o.Host), gitTime: defaultGitTime}
}

// showLife notes that a server runs for the host's session.
func (s *Server) showLife() {
	if s.Life == "" || s.DataDir == "" {
		return
	}
	st, err := store.Create(s.DataDir)
	if err == nil {
		defer st.Close()
		err = st.SignOfLife(s.Host.Name, s.Life)
	}
	if err != nil {
		s.Log.Warn("no sign of life", "error", err)
	}
}

// Serve answers the calls that arrive on in until it ends or ctx does; what was
// read until then is still answered. It returns nil at the end of in, and the
// error that broke the pipe otherwise. It may be called once.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	impl := &mcp.Implementation{Name: "handover", Title: "handover", Version: s.Version}
	server := mcp.NewServer(impl, &mcp.ServerOptions{
		Instructions: s.texts.Instructions(),
		Logger:       s.Log,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	server.AddTool(handoverTool(s.Host, s.texts), s.contextHandover)
	server.AddTool(readTool(s.Host, s.texts), s.readHandover)
	server.AddReceivingMiddleware(guard(s.Log))

	s.showLife()
	// The SDK never learns that ctx ended: closing its connection would drop the
	// answers of open calls. The wire reports the end of input instead.
	w := newWire(ctx, in, out, s.Grace, s.Log)
	session, err := server.Connect(context.WithoutCancel(ctx), w, nil)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- session.Wait() }()
	select {
	case err := <-done:
		return err
	case <-w.late: // the SDK waits for its handlers, however long they take
		return w.broken()
	}
}

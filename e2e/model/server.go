package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// Server answers a host's requests on a loopback port by a script.
type Server struct {
	URL string // without a slash at the end

	script *Script
	wires  []Wire
}

// Serve starts a server that ends with the test.
func Serve(tb testing.TB, script *Script, wires ...Wire) *Server {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("model: %v", err)
	}
	s := &Server{URL: "http://" + listener.Addr().String(), script: script, wires: wires}
	ctx, stop := context.WithCancel(context.Background())
	h := &http.Server{Handler: s, BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = h.Serve(listener)
	}()
	tb.Cleanup(func() {
		stop()
		end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if h.Shutdown(end) != nil {
			_ = h.Close()
		}
		<-done
	})
	return s
}

// ServeHTTP logs a request, asks the script and writes the answer.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return // the host went away
	}
	r := &Request{At: time.Now(), Method: hr.Method, Path: hr.URL.RequestURI(), Header: hr.Header.Clone(), Body: body}
	var wire Wire
	for _, candidate := range s.wires {
		if r.Use = candidate.Use(hr.Method, hr.URL.Path); r.Use != UseProbe {
			wire = candidate
			break
		}
	}
	if wire == nil {
		s.script.log.add(r)
		s.probe(w, r)
		return
	}
	err = wire.Decode(r)
	s.script.log.add(r)
	var a Answer
	switch {
	case err != nil:
		s.script.mu.Lock()
		a = s.script.fail(fmt.Sprintf("request %d to %s: %v", r.Seq, r.Path, err))
		s.script.mu.Unlock()
	case r.Use == UseCount:
		s.count(w, wire, r)
		return
	default:
		a = s.script.reply(r)
	}
	s.write(hr.Context(), w, wire, r, a)
}

// probe answers a request that is no model request: HEAD and GET are fine, all
// else is not found, and both are in the log.
func (s *Server) probe(w http.ResponseWriter, r *Request) {
	status := http.StatusOK
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		status = http.StatusNotFound
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "{}")
	s.script.log.reply(r, &Reply{At: time.Now(), Status: status})
}

// count answers a count request.
func (s *Server) count(w http.ResponseWriter, wire Wire, r *Request) {
	tokens := len(r.Body) / 4
	if s.script.Count != nil {
		tokens = s.script.Count(r)
	}
	out := wire.Count(r, tokens)
	head(w, out)
	for _, c := range out.Chunks {
		_, _ = w.Write(c.Data)
	}
	s.script.log.reply(r, &Reply{At: time.Now(), Status: http.StatusOK})
}

// write sends an answer with its delays, failures and cuts.
func (s *Server) write(ctx context.Context, w http.ResponseWriter, wire Wire, r *Request, a Answer) {
	reply := &Reply{Answer: &a}
	defer func() {
		reply.At = time.Now()
		s.script.log.reply(r, reply)
	}()
	if !pause(ctx, a.Delay) || !wait(ctx, a.Event) {
		return
	}
	if a.Status != 0 && a.Status != http.StatusOK {
		reply.Status = a.Status
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.Status)
		_, _ = io.WriteString(w, a.Error)
		return
	}
	if !a.NoUsage {
		u := s.script.Usage
		if a.Usage != nil {
			u = *a.Usage
		}
		reply.Usage = &u
	}
	out := wire.Render(r, a, reply.Usage)
	reply.Status = http.StatusOK
	head(w, out)
	flush := http.NewResponseController(w)
	for i, c := range out.Chunks {
		if a.CutAfter > 0 && i >= a.CutAfter {
			panic(http.ErrAbortHandler)
		}
		if a.CutAfter > 0 && len(out.Chunks) == 1 {
			c.Data = c.Data[:len(c.Data)/2] // a whole body has no events to cut after
		}
		if _, err := w.Write(c.Data); err != nil {
			return
		}
		_ = flush.Flush()
		if a.CutAfter > 0 && len(out.Chunks) == 1 {
			panic(http.ErrAbortHandler)
		}
		if c.EndBlock && !pause(ctx, a.Gap) {
			return
		}
	}
}

func head(w http.ResponseWriter, out Rendered) {
	w.Header().Set("Content-Type", out.Type)
	for k, v := range out.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(http.StatusOK)
}

// failure is the answer after a story went wrong: a kind of error that hosts do
// not try again, in a form that both families of APIs use.
func failure(message string) Answer {
	body, _ := json.Marshal(map[string]any{
		"type":  "error",
		"error": map[string]string{"type": "invalid_request_error", "message": "the story failed: " + short(message)},
	})
	return Fail(http.StatusBadRequest, string(body))
}

// pause waits and says whether the request still stands.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// wait waits for an event, if there is one, and says whether the request still
// stands.
func wait(ctx context.Context, event <-chan struct{}) bool {
	if event == nil {
		return true
	}
	select {
	case <-event:
		return true
	case <-ctx.Done():
		return false
	}
}

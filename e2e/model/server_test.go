package model_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/e2e/model"
	"github.com/auto-context-handover/handover/e2e/model/messages"
	"github.com/auto-context-handover/handover/e2e/rehearse"
)

// host is a profile for a made-up host: headers say everything.
func host() model.Host {
	return model.Host{
		Profile: func(r *model.Request) model.Origin {
			return model.Origin{Kind: model.Kind(r.Header.Get("Kind")), Session: r.Header.Get("Session"), Agent: r.Header.Get("Agent")}
		},
		Side: func(t *model.Turn) model.Answer { return model.Text("side " + string(t.Request.Origin.Kind)) },
	}
}

// message is one entry of a request's body.
type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

// ask sends a request and returns its status and body.
func ask(tb testing.TB, url, origin string, stream bool, messages ...message) (int, string) {
	tb.Helper()
	status, body, err := try(url, origin, stream, messages...)
	if err != nil {
		tb.Errorf("request: %v", err)
	}
	return status, body
}

func try(url, origin string, stream bool, messages ...message) (int, string, error) {
	body, err := json.Marshal(map[string]any{
		"model": "m", "stream": stream, "max_tokens": 10, "messages": messages,
		"tools": []map[string]any{{"name": "Bash"}, {"name": "Hidden", "defer_loading": true}},
	})
	if err != nil {
		return 0, "", err
	}
	r, err := http.NewRequest(http.MethodPost, url+"/v1/messages?beta=true", bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	for i, name := range []string{"Kind", "Session", "Agent"} {
		if parts := strings.Split(origin, "/"); i < len(parts) {
			r.Header.Set(name, parts[i])
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	return response.StatusCode, string(data), err
}

func user(text string) message { return message{"user", text} }

func TestConversationsAreToldApart(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, host())
	s := model.Serve(t, script, messages.Wire{})
	say := func(name string) func(*model.Turn) model.Answer {
		return func(t *model.Turn) model.Answer {
			return model.Text(fmt.Sprintf("<%s %d.%d>", name, t.Actor, t.Index))
		}
	}
	main := script.Main().Do(say("main"))
	script.Main("SECOND").Do(say("second"))
	script.Agent("TASK-A").Do(say("a"))
	script.Agent("TASK-B").Do(say("b"))
	script.Match("special", func(r *model.Request) bool { return r.Header.Get("Kind") == "special" }).Do(say("special"))
	var of *model.Conversation
	script.Side(model.KindCompaction).Do(func(t *model.Turn) model.Answer {
		of = t.Of
		return model.Text("<summary>")
	})
	for _, c := range []struct{ origin, text, want string }{
		{"main/s1", "hello", "<main 0.0>"},
		{"agent/s1/x", "do TASK-A", "<a 0.0>"},
		{"agent/s1/y", "do TASK-A", "<a 1.0>"},
		{"agent/s1/z", "do TASK-B", "<b 0.0>"},
		{"agent/s1/x", "a summary without the marker", "<a 0.1>"},
		{"main/s1", "a summary: SECOND", "<main 0.1>"},
		{"main/s2", "SECOND", "<second 0.0>"},
		{"special/s1", "hello", "<special 0.0>"},
		{"compaction/s1", "summarise TASK-A", "<summary>"},
		{"title/s1", "a title", "side title"},
	} {
		if status, body := ask(t, s.URL, c.origin, false, user(c.text)); status != 200 || !strings.Contains(unescape(body), c.want) {
			t.Errorf("%s %q: status %d, body %s, want %s", c.origin, c.text, status, body, c.want)
		}
	}
	if of != main {
		t.Errorf("the summariser works for %v, want main", of)
	}
	if n := len(main.Requests()); n != 2 {
		t.Errorf("main has %d requests, want 2", n)
	}
	log := script.Log().All()
	for i, r := range log {
		if r.Seq != i || r.Reply == nil || r.Reply.Usage == nil || r.Conversation == "" || len(r.Body) == 0 {
			t.Errorf("log entry %d is incomplete: %+v", i, r)
		}
	}
}

func unescape(s string) string { return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(s) }

func TestTurnHelpers(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, host())
	s := model.Serve(t, script, messages.Wire{})
	type seen struct {
		system, text string
		tools        []string
		results      []model.Result
	}
	var got []seen
	script.Main().Do(func(t *model.Turn) model.Answer {
		got = append(got, seen{t.NewSystemText(), t.NewText(), t.Tools(), t.LastToolResults()})
		return model.Text("ok")
	})
	history := []message{
		user("<system-reminder>\nfirst\n</system-reminder>\nthe task"),
		{"system", "environment"},
	}
	ask(t, s.URL, "main/s", false, history...)
	history = append(history,
		message{"assistant", []map[string]any{{"type": "tool_use", "id": "c1", "name": "ToolSearch", "input": map[string]any{}}}},
		message{"user", []map[string]any{
			{"type": "tool_result", "tool_use_id": "c1", "content": []map[string]any{{"type": "tool_reference", "tool_name": "Hidden"}, {"type": "text", "text": "<system-reminder>no</system-reminder>"}}},
		}},
		message{"system", []map[string]any{{"type": "text", "text": "a notice"}}},
	)
	ask(t, s.URL, "main/s", false, history...)
	history[0].Content = "<system-reminder>\nchanged\n</system-reminder>\nthe task"
	ask(t, s.URL, "main/s", false, history...)
	want := []seen{
		{"first\n\nenvironment", "<system-reminder>\nfirst\n</system-reminder>\nthe task\n\nenvironment", []string{"Bash"}, nil},
		{"a notice", "<system-reminder>no</system-reminder>\n\na notice", []string{"Bash", "Hidden"}, []model.Result{{ID: "c1", Name: "ToolSearch", Text: "<system-reminder>no</system-reminder>", Refs: []string{"Hidden"}}}},
		{"changed", "<system-reminder>\nchanged\n</system-reminder>\nthe task", []string{"Bash", "Hidden"}, []model.Result{{ID: "c1", Name: "ToolSearch", Text: "<system-reminder>no</system-reminder>", Refs: []string{"Hidden"}}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(seen{})); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
}

// TestHostTextBehindAResult: a host's words behind what a tool answered are its
// own, what a tool answered is not.
func TestHostTextBehindAResult(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, host())
	s := model.Serve(t, script, messages.Wire{})
	var got string
	script.Main().Do(func(t *model.Turn) model.Answer {
		got = t.NewSystemText()
		return model.Text("ok")
	})
	ask(t, s.URL, "main/s", false, user("the task"),
		message{"assistant", []map[string]any{{"type": "tool_use", "id": "c1", "name": "Bash", "input": map[string]any{}}}},
		message{"user", []map[string]any{
			{"type": "tool_result", "tool_use_id": "c1", "content": "<system-reminder>printed</system-reminder> and\n\n<system-reminder>\none\n</system-reminder>\n\n<system-reminder>\ntwo\n</system-reminder>"},
		}})
	if got != "one\n\ntwo" {
		t.Errorf("the host's words: %q", got)
	}
}

func TestStoriesThatMustFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		story func(*model.Script)
		asks  []string // origin and text
		want  string
	}{
		"unknown agent": {func(s *model.Script) { s.Agent("A").Says() }, []string{"agent/s/x B"}, "nobody in the story is this agent"},
		"two markers":   {func(s *model.Script) { s.Agent("A").Says(); s.Agent("B").Says() }, []string{"agent/s/x A+B"}, "markers of both"},
		"no answer":     {func(s *model.Script) { s.Main() }, []string{"main/s hi"}, "gives it no answer"},
		"too many":      {func(s *model.Script) { s.Main().Says(model.Text("1")) }, []string{"main/s hi", "main/s hi"}, "only 1 steps"},
		"too few":       {func(s *model.Script) { s.Main().Says(model.Text("1"), model.Text("2")) }, []string{"main/s hi"}, "asked 1 times"},
		"never asked":   {func(s *model.Script) { s.Main().Says(model.Text("1")) }, nil, "never asked"},
		"unknown tool":  {func(s *model.Script) { s.Main().Says(model.ToolUse("Nope", nil)) }, []string{"main/s hi"}, "cannot call"},
		"deferred tool": {func(s *model.Script) { s.Main().Says(model.ToolUse("Hidden", nil)) }, []string{"main/s hi"}, "cannot call"},
		"results missing": {func(s *model.Script) {
			s.Main().Do(func(t *model.Turn) model.Answer { return model.Text(t.LastToolResult().Text) })
		}, []string{"main/s hi"}, "0 tool results"},
		"panic": {func(s *model.Script) { s.Main().Do(func(*model.Turn) model.Answer { panic("oops") }) }, []string{"main/s hi"}, "oops"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var last int
			failures := rehearse.Run(t, func(tb testing.TB) {
				script := model.NewScript(tb, host())
				s := model.Serve(tb, script, messages.Wire{})
				c.story(script)
				for _, a := range c.asks {
					origin, text, _ := strings.Cut(a, " ")
					last, _ = ask(t, s.URL, origin, true, user(text))
				}
			})
			if len(failures) != 1 || !strings.Contains(failures[0], c.want) {
				t.Errorf("failures %q, want one with %q", failures, c.want)
			}
			if len(c.asks) > 0 && name != "too few" && last != http.StatusBadRequest {
				t.Errorf("the host was told %d, want 400", last)
			}
		})
	}
}

func TestUncheckedCall(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, host())
	s := model.Serve(t, script, messages.Wire{})
	script.Main().Says(model.ToolUse("Hidden", json.RawMessage(`{"a":1}`)).Unchecked())
	if status, body := ask(t, s.URL, "main/s", false, user("hi")); status != 200 || !strings.Contains(body, `"input":{"a":1}`) {
		t.Errorf("status %d, body %s", status, body)
	}
}

func TestFailuresDelaysAndCuts(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, host())
	s := model.Serve(t, script, messages.Wire{})
	gate := make(chan struct{})
	script.Main().Says(
		model.Fail(529, `{"type":"error"}`),
		model.Text("late").After(30*time.Millisecond),
		model.Text("abcdef").Cut(3),
		model.Text("abcdef").Cut(1),
		model.Text("gated").When(gate),
	)
	if status, body := ask(t, s.URL, "main/s", true, user("hi")); status != 529 || body != `{"type":"error"}` {
		t.Errorf("failure: status %d, body %s", status, body)
	}
	start := time.Now()
	ask(t, s.URL, "main/s", true, user("hi"))
	if took := time.Since(start); took < 30*time.Millisecond {
		t.Errorf("the late answer took %v", took)
	}
	_, body, err := try(s.URL, "main/s", true, user("hi"))
	if !errors.Is(err, io.ErrUnexpectedEOF) || strings.Count(body, "event: ") != 3 {
		t.Errorf("cut stream: error %v, body %s", err, body)
	}
	if _, _, err := try(s.URL, "main/s", false, user("hi")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut body: error %v", err)
	}
	var wait sync.WaitGroup
	wait.Go(func() { ask(t, s.URL, "main/s", true, user("hi")) })
	for len(script.Log().All()) < 5 {
		time.Sleep(time.Millisecond)
	}
	if r := script.Log().All()[4]; r.Reply != nil {
		t.Errorf("the gated request was answered early: %+v", r.Reply)
	}
	close(gate)
	wait.Wait()
}

func TestProbesAndCounts(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, host())
	s := model.Serve(t, script, messages.Wire{})
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{http.MethodHead, "/api/hello", 200, ""},
		{http.MethodGet, "/v1/models", 200, "{}"},
		{http.MethodPost, "/elsewhere", 404, "{}"},
		{http.MethodPost, "/v1/messages/count_tokens", 200, `{"input_tokens":9}`},
	} {
		r, err := http.NewRequest(c.method, s.URL+c.path, strings.NewReader(`{"messages":[], "model":"someone"}  `))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != c.status || string(body) != c.body {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, response.StatusCode, body, c.status, c.body)
		}
	}
	if n := len(script.Log().All()); n != 4 {
		t.Errorf("%d requests in the log, want 4", n)
	}
}

func TestBrokenBodyFailsTheStory(t *testing.T) {
	t.Parallel()
	failures := rehearse.Run(t, func(tb testing.TB) {
		script := model.NewScript(tb, host())
		s := model.Serve(tb, script, messages.Wire{})
		response, err := http.Post(s.URL+"/v1/messages", "application/json", strings.NewReader("{"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	})
	if len(failures) != 1 || !strings.Contains(failures[0], "messages: body") {
		t.Errorf("failures: %q", failures)
	}
}

func TestAlter(t *testing.T) {
	t.Parallel()
	script := model.NewScript(t, host())
	script.Alter = model.AlterText(func(text string) string { return strings.ReplaceAll(text, "original", "altered") })
	s := model.Serve(t, script, messages.Wire{})
	script.Main("original").Do(func(t *model.Turn) model.Answer { return model.Text(t.Request.FirstUser()) })
	if _, body := ask(t, s.URL, "main/s", false, user("original")); !strings.Contains(body, "altered") {
		t.Errorf("the story saw the original: %s", body)
	}
	if got := script.Log().All()[0].FirstUser(); got != "original" {
		t.Errorf("the log has %q", got)
	}
}

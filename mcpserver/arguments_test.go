package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// decodeOf runs the whole decoding of a tool.
func decodeOf(tool hosts.Tool, raw string) (any, string, *argumentProblem) {
	members, token, problem := arguments([]byte(raw))
	if problem != nil {
		return nil, "", problem
	}
	if tool == hosts.ToolRead {
		in, problem := decodeRead(members)
		return in, token, problem
	}
	in, problem := decodeHandover(members)
	return in, token, problem
}

func TestArgumentsAccepted(t *testing.T) {
	for _, test := range []struct {
		tool  hosts.Tool
		raw   string
		want  any
		token string
	}{
		{hosts.ToolHandover, `{"handover":"h","summary":"s"}`, HandoverInput{"h", "s"}, ""},
		{hosts.ToolHandover, ` { "summary" : "s" , "handover" : "a\r\n\t\u0000\u2028` + "\u2028" + `\ud83d\ude00😀\\ud800\/" } `, HandoverInput{"a\r\n\t\x00\u2028\u2028😀😀\\ud800/", "s"}, ""},
		{hosts.ToolHandover, `{"_handover_capability":"t.s","handover":"h","summary":"s"}`, HandoverInput{"h", "s"}, "t.s"},
		{hosts.ToolHandover, `{"_handover_capability":{"a":1},"handover":"h","summary":"s"}`, HandoverInput{"h", "s"}, ""},
		{hosts.ToolRead, ``, ReadInput{}, ""},
		{hosts.ToolRead, `{}`, ReadInput{}, ""},
		{hosts.ToolRead, `{"id":null,"full":null,"page":null}`, ReadInput{}, ""},
		{hosts.ToolRead, `{"id":" ho-0123456789abcdef\n","full":true,"page":2}`, ReadInput{"ho-0123456789abcdef", true, 2}, ""},
		{hosts.ToolRead, `{"page":2.0}`, ReadInput{Page: 2}, ""},
	} {
		got, token, problem := decodeOf(test.tool, test.raw)
		if problem != nil || got != test.want || token != test.token {
			t.Errorf("%s\n got %+v, token %q, problem %+v\nwant %+v, token %q", test.raw, got, token, problem, test.want, test.token)
		}
	}
}

func TestArgumentsRefused(t *testing.T) {
	long := strings.Repeat("x", store.MaxText+1)
	for _, test := range []struct {
		tool  hosts.Tool
		raw   string
		cause modeltext.Cause
		says  string // in the detail's What, or the part
		at    int    // offset
	}{
		{hosts.ToolHandover, ``, modeltext.CauseArgument, "it is missing", 0},
		{hosts.ToolHandover, `{}`, modeltext.CauseArgument, "it is missing", 0},
		{hosts.ToolHandover, `null`, modeltext.CauseArgument, "exactly one JSON object", 0},
		{hosts.ToolHandover, `[1]`, modeltext.CauseArgument, "exactly one JSON object", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":"s"}{}`, modeltext.CauseArgument, "exactly one JSON object", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":"s"`, modeltext.CauseArgument, "exactly one JSON object", 0},
		{hosts.ToolHandover, `{"handover":"h","handover":"i","summary":"s"}`, modeltext.CauseArgument, "twice", 0},
		{hosts.ToolHandover, `{"handover":"h","\u0068andover":"i","summary":"s"}`, modeltext.CauseArgument, "twice", 0},
		{hosts.ToolHandover, `{"handover":"h"}`, modeltext.CauseArgument, "it is missing", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":null}`, modeltext.CauseArgument, "it is null; wanted is a string", 0},
		{hosts.ToolHandover, `{"handover":["h"],"summary":"s"}`, modeltext.CauseArgument, "it is an array; wanted is a string", 0},
		{hosts.ToolHandover, `{"handover":{"a":1},"summary":"s"}`, modeltext.CauseArgument, "it is an object; wanted is a string", 0},
		{hosts.ToolHandover, `{"handover":1,"summary":"s"}`, modeltext.CauseArgument, "it is a number; wanted is a string", 0},
		{hosts.ToolHandover, `{"handover":" \n","summary":"s"}`, modeltext.CauseArgument, "it is empty", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":"s","extra":1}`, modeltext.CauseArgument, "there are handover, summary", 0},
		{hosts.ToolHandover, `{"Handover":"h","summary":"s"}`, modeltext.CauseArgument, "it is called handover here", 0},
		{hosts.ToolHandover, `{"text":"h","summary":"s"}`, modeltext.CauseArgument, "it is called handover here", 0},
		{hosts.ToolHandover, `{"handover":"` + long + `","summary":"s"}`, modeltext.CauseTooLarge, "", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":"` + long + `"}`, modeltext.CauseTooLarge, "", 0},
		{hosts.ToolHandover, `{"handover":"ab\ud800c","summary":"s"}`, modeltext.CauseText, "surrogate", 2},
		{hosts.ToolHandover, `{"handover":"é\"\n\udc00","summary":"s"}`, modeltext.CauseText, "surrogate", 4},
		{hosts.ToolHandover, `{"handover":"\ud83d\ud83d\ude00","summary":"s"}`, modeltext.CauseText, "surrogate", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":"\ud83d\u0041"}`, modeltext.CauseText, "surrogate", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":"s","a":{"b":["x\ud800"]}}`, modeltext.CauseArgument, "there are handover, summary", 0},
		{hosts.ToolHandover, `{"handover":"h","summary":"s","\ud800":1}`, modeltext.CauseText, "surrogate", 0},
		{hosts.ToolHandover, "{\"handover\":\"\xff\",\"summary\":\"s\"}", modeltext.CauseText, "UTF-8", 0},
		{hosts.ToolHandover, "{\"handover\":\"\xed\xa0\x80\",\"summary\":\"s\"}", modeltext.CauseText, "UTF-8", 0},
		{hosts.ToolRead, `{"childId":"x"}`, modeltext.CauseArgument, "it is called id here", 0},
		{hosts.ToolRead, `{"sessionID":"x"}`, modeltext.CauseArgument, "it is called id here", 0},
		{hosts.ToolRead, `{"threadID":"x"}`, modeltext.CauseArgument, "it is called id here", 0},
		{hosts.ToolRead, `{"taskId":"x"}`, modeltext.CauseArgument, "it is called id here", 0},
		{hosts.ToolRead, `{"agent_id":"x"}`, modeltext.CauseArgument, "it is called id here", 0},
		{hosts.ToolRead, `{"path":"x"}`, modeltext.CauseArgument, "there are id, full, page", 0},
		{hosts.ToolRead, `{"page":"2"}`, modeltext.CauseArgument, "it is a string; wanted is an integer from 1, without quotes", 0},
		{hosts.ToolRead, `{"page":2.5}`, modeltext.CauseArgument, "it is a number; wanted is an integer", 0},
		{hosts.ToolRead, `{"page":0}`, modeltext.CauseArgument, "wanted is an integer from 1", 0},
		{hosts.ToolRead, `{"page":-1}`, modeltext.CauseArgument, "wanted is an integer from 1", 0},
		{hosts.ToolRead, `{"page":1e300}`, modeltext.CauseArgument, "wanted is an integer from 1", 0},
		{hosts.ToolRead, `{"full":"true"}`, modeltext.CauseArgument, "it is a string; wanted is true or false, without quotes", 0},
		{hosts.ToolRead, `{"id":7}`, modeltext.CauseArgument, "it is a number; wanted is a string", 0},
		{hosts.ToolRead, `{"id":"` + strings.Repeat("x", 600) + `"}`, modeltext.CauseArgument, "too long to be an id", 0},
		{hosts.ToolRead, `[]`, modeltext.CauseArgument, "exactly one JSON object", 0},
	} {
		_, _, problem := decodeOf(test.tool, test.raw)
		short := test.raw[:min(len(test.raw), 80)]
		if problem == nil {
			t.Errorf("%s: accepted", short)
			continue
		}
		r := problem.refused(test.tool)
		if r.cause != test.cause || !strings.Contains(r.detail.What, test.says) || r.detail.Offset != test.at {
			t.Errorf("%s: %s %+v; want %s, %q at %d", short, r.cause, r.detail, test.cause, test.says, test.at)
		}
	}
}

// FuzzArguments: what is accepted decodes to the same strings as by
// encoding/json, and only what needs no replacement is accepted.
func FuzzArguments(f *testing.F) {
	f.Add(`{"handover":"h","summary":"s"}`)
	f.Add(`{"handover":"\ud83d\ude00\\","summary":"\"\u0000"}`)
	f.Add(`{"a":{"b":["\ud800"]},"_handover_capability":""}`)
	f.Fuzz(func(t *testing.T, raw string) {
		members, _, problem := arguments([]byte(raw))
		if problem != nil || len(strings.TrimSpace(raw)) == 0 {
			return
		}
		var want map[string]any
		dec := json.NewDecoder(strings.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("accepted %q, which is no object: %v", raw, err)
		}
		for _, a := range members {
			if a.Kind == "string" && want[a.Name] != a.Text || a.Kind == "number" && want[a.Name] != json.Number(a.Text) {
				t.Errorf("%q: member %q is %q, want %v", raw, a.Name, a.Text, want[a.Name])
			}
			text, problem := a.text(store.MaxText)
			if problem == nil && strings.ContainsRune(text, utf8.RuneError) && !strings.Contains(raw, "\ufffd") && !strings.Contains(strings.ToLower(raw), `\ufffd`) {
				t.Errorf("%q: a replacement character got in", raw)
			}
		}
	})
}

package messages

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/auto-context-handover/handover/e2e/model"
)

func TestUse(t *testing.T) {
	for _, c := range []struct {
		method, path string
		want         model.Use
	}{
		{"POST", "/v1/messages", model.UseAnswer},
		{"POST", "/prefix/v1/messages", model.UseAnswer},
		{"POST", "/v1/messages/count_tokens", model.UseCount},
		{"GET", "/v1/messages", model.UseProbe},
		{"HEAD", "/", model.UseProbe},
		{"POST", "/v1/chat/completions", model.UseProbe},
	} {
		if got := (Wire{}).Use(c.method, c.path); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.method, c.path, got, c.want)
		}
	}
}

func TestDecode(t *testing.T) {
	r := &model.Request{Body: []byte(`{
		"model":"m","stream":true,"max_tokens":7,
		"system":[{"type":"text","text":"one"},{"type":"text","text":"two"}],
		"tools":[{"name":"A","description":"d","input_schema":{}},{"name":"B","defer_loading":true},{"type":"web_search_1","name":"C"}],
		"messages":[
			{"role":"user","content":"a string"},
			{"role":"assistant","content":[{"type":"thinking","thinking":"x"},{"type":"tool_use","id":"t1","name":"A","input":{"k":[1]}}]},
			{"role":"user","content":[
				{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"x"},{"type":"image"},{"type":"text","text":"y"}]},
				{"type":"tool_result","tool_use_id":"t2","content":"plain"},
				{"type":"tool_result","tool_use_id":"t3","content":[{"type":"tool_reference","tool_name":"B"}]},
				{"type":"tool_result","tool_use_id":"t4"}]},
			{"role":"system","content":[{"type":"text","text":"note"}]}]}`)}
	if err := (Wire{}).Decode(r); err != nil {
		t.Fatal(err)
	}
	if r.Model != "m" || !r.Stream || r.MaxTokens != 7 || r.System != "one\n\ntwo" {
		t.Errorf("request: %+v", r)
	}
	wantTools := []model.Tool{{Name: "A", Description: "d", Schema: json.RawMessage(`{}`)}, {Name: "B", Deferred: true}, {Name: "C"}}
	if diff := cmp.Diff(wantTools, r.Tools); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	want := []model.Message{
		{Role: "user", Parts: []model.Part{{Kind: model.PartText, Text: "a string"}}},
		{Role: "assistant", Parts: []model.Part{{Kind: model.PartOther}, {Kind: model.PartCall, ID: "t1", Name: "A", Input: json.RawMessage(`{"k":[1]}`)}}},
		{Role: "user", Parts: []model.Part{
			{Kind: model.PartResult, ID: "t1", Error: true, Text: "x\ny"},
			{Kind: model.PartResult, ID: "t2", Text: "plain"},
			{Kind: model.PartResult, ID: "t3", Refs: []string{"B"}},
			{Kind: model.PartResult, ID: "t4"},
		}},
		{Role: "system", Parts: []model.Part{{Kind: model.PartText, Text: "note"}}},
	}
	if diff := cmp.Diff(want, r.Messages, cmpopts.IgnoreFields(model.Part{}, "Raw")); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if len(p.Raw) == 0 {
				t.Errorf("%s: a part without its bytes", m.Role)
			}
		}
	}
	for _, bad := range []string{"", "[]", `{"messages":[{"role":"user","content":7}]}`, `{"system":{}}`} {
		if err := (Wire{}).Decode(&model.Request{Body: []byte(bad)}); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

// streamed is one event of a stream.
type streamed struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		ID    string         `json:"id"`
		Usage map[string]int `json:"usage"`
	} `json:"message"`
	Block struct {
		Type, ID, Name string
		Input          json.RawMessage
	} `json:"content_block"`
	Delta struct {
		Text    string `json:"text"`
		Partial string `json:"partial_json"`
		Stop    string `json:"stop_reason"`
	} `json:"delta"`
	Usage map[string]int `json:"usage"`
}

func TestStream(t *testing.T) {
	r := &model.Request{Seq: 3, Model: "m", Stream: true}
	a := model.Text("häuser").Then(model.ToolUse("A", json.RawMessage(`{"k": 1}`)), model.ToolUse("A", json.RawMessage(`{broken`))).WithID("mine")
	out := (Wire{}).Render(r, a, &model.Usage{Input: 1, CacheCreate: 2, CacheRead: 3, Output: 4})
	if out.Type != "text/event-stream" || out.Header["request-id"] == "" {
		t.Errorf("headers: %s %v", out.Type, out.Header)
	}
	texts := map[int]string{}
	var types []string
	var ends int
	for _, c := range out.Chunks {
		name, data, ok := strings.Cut(string(c.Data), "\ndata: ")
		if !ok || !strings.HasSuffix(data, "\n\n") {
			t.Fatalf("event: %q", c.Data)
		}
		var e streamed
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatalf("event: %v: %s", err, data)
		}
		if name != "event: "+e.Type {
			t.Errorf("event name %q, type %q", name, e.Type)
		}
		types = append(types, e.Type)
		texts[e.Index] += e.Delta.Text + e.Delta.Partial
		if c.EndBlock {
			ends++
		}
		switch e.Type {
		case "message_start":
			if diff := cmp.Diff(map[string]int{"input_tokens": 1, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3, "output_tokens": 1}, e.Message.Usage); diff != "" {
				t.Errorf("first usage (-want +got):\n%s", diff)
			}
		case "message_delta":
			if e.Delta.Stop != "tool_use" || e.Usage["output_tokens"] != 4 || e.Usage["input_tokens"] != 1 {
				t.Errorf("message_delta: %+v", e)
			}
		case "content_block_start":
			if e.Index == 2 && (e.Block.ID != "mine" || e.Block.Name != "A") || e.Index == 1 && !strings.HasPrefix(e.Block.ID, "toolu_") {
				t.Errorf("block %d: %+v", e.Index, e.Block)
			}
		}
	}
	if diff := cmp.Diff(map[int]string{0: "häuser", 1: `{"k": 1}`, 2: `{broken`}, texts); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if ends != 3 || types[len(types)-1] != "message_stop" {
		t.Errorf("%d block ends, events %q", ends, types)
	}
}

func TestWithoutUsage(t *testing.T) {
	for _, stream := range []bool{true, false} {
		out := (Wire{}).Render(&model.Request{Stream: stream}, model.Text("x"), nil)
		for _, c := range out.Chunks {
			if strings.Contains(string(c.Data), "tokens") {
				t.Errorf("stream %v: usage in %s", stream, c.Data)
			}
		}
	}
}

func TestWholeBody(t *testing.T) {
	out := (Wire{}).Render(&model.Request{Model: "m"}, model.Text("t").Then(model.ToolUse("A", map[string]int{"k": 1})), &model.Usage{Input: 1, Output: 2})
	want := `{"content":[{"text":"t","type":"text"},{"id":"toolu_010000000000000000000001","input":{"k":1},"name":"A","type":"tool_use"}],"id":"msg_0100000000000000000000","model":"m","role":"assistant","stop_reason":"tool_use","stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":1,"output_tokens":2}}`
	if got := string(out.Chunks[0].Data); len(out.Chunks) != 1 || got != want {
		t.Errorf("body: %s\nwant: %s", got, want)
	}
	empty := (Wire{}).Render(&model.Request{}, model.Answer{}, nil)
	if got := string(empty.Chunks[0].Data); !strings.Contains(got, `"content":[]`) || !strings.Contains(got, `"end_turn"`) {
		t.Errorf("empty answer: %s", got)
	}
	if got := string((Wire{}).Count(nil, 7).Chunks[0].Data); got != `{"input_tokens":7}` {
		t.Errorf("count: %s", got)
	}
}

package messages

import (
	"encoding/json"
	"fmt"

	"github.com/auto-context-handover/handover/e2e/model"
)

// object is a JSON object that is written; its keys come out sorted.
type object map[string]any

// Render implements [model.Wire].
func (Wire) Render(r *model.Request, a model.Answer, u *model.Usage) model.Rendered {
	out := model.Rendered{Header: map[string]string{"request-id": fmt.Sprintf("req_01%020d", r.Seq)}}
	if r.Stream {
		out.Type = "text/event-stream"
		out.Chunks = stream(r, a, u)
		return out
	}
	out.Type = "application/json"
	m := envelope(r)
	var content []object
	for i, b := range a.Blocks {
		if b.Name == "" {
			content = append(content, object{"type": "text", "text": b.Text})
			continue
		}
		content = append(content, object{"type": "tool_use", "id": callID(r, i, b), "name": b.Name, "input": b.Input})
	}
	m["content"] = orEmpty(content)
	m["stop_reason"] = stopReason(a)
	if u != nil {
		m["usage"] = usage(*u, u.Output)
	}
	out.Chunks = []model.Chunk{{Data: marshal(m)}}
	return out
}

// Count implements [model.Wire].
func (Wire) Count(_ *model.Request, tokens int) model.Rendered {
	return model.Rendered{Type: "application/json", Chunks: []model.Chunk{{Data: marshal(object{"input_tokens": tokens})}}}
}

// stream returns the events of a streamed answer.
func stream(r *model.Request, a model.Answer, u *model.Usage) []model.Chunk {
	start := envelope(r)
	if u != nil {
		start["usage"] = usage(*u, min(u.Output, 1))
	}
	chunks := []model.Chunk{event("message_start", object{"message": start})}
	for i, b := range a.Blocks {
		begin := object{"type": "text", "text": ""}
		delta := func(s string) object { return object{"type": "text_delta", "text": s} }
		whole := b.Text
		if b.Name != "" {
			begin = object{"type": "tool_use", "id": callID(r, i, b), "name": b.Name, "input": object{}}
			delta = func(s string) object { return object{"type": "input_json_delta", "partial_json": s} }
			whole = string(b.Input)
		}
		chunks = append(chunks, event("content_block_start", object{"index": i, "content_block": begin}))
		for _, s := range pieces(whole) {
			chunks = append(chunks, event("content_block_delta", object{"index": i, "delta": delta(s)}))
		}
		end := event("content_block_stop", object{"index": i})
		end.EndBlock = true
		chunks = append(chunks, end)
	}
	last := object{"delta": object{"stop_reason": stopReason(a), "stop_sequence": nil}}
	if u != nil {
		last["usage"] = usage(*u, u.Output)
	}
	return append(chunks, event("message_delta", last), event("message_stop", object{}))
}

// envelope is an answer without content.
func envelope(r *model.Request) object {
	return object{
		"id": fmt.Sprintf("msg_01%020d", r.Seq), "type": "message", "role": "assistant", "model": r.Model,
		"content": []object{}, "stop_reason": nil, "stop_sequence": nil,
	}
}

func usage(u model.Usage, output int) object {
	return object{
		"input_tokens": u.Input, "cache_creation_input_tokens": u.CacheCreate,
		"cache_read_input_tokens": u.CacheRead, "output_tokens": output,
	}
}

func stopReason(a model.Answer) string {
	if a.Calls() {
		return "tool_use"
	}
	return "end_turn"
}

func callID(r *model.Request, i int, b model.Block) string {
	if b.ID != "" {
		return b.ID
	}
	return fmt.Sprintf("toolu_01%018d%04d", r.Seq, i)
}

// pieces cuts a text in two at a rune boundary, so that a host must join it.
func pieces(s string) []string {
	half := len(s) / 2
	for half > 0 && s[half]&0xC0 == 0x80 {
		half--
	}
	if half == 0 {
		return []string{s}
	}
	return []string{s[:half], s[half:]}
}

func event(name string, data object) model.Chunk {
	data["type"] = name
	return model.Chunk{Data: fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, marshal(data))}
}

func orEmpty(content []object) []object {
	if content == nil {
		return []object{}
	}
	return content
}

// marshal writes JSON. Raw input that is not JSON is a
// mistake in the story, except in a stream, where it is text and may be broken.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("messages: " + err.Error())
	}
	return data
}

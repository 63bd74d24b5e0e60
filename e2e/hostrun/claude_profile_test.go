package hostrun

import (
	"net/http"
	"testing"

	"github.com/auto-context-handover/handover/e2e/model"
)

func TestClaudeOrigin(t *testing.T) {
	t.Parallel()
	request := func(agent, system, last string, tools int) *model.Request {
		h := http.Header{}
		h.Set("X-Claude-Code-Session-Id", "s")
		if agent != "" {
			h.Set("X-Claude-Code-Agent-Id", agent)
		}
		return &model.Request{Header: h, System: system, Tools: make([]model.Tool, tools), Messages: []model.Message{
			{Role: "user", Parts: []model.Part{{Kind: model.PartText, Text: "first"}}},
			{Role: "user", Parts: []model.Part{{Kind: model.PartText, Text: last}}},
			{Role: "system", Parts: []model.Part{{Kind: model.PartText, Text: "note"}}},
		}}
	}
	const summarise = "CRITICAL: Respond with TEXT ONLY.\nYour task is to create a detailed summary of the conversation so far."
	for _, c := range []struct {
		name string
		r    *model.Request
		want model.Origin
	}{
		{"main", request("", "You are a Claude agent.", "go", 3), model.Origin{Kind: model.KindMain, Session: "s"}},
		{"agent", request("a1", "You are an agent.", "go", 3), model.Origin{Kind: model.KindAgent, Session: "s", Agent: "a1"}},
		{"summariser", request("", "You are a Claude agent.", summarise, 3), model.Origin{Kind: model.KindCompaction, Session: "s"}},
		{"summariser of an agent", request("a1", "x", summarise, 0), model.Origin{Kind: model.KindCompaction, Session: "s", Agent: "a1"}},
		{"classifier", request("", "You are a security monitor for autonomous AI coding agents.", "x", 0), model.Origin{Kind: model.KindClassifier, Session: "s"}},
		{"title", request("", "Generate a title.", "x", 0), model.Origin{Kind: model.KindTitle, Session: "s"}},
		{"side", request("", "Something else.", "x", 0), model.Origin{Kind: model.KindSide, Session: "s"}},
	} {
		if got := claudeOrigin(c.r); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

package messages

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/auto-context-handover/handover/e2e/model"
)

// request is the part of a request body that is read.
type request struct {
	Model     string          `json:"model"`
	Stream    bool            `json:"stream"`
	MaxTokens int             `json:"max_tokens"`
	System    json.RawMessage `json:"system"`
	Tools     []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"input_schema"`
		Deferred    bool            `json:"defer_loading"`
	} `json:"tools"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

// block is the part of a content block that is read.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
	ToolName  string          `json:"tool_name"` // of a tool_reference
}

// Decode implements [model.Wire].
func (Wire) Decode(r *model.Request) error {
	var in request
	if err := json.Unmarshal(r.Body, &in); err != nil {
		return fmt.Errorf("messages: body: %w", err)
	}
	r.Model, r.Stream, r.MaxTokens = in.Model, in.Stream, in.MaxTokens
	system, err := parts(in.System)
	if err != nil {
		return fmt.Errorf("messages: system: %w", err)
	}
	r.System = texts(system, "\n\n")
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema, Deferred: t.Deferred})
	}
	for i, m := range in.Messages {
		p, err := parts(m.Content)
		if err != nil {
			return fmt.Errorf("messages: message %d: %w", i, err)
		}
		r.Messages = append(r.Messages, model.Message{Role: m.Role, Parts: p})
	}
	return nil
}

// parts reads a content: a string or a list of blocks.
func parts(content json.RawMessage) ([]model.Part, error) {
	if len(content) == 0 || string(content) == "null" {
		return nil, nil
	}
	if content[0] == '"' {
		var s string
		if err := json.Unmarshal(content, &s); err != nil {
			return nil, err
		}
		return []model.Part{{Kind: model.PartText, Text: s, Raw: content}}, nil
	}
	var raws []json.RawMessage
	if err := json.Unmarshal(content, &raws); err != nil {
		return nil, err
	}
	var out []model.Part
	for _, raw := range raws {
		p, err := part(raw)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// part reads one block.
func part(raw json.RawMessage) (model.Part, error) {
	var b block
	if err := json.Unmarshal(raw, &b); err != nil {
		return model.Part{}, err
	}
	p := model.Part{Raw: raw}
	switch b.Type {
	case "text":
		p.Kind, p.Text = model.PartText, b.Text
	case "tool_use":
		p.Kind, p.ID, p.Name, p.Input = model.PartCall, b.ID, b.Name, b.Input
	case "tool_result":
		inner, err := parts(b.Content)
		if err != nil {
			return model.Part{}, err
		}
		p.Kind, p.ID, p.Error, p.Text = model.PartResult, b.ToolUseID, b.IsError, texts(inner, "\n")
		p.Refs = references(b.Content)
	}
	return p, nil
}

// references returns the tools that a result's tool_reference blocks name.
func references(content json.RawMessage) []string {
	var blocks []block
	if json.Unmarshal(content, &blocks) != nil {
		return nil
	}
	var names []string
	for _, b := range blocks {
		if b.Type == "tool_reference" {
			names = append(names, b.ToolName)
		}
	}
	return names
}

func texts(parts []model.Part, between string) string {
	var out []string
	for _, p := range parts {
		if p.Kind == model.PartText {
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, between)
}

package mcpserver

import (
	_ "embed"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
)

// The input schemas are pinned, so that tools/list is the same bytes in every
// build and nothing is reflected at start. A test derives them from
// HandoverInput and ReadInput and compares.

//go:embed schema/context_handover.json
var handoverSchema []byte

//go:embed schema/read_handover.json
var readSchema []byte

// handoverTool is the entry of context_handover in tools/list. Its annotations
// are honest: it adds a record and overwrites none, and another call with
// another text adds another record.
func handoverTool(host hosts.Host, texts modeltext.Voice) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:        string(hosts.ToolHandover),
		Description: texts.ToolDescription(hosts.ToolHandover),
		InputSchema: json.RawMessage(handoverSchema),
		Meta:        host.ToolMeta,
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no},
	}
}

// readTool is the entry of read_handover.
func readTool(host hosts.Host, texts modeltext.Voice) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:        string(hosts.ToolRead),
		Description: texts.ToolDescription(hosts.ToolRead),
		InputSchema: json.RawMessage(readSchema),
		Meta:        host.ToolMeta,
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no, ReadOnlyHint: true},
	}
}

// answer is a result of a tool: text alone, since some hosts show a model only
// the structured content where there is any, and others never show it.
func answer(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// refusal is an answer that says, in the text too, that the call failed:
// several hosts drop the flag.
func refusal(text string) *mcp.CallToolResult {
	res := answer(text)
	res.IsError = true
	return res
}

// Command bare is the least MCP server that the SDK makes over stdio, with two
// tools as small as ours are. It is what the start of ours is a ratio of.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "0"}, nil)
	server.AddTool(tool("put", `{"type":"object","properties":{"text":{"type":"string"},"summary":{"type":"string"}},"required":["text","summary"]}`), nothing)
	server.AddTool(tool("get", `{"type":"object","properties":{"id":{"type":"string"},"full":{"type":"boolean"},"page":{"type":"integer"}}}`), nothing)
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

func tool(name, schema string) *mcp.Tool {
	return &mcp.Tool{Name: name, Description: "Does nothing.", InputSchema: json.RawMessage(schema)}
}

func nothing(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{}, nil
}

//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"strings"
)

// call is the id of the tool call at the end of a transcript, which a batch
// event then names.
const call = "toolu_bench_last"

// transcript is the record of a subagent as Claude Code writes it, at least as
// many bytes long: rows from 0.2 to 17 KB, of requests, their tools' results
// and what else the host keeps. It ends with a request of that many tokens and
// the result of its one call.
func transcript(session, agent string, bytesLong, tokens int) []byte {
	var b bytes.Buffer
	head := func(kind string) {
		fmt.Fprintf(&b, `{"parentUuid":"6f6c3a52-4b58-4e7e-9c5d-0d5e4a3f2b1c","isSidechain":true,"agentId":%q,"userType":"external","entrypoint":"sdk-cli","cwd":"/home/someone/project","sessionId":%q,"version":"2.1.332","gitBranch":"main","type":%q,"uuid":"0b9a7f3e-52f1-4f0c-8d39-7a2b6c1d4e5f","timestamp":"2026-11-30T23:11:47.330Z"`, agent, session, kind)
	}
	request := func(id, call string, tokens int) {
		head("assistant")
		fmt.Fprintf(&b, `,"message":{"id":%q,"type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"go test ./...","description":"run the tests"}}],"stop_reason":"tool_use","stop_sequence":null,`, id, call)
		fmt.Fprintf(&b, `"usage":{"input_tokens":12,"cache_creation_input_tokens":300,"cache_read_input_tokens":%d,"output_tokens":150,"output_tokens_details":{"thinking_tokens":0},"server_tool_use":{"web_search_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_5m_input_tokens":300},"inference_geo":"","iterations":[],"speed":"standard"}},"requestId":"req_1","requestedModel":"claude-opus-4-6"}`+"\n", tokens-462)
	}
	result := func(call string, lines int) {
		head("user")
		text := toolText(lines)
		fmt.Fprintf(&b, `,"message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":"%s","is_error":false}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}}`+"\n", call, text, text)
	}
	for n := 0; b.Len() < bytesLong; n++ {
		id, call := fmt.Sprintf("msg_%d", n), fmt.Sprintf("toolu_%d", n)
		request(id, call, tokens/2)
		result(call, 1+n*7%80)
		head("attachment")
		b.WriteString(`,"attachment":{"type":"todo","content":[]}}` + "\n")
		fmt.Fprintf(&b, `{"type":"api-request-blob","id":%q,"data":"%s"}`+"\n", id, toolText(n*3%40))
	}
	request("msg_last", call, tokens)
	result(call, 12)
	return b.Bytes()
}

// toolText is what a tool printed, as it stands within a JSON string.
func toolText(lines int) string {
	return strings.Repeat(`ok  \tgithub.com/someone/project/internal/thing\t0.012s \"cached\" ünïcode and the rest of the line\n`, lines)
}

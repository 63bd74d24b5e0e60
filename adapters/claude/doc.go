// Package claude is the adapter for Claude Code.
//
// Contract, as observed by running 2.1.332 (linux-x64, native binary); the
// whole of it, with samples, is in docs/hosts/claude.md:
//
//   - Every hook event carries session_id and the path of the MAIN transcript;
//     agent_id is there exactly when the event is a subagent's. A subagent's own
//     transcript is <main transcript without .jsonl>/subagents/agent-<id>.jsonl,
//     with agent-<id>.meta.json beside it.
//   - A response is written to the transcript, one row per content block, after
//     it has ended, in batches of 100 ms; all rows of a response carry the same
//     message id and the same final usage.
//   - The tokens of a request are input + cache creation + cache read + output;
//     of a server-side tool loop the last iteration counts.
//   - What a PostToolBatch, SessionStart or SubagentStart hook adds reaches the
//     next request of the same agent and stays in its history.
//   - tools/call carries the tool_use id in _meta; PreToolUse sees the same id.
package claude

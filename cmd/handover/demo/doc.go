// Package demo plays one whole handover on a simulated host.
//
// The host is simulated, everything of ours is real and runs as a process: the
// host loads the plugin folder as a host does, starts the hook program that the
// plugin names for each event, starts the MCP server and speaks to it over
// stdio, and keeps transcripts in the rows that Claude Code 2.1.332 writes.
//
// The model is a script, and a literal one: it has its own words for the work,
// but tool names, ids, prompts and headings it takes only from the texts it was
// sent. Where a text is missing or garbled the script cannot go on, and Run
// returns an error that names the text.
package demo

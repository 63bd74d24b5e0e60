// Package mcpserver serves the tools context_handover and read_handover over
// the Model Context Protocol on a host's pipes.
//
// A host starts one server for its process, and all its agents call it at once.
// The server never believes a model about who it is: a hook of ours that saw
// the call writes a record by the host's own word, and the server consumes it
// (design 6). A write needs that; a read is always answered.
//
// # Texts
//
// What a model reads comes from internal/modeltext. Results are text alone, and
// a refusal is an ordinary result that says so, since some hosts drop the error
// flag and some show a model nothing else when there is structured content.
//
// # Ends
//
// A server ends when its stdin does or when its context does, and in both cases
// only after every call it has read is answered. A handler that panics, a line
// that is no message, or one that is too long costs that call and no other.
//
// # Other programs
//
// To record the state of a repository git is run in the caller's directory,
// with everything switched off by which a repository could have its own
// programs run. Nothing else is started and no network is used.
package mcpserver

// Package model is a scripted model server for end-to-end stories: a real host
// program talks to it as if to its provider, and a story decides every answer.
//
// A [Script] holds the story: who is asking (the main agent, a subagent, a
// summariser, a side request) and what each of them answers. A [Server] reads
// requests in the formats of its [Wire]s, asks the script, writes the answer
// and logs both. The package knows no API and no host: a Wire is one package
// per API beside this one, and what tells a host's requests apart is a
// [Profile] given to the script.
package model

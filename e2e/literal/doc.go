// Package literal is the understanding of a scripted model that acts only on
// what it was sent. Its functions read our texts (notices, receipts, views,
// refusals) and return what a model needs to go on: tool names, calls, ids,
// prompts, page numbers and stored bytes. Whatever is missing or garbled fails
// the story and is named. Nothing is known beforehand but the syntax in
// patterns.go.
//
// What stands in a frame is data: calls, ids and prompts are looked for outside
// of frames only.
package literal

// Failer is told about what is missing: a [testing.TB] or a model's Turn. Its
// Fatalf does not return.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

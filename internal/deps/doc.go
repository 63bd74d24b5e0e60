// Package deps has no code: its tests hold the rules on who may import whom,
// the package list of every command, and the five places that make a host.
//
// A list in testdata changes by
//
//	go test ./internal/deps -update
//
// and a reviewer sees in its diff what a command began to link.
package deps

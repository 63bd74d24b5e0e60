//go:build race

package store

// raceDetector: everything is many times slower, and a model that runs in one
// goroutine has no races.
const raceDetector = true

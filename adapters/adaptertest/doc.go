// Package adaptertest is the conformance suite that every adapter runs.
//
// An adapter's own test is short: it names its row, its adapter and a folder
// with samples, and calls Run.
//
//	func TestConformance(t *testing.T) {
//		adaptertest.Run(t, adaptertest.Suite{Row: hosts.Claude(), Host: claude.New(), Dir: "testdata", …})
//	}
//
// The folder holds
//
//	events/NAME.json    one hook event as the host writes it
//	events/NAME.want    the hooks.Event it means, as JSON; written by -update
//
// The suite holds what no host may get wrong: an event means the same however
// it is cut, ordered and padded; damaged ones mean nothing, and quickly; a
// value is never mistaken for another; large ones take no memory; and every
// answer is what the host can read.
package adaptertest

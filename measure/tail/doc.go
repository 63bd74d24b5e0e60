// Package tail visits the lines of a growing file from the last one to the
// first, in fixed-size blocks and fixed memory, so that the newest record of a
// transcript is found without reading the transcript (design 4.7).
//
// It knows nothing of what a line means. It imports only internal/scan, to hand
// a line out as a scanner.
package tail

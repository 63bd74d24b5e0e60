package config

import "strings"

// nearest is the word that key is most likely a misspelling of, "" where none is
// close.
func nearest(key string, words []string) string {
	best, least := "", 3
	for _, w := range words {
		d := distance(strings.ToLower(key), w)
		if d < least && d < len(w) {
			best, least = w, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace, or of
// neighbours to swap, that turn a into b.
func distance(a, b string) int {
	if len(a) > 2*len(b) {
		return len(a)
	}
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

package main

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	for want, then := range map[string]time.Time{
		"at an unknown time": {},
		"just now":           now.Add(-59 * time.Second),
		"1 min ago":          now.Add(-time.Minute),
		"47 h ago":           now.Add(-47 * time.Hour),
		"2 days ago":         now.Add(-48 * time.Hour),
	} {
		if got := age(now, then); got != want {
			t.Errorf("%v: %q, want %q", then, got, want)
		}
	}
}

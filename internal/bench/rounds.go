//go:build linux || darwin

package main

import (
	"slices"
	"time"
)

// step does once what is timed; round counts how often it was done before.
type step func(round int) (time.Duration, error)

// rounds does each of the steps that many times, all of them in each round, and
// returns their medians. Every round begins with another step, so that none is
// always the one after the slowest.
func rounds(n int, steps ...step) ([]time.Duration, error) {
	took := make([][]time.Duration, len(steps))
	for round := range n {
		for i := range steps {
			k := (round + i) % len(steps)
			d, err := steps[k](round)
			if err != nil {
				return nil, err
			}
			took[k] = append(took[k], d)
		}
	}
	medians := make([]time.Duration, len(steps))
	for i, list := range took {
		medians[i] = median(list)
	}
	return medians, nil
}

// median is the one in the middle; of an even number the later of the two.
func median(list []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// ratio of two times.
func ratio(of, to time.Duration) value {
	return value{number: float64(of) / float64(to)}
}

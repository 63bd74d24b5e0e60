//go:build linux || darwin

package main

import (
	"fmt"
	"path"
	"strings"
)

// figure is one line of the output.
type figure struct {
	name string
	// most and least bound the value, 0 where it is not bounded that way.
	most, least float64
}

// value is a figure's value, or why it is not known.
type value struct {
	number  float64
	unknown string
}

func (v value) String() string {
	switch {
	case v.unknown != "":
		return "unknown (" + v.unknown + ")"
	case v.number >= 10:
		return fmt.Sprintf("%.1f", v.number)
	}
	return fmt.Sprintf("%.2f", v.number)
}

// holds reports whether the value is within the figure's bounds.
func (f figure) holds(v value) bool {
	switch {
	case v.unknown != "":
		return false
	case f.most > 0 && v.number > f.most:
		return false
	}
	return v.number >= f.least
}

// bound is the figure's bound for people.
func (f figure) bound() string {
	if f.most > 0 {
		return fmt.Sprintf("at most %g", f.most)
	}
	return fmt.Sprintf("at least %g", f.least)
}

// group is a set of figures that are measured together.
type group struct {
	figures []figure
	// measure returns the values by name; those that could be measured even
	// where there is an error.
	measure func() (map[string]value, error)
}

func (g group) wanted(pattern string) bool {
	for _, f := range g.figures {
		if ok, _ := path.Match(pattern, f.name); ok {
			return true
		}
	}
	return false
}

func (g group) names() string {
	var names []string
	for _, f := range g.figures {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

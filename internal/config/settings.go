package config

import (
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

// Settings are what holds for one agent. A source is "default", the name of a
// variable or option, or the place in config.json.
type Settings struct {
	// Soft counts only while SoftErr is nil.
	Soft       measure.Soft
	SoftSource string
	// SoftErr names an explicit soft that is empty or not understood, and its
	// source.
	SoftErr error
	// Multiples are the stages of an explicit soft; nil means the default ones.
	Multiples       []float64
	MultiplesSource string
	// Mode is off while Enabled is false.
	Mode       hosts.Mode
	ModeSource string
	// ModeErr names a mode that the host does not have; Mode is then the host's
	// default.
	ModeErr       error
	Enabled       bool
	EnabledSource string
	// Window is the configured window; unknown where none is. It belongs behind
	// the host's own word: measure.Observation.WithWindow puts it there.
	Window measure.Limit
	// Problems are all errors, SoftErr and ModeErr included, a line each.
	Problems []string

	broken bool // config.json could not be understood
}

// Valid reports whether every explicit value was understood.
func (s Settings) Valid() bool { return !s.broken && s.SoftErr == nil && s.ModeErr == nil }

// Notices reports whether the agent may be given notices: its mode has them and
// no explicit value is invalid.
func (s Settings) Notices() bool {
	return s.Valid() && s.Enabled && (s.Mode == hosts.ModeAdvise || s.Mode == hosts.ModeRollover)
}

// Explain says in one line what holds and which source decided it.
func Explain(s Settings) string {
	var parts []string
	say := func(name, value, source string) {
		text := name + " " + value
		if source == byDefault {
			text += " (default)"
		} else {
			text += " (from " + source + ")"
		}
		parts = append(parts, text)
	}
	if s.SoftErr != nil {
		parts = append(parts, "soft unknown")
	} else {
		say("soft", s.Soft.String(), s.SoftSource)
	}
	if s.Multiples != nil {
		say("stages", multiples(s.Multiples), s.MultiplesSource)
		if s.Soft.IsAuto() {
			parts[len(parts)-1] += " without effect while soft is auto"
		}
	}
	say("mode", string(s.Mode), s.ModeSource)
	if s.Window.Known() {
		say("window", strconv.FormatInt(s.Window.Tokens, 10), s.Window.Source)
	}
	if !s.Valid() {
		parts = append(parts, "no notices until this is corrected: "+strings.Join(s.Problems, "; "))
	}
	return strings.Join(parts, "; ")
}

func multiples(list []float64) string {
	var texts []string
	for _, f := range list {
		texts = append(texts, strconv.FormatFloat(f, 'g', -1, 64))
	}
	return strings.Join(texts, ", ")
}

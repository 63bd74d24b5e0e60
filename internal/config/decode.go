package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

const (
	maxStages   = 3
	maxMultiple = 10.0
	maxWindow   = 1_000_000_000
)

// decoder turns a JSON value into a File. It goes on after a problem, so that
// all of them are named at once.
type decoder struct {
	problems []string
}

// bad notes a problem with the value at a place such as overrides[2].match.host.
func (d *decoder) bad(place, format string, args ...any) {
	d.problems = append(d.problems, place+": "+fmt.Sprintf(format, args...))
}

func (d *decoder) file(v value) *File {
	f := &File{}
	o, ok := v.(object)
	if !ok {
		d.bad("the file", "holds %s, want an object", kind(v))
		return f
	}
	known := append(settingKeys(), "overrides")
	for _, m := range o {
		switch {
		case m.key == "$schema":
			f.Schema = d.text(m.key, m.value)
		case m.key == "overrides":
			f.Overrides = d.overrides(m.value)
		case !d.setting(&f.Settable, "", m):
			d.unknown(m.key, m.key, known)
		}
	}
	return f
}

func (d *decoder) overrides(v value) []Override {
	list, ok := v.([]value)
	if !ok {
		d.bad("overrides", "is %s, want a list of objects", kind(v))
	}
	var all []Override
	for i, v := range list {
		all = append(all, d.override("overrides["+strconv.Itoa(i)+"]", v))
	}
	return all
}

func (d *decoder) override(place string, v value) Override {
	var o Override
	members, ok := v.(object)
	if !ok {
		d.bad(place, "is %s, want an object", kind(v))
		return o
	}
	known := append(settingKeys(), "match")
	matched := false
	for _, m := range members {
		if m.key == "match" {
			matched = true
			o.Match = d.match(place+".match", m.value)
		} else if !d.setting(&o.Settable, place+".", m) {
			d.unknown(place+"."+m.key, m.key, known)
		}
	}
	if !matched {
		d.bad(place, `has no "match"; what is meant for every agent belongs at the top level`)
	} else if len(members) == 1 {
		d.bad(place, "sets nothing")
	}
	return o
}

// match decodes whom an override is for. One with a problem matches nobody,
// rather than more agents than were meant.
func (d *decoder) match(place string, v value) (m Match) {
	before := len(d.problems)
	defer func() {
		if len(d.problems) > before {
			m = Match{}
		}
	}()
	o, ok := v.(object)
	if !ok {
		d.bad(place, "is %s, want an object", kind(v))
		return m
	}
	if len(o) == 0 {
		d.bad(place, "is empty; what is meant for every agent belongs at the top level")
	}
	for _, e := range o {
		at := place + "." + e.key
		switch e.key {
		case "host":
			m.Host = d.oneOf(at, e.value, hosts.Names())
		case "role":
			m.Role = actor.Role(d.oneOf(at, e.value, []string{string(actor.RoleMain), string(actor.RoleSubagent)}))
		case "model":
			m.Model = d.text(at, e.value)
		case "agent":
			m.Agent = d.text(at, e.value)
		case "project":
			m.Project = d.text(at, e.value)
			if m.Project != "" && !filepath.IsAbs(m.Project) {
				d.bad(at, "%q is not an absolute path", m.Project)
			}
		default:
			d.unknown(at, e.key, []string{"host", "role", "model", "agent", "project"})
		}
	}
	return m
}

func settingKeys() []string { return []string{"enabled", "soft", "stages", "mode", "window"} }

// setting decodes one of the settings; false is a key that is none.
func (d *decoder) setting(s *Settable, before string, m member) bool {
	place := before + m.key
	switch m.key {
	case "enabled":
		if b, ok := m.value.(bool); ok {
			s.Enabled = &b
		} else {
			d.bad(place, "is %s, want true or false", kind(m.value))
		}
	case "soft":
		s.Soft = d.soft(place, m.value)
	case "stages":
		s.Stages = d.stages(place, m.value)
	case "mode":
		s.Mode = d.modes(place, m.value)
	case "window":
		s.Window = d.window(place, m.value)
	default:
		return false
	}
	return true
}

func (d *decoder) soft(place string, v value) *measure.Soft {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	default:
		d.bad(place, `is %s, want "auto", a number of tokens or a percentage such as "60%%"`, kind(v))
		return nil
	}
	s, err := measure.ParseSoft(text)
	if err != nil {
		d.bad(place, "%v", err)
		return nil
	}
	return &s
}

func (d *decoder) stages(place string, v value) []float64 {
	list, ok := v.([]value)
	if !ok {
		d.bad(place, "is %s, want a list of one to three ascending numbers", kind(v))
		return nil
	}
	if len(list) < 1 || len(list) > maxStages {
		d.bad(place, "has %d entries, want one to three", len(list))
		return nil
	}
	var stages []float64
	last := 0.0
	for i, v := range list {
		at := place + "[" + strconv.Itoa(i) + "]"
		n, ok := v.(json.Number)
		if !ok {
			d.bad(at, "is %s, want a number", kind(v))
			return nil
		}
		f, err := n.Float64()
		if err != nil || f < 0.01 || f > maxMultiple {
			d.bad(at, "%s is not a multiple between 0.01 and %g", n, maxMultiple)
			return nil
		}
		if f <= last {
			d.bad(at, "%s is not above the stage before it", n)
			return nil
		}
		stages, last = append(stages, f), f
	}
	return stages
}

func (d *decoder) modes(place string, v value) *Modes {
	o, ok := v.(object)
	if !ok {
		d.bad(place, `is %s, want an object with "main" or "subagent"`, kind(v))
		return nil
	}
	if len(o) == 0 {
		d.bad(place, "is empty")
	}
	m := &Modes{}
	plain := []string{string(hosts.ModeOff), string(hosts.ModeManual), string(hosts.ModeAdvise)}
	for _, e := range o {
		at := place + "." + e.key
		switch e.key {
		case "main":
			m.Main = hosts.Mode(d.oneOf(at, e.value, slices.Concat(plain, []string{string(hosts.ModeRollover)})))
		case "subagent":
			m.Subagent = hosts.Mode(d.oneOf(at, e.value, plain))
		default:
			d.unknown(at, e.key, []string{"main", "subagent"})
		}
	}
	return m
}

func (d *decoder) window(place string, v value) *int64 {
	n, ok := v.(json.Number)
	if !ok {
		d.bad(place, "is %s, want a number of tokens", kind(v))
		return nil
	}
	w, err := n.Int64()
	if err != nil || w < 1 || w > maxWindow {
		d.bad(place, "%s is not a whole number of tokens between 1 and %d", n, maxWindow)
		return nil
	}
	return &w
}

// text is a string that is not empty.
func (d *decoder) text(place string, v value) string {
	s, ok := v.(string)
	if !ok {
		d.bad(place, "is %s, want a string", kind(v))
	} else if s == "" {
		d.bad(place, "is empty; leave the key out instead")
	}
	return s
}

// oneOf is one of the words.
func (d *decoder) oneOf(place string, v value, words []string) string {
	s, ok := v.(string)
	if !ok {
		d.bad(place, "is %s, want one of %s", kind(v), strings.Join(words, ", "))
		return ""
	}
	if !slices.Contains(words, s) {
		d.bad(place, "%q is not one of %s", s, strings.Join(words, ", "))
		return ""
	}
	return s
}

// unknown notes a key that does not exist, with the one that was probably meant.
func (d *decoder) unknown(place, key string, known []string) {
	if first, rest, ok := strings.Cut(key, "."); ok && first == "mode" && slices.Contains(known, "mode") {
		d.bad(place, `unknown key; write "mode": {%q: …}`, rest)
		return
	}
	if near := nearest(key, known); near != "" {
		d.bad(place, "unknown key; did you mean %q?", near)
		return
	}
	d.bad(place, "unknown key; known are %s", strings.Join(known, ", "))
}

package main

import (
	"strings"

	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

// decided is one setting: its value and what decided it.
type decided struct {
	// Setting as it was written: auto, a number, a share.
	Setting string `json:"setting,omitempty"`
	Source  string `json:"source"`
	// Tokens of stage 1; left out where unknown, Reason then says why.
	Tokens int64  `json:"tokens,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Note says how the setting was changed to fit, for example a cap.
	Note string `json:"note,omitempty"`
	// Error says which setting is not understood: notices are off.
	Error string `json:"error,omitempty"`
	// Explained is the line for people: every setting and what decided it.
	Explained string `json:"explained"`
}

// softFrom fills in soft as the variable and the plugin's own option have it.
// The option is in a variable inside the host, and else in the host's settings.
func (p process) softFrom(row hosts.Host, q *config.Query) {
	q.EnvSoft, q.EnvSoftSet = p.lookup(config.SoftVariable)
	if row.OptionSoft == "" {
		return
	}
	if q.PluginSoft, q.PluginSoftSet = p.lookup(row.OptionSoft); !q.PluginSoftSet {
		q.PluginSoft, q.PluginSoftSet = p.hostSettings(row).soft()
	}
}

// explain resolves the settings as a hook would for this agent.
func (p process) explain(row hosts.Host, role actor.Role, agentType string, o measure.Observation) (measure.Observation, decided) {
	q := config.Query{HostRow: row, Role: role, Model: o.Reading.Model, AgentType: agentType}
	if dir, err := p.dir(); err == nil {
		q.Project = dir
	}
	p.softFrom(row, &q)
	s := p.settings(q)
	o = o.WithWindow(s.Window)
	d := decided{Source: s.SoftSource, Explained: config.Explain(s)}
	if !s.Valid() {
		d.Error = strings.Join(s.Problems, "; ")
	}
	if s.SoftErr != nil {
		return o, d
	}
	d.Setting = s.Soft.String()
	t := measure.Policy{Soft: s.Soft, Multiples: s.Multiples, IntegerCap: row.SoftCap, Role: role}.Resolve(o.Limits)
	d.Note = t.Note
	if t.Known {
		d.Tokens = t.Soft()
	} else {
		d.Reason = t.Reason
	}
	return o, d
}

// settings reads config.json, if there is one, and resolves the query.
func (p process) settings(q config.Query) config.Settings {
	path, err := config.Locate(datadir.FromEnviron(p.lookup), p.goos)
	if err != nil {
		return config.Broken(q, err)
	}
	file, err := config.Load(path)
	if err != nil {
		return config.Broken(q, err)
	}
	return config.Resolve(file, q)
}

// sentence are the two lines for people: soft in tokens, and what decided it.
func (d decided) sentence() string {
	s := "Soft: unknown"
	switch {
	case d.Tokens > 0:
		s = "Soft: " + term.Number(d.Tokens) + " tokens"
		if d.Note != "" {
			s += " (" + term.Line(d.Note) + ")"
		}
	case d.Reason != "":
		s += ": " + term.Line(d.Reason)
	}
	return s + ".\nDecided by: " + term.Line(d.Explained) + "."
}

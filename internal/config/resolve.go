package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

// Query is the agent that settings are wanted for, and what the environment says.
type Query struct {
	// HostRow is the host's row: its name, its default modes and which ones it can.
	HostRow hosts.Host
	Role    actor.Role
	// Model is the id in the agent's own record; empty before its first request.
	Model string
	// AgentType is the subagent's type; empty where it has none.
	AgentType string
	// Project is a path in the agent's project. It is looked at only if an
	// override asks for a project.
	Project string

	// EnvSoft is AUTO_CONTEXT_HANDOVER_SOFT and PluginSoft the host's plugin
	// option. EnvSoftSet and PluginSoftSet: it exists, be it empty.
	EnvSoft       string
	EnvSoftSet    bool
	PluginSoft    string
	PluginSoftSet bool
}

// Resolve decides every setting for one agent; f is nil where there is no
// config.json.
func Resolve(f *File, q Query) Settings {
	if f == nil {
		f = &File{}
	}
	p := pick(f, q)
	s := Settings{
		Enabled: true, EnabledSource: byDefault,
		ModeSource: byDefault, MultiplesSource: byDefault,
	}
	if v := p.enabled; v.of != nil {
		s.Enabled, s.EnabledSource = *v.of.Enabled, v.source
	}
	if v := p.stages; v.of != nil {
		s.Multiples, s.MultiplesSource = v.of.Stages, v.source
	}
	if v := p.window; v.of != nil {
		s.Window = measure.Limit{Tokens: *v.of.Window, Source: v.source}
	}
	s.soft(p.soft, q)
	s.mode(p.mode, q)
	return s
}

// Broken are the settings where config.json cannot be found or understood: the
// modes are the host's own, Problems holds the error, and there are no notices.
// What such a file does switch off stays off.
func Broken(q Query, err error) Settings {
	var f *File
	var invalid *InvalidError
	if errors.As(err, &invalid) {
		f = invalid.understood
	}
	s := Resolve(f, q)
	s.broken = true
	s.Problems = append([]string{err.Error()}, s.Problems...)
	return s
}

// byDefault is the source of what nobody set.
const byDefault = "default"

// found is a value of the file: the settings it stands in and where they are.
type found struct {
	of     *Settable
	source string
	rank   rank
}

// picked holds, for each setting, the most specific place that has it.
type picked struct {
	enabled, soft, stages, mode, window found
}

func pick(f *File, q Query) picked {
	p := picked{}
	p.offer(&f.Settable, q, "config.json", rank{})
	where := places{project: q.Project}
	for i := range f.Overrides {
		o := &f.Overrides[i]
		if r, ok := o.Match.rank(q, &where); ok {
			r.index = i
			p.offer(&o.Settable, q, "config.json overrides["+strconv.Itoa(i)+"]: "+o.Match.String(), r)
		}
	}
	return p
}

// offer takes over the settings that this place has and no more specific one.
func (p *picked) offer(s *Settable, q Query, source string, r rank) {
	for _, one := range []struct {
		has  bool
		into *found
	}{
		{s.Enabled != nil, &p.enabled},
		{s.Soft != nil, &p.soft},
		{s.Stages != nil, &p.stages},
		{s.Mode.of(q.Role) != "", &p.mode},
		{s.Window != nil, &p.window},
	} {
		if one.has && (one.into.of == nil || r.above(one.into.rank)) {
			*one.into = found{of: s, source: source, rank: r}
		}
	}
}

// of is the mode set for the role, "" where none is.
func (m *Modes) of(role actor.Role) hosts.Mode {
	switch {
	case m == nil:
		return ""
	case role == actor.RoleMain:
		return m.Main
	}
	return m.Subagent
}

// soft decides soft. An explicit value that is not understood is an error and
// nothing takes its place.
func (s *Settings) soft(file found, q Query) {
	switch {
	case q.EnvSoftSet:
		s.explicitSoft(SoftVariable, q.EnvSoft)
	case q.PluginSoftSet && q.PluginSoft != "":
		// A host tells an option that a person has emptied as an empty one.
		s.explicitSoft("plugin option soft", q.PluginSoft)
	case file.of != nil:
		s.Soft, s.SoftSource = *file.of.Soft, file.source
	default:
		s.SoftSource = byDefault
	}
}

func (s *Settings) explicitSoft(source, value string) {
	s.SoftSource = source
	soft, err := measure.ParseSoft(value)
	if err != nil {
		s.SoftErr = fmt.Errorf("%s: %w", source, err)
		s.Problems = append(s.Problems, s.SoftErr.Error())
		return
	}
	s.Soft = soft
}

// mode decides the mode for the agent's role. A mode that the host cannot is an
// error; the host's own default then stands in, without notices.
func (s *Settings) mode(file found, q Query) {
	can := []string{string(hosts.ModeOff), string(hosts.ModeManual), string(hosts.ModeAdvise)}
	s.Mode = q.HostRow.ModeSubagent
	if q.Role == actor.RoleMain {
		s.Mode = q.HostRow.ModeMain
		if q.HostRow.CanRollover {
			can = append(can, string(hosts.ModeRollover))
		}
	}
	if file.of != nil {
		s.ModeSource = file.source
		mode := file.of.Mode.of(q.Role)
		if mode == hosts.ModeRollover && !q.HostRow.CanRollover {
			s.ModeErr = fmt.Errorf("%s: mode.%s: %q does not exist on %s, which can %s",
				file.source, q.Role, mode, q.HostRow.Title, strings.Join(can, ", "))
			s.Problems = append(s.Problems, s.ModeErr.Error())
		} else {
			s.Mode = mode
		}
	}
	if !s.Enabled {
		s.Mode, s.ModeSource = hosts.ModeOff, s.EnabledSource+" (enabled: false)"
	}
}

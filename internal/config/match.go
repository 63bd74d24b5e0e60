package config

import (
	"strings"

	"github.com/auto-context-handover/handover/measure"
)

// rank says how specific a matching override is; see the package comment.
type rank struct {
	keys, project, index int
}

// above reports whether r is more specific than other.
func (r rank) above(other rank) bool {
	if r.keys != other.keys {
		return r.keys > other.keys
	}
	if r.project != other.project {
		return r.project > other.project
	}
	return r.index > other.index
}

// rank reports whether the override matches, and how specific it is. A value
// that is not known (an agent's model before its first request) matches no key
// about it.
func (m Match) rank(q Query, where *places) (r rank, ok bool) {
	for _, k := range []struct {
		given bool
		ok    func() bool
	}{
		{m.Host != "", func() bool { return m.Host == q.HostRow.Name }},
		{m.Role != "", func() bool { return m.Role == q.Role }},
		{m.Model != "", func() bool { return m.matchesModel(q.Model) }},
		{m.Agent != "", func() bool { return m.Agent == q.AgentType }},
		{m.Project != "", func() bool { r.project, ok = where.within(m.Project); return ok }},
	} {
		if !k.given {
			continue
		}
		if !k.ok() {
			return rank{}, false
		}
		r.keys++
	}
	return r, r.keys > 0
}

func (m Match) matchesModel(id string) bool {
	return id != "" && (m.Model == id || m.Model == measure.ModelName(id))
}

// String is the match as explanations show it.
func (m Match) String() string {
	var parts []string
	for _, k := range []struct{ name, value string }{
		{"host", m.Host}, {"role", string(m.Role)}, {"model", m.Model}, {"agent", m.Agent}, {"project", m.Project},
	} {
		if k.value != "" {
			parts = append(parts, k.name+"="+k.value)
		}
	}
	return strings.Join(parts, " ")
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/hosts"
)

// pluginName is how Claude Code names the plugin, with its marketplace.
const pluginName = "handover@auto-context-handover"

// maxHostSettings bounds what is read of a host's settings, in bytes.
const maxHostSettings = 8 << 20

// hostSettings is a user's settings file at a host. Its zero value, a missing
// file and one that is not understood say nothing.
type hostSettings struct {
	// path is "" where it is not known where the file would be.
	path string
	// exists: the file is there; understood: it is an object.
	exists, understood bool
	keys               map[string]json.RawMessage
}

// hostSettings reads the settings that the user has at this host.
func (p process) hostSettings(row hosts.Host) hostSettings {
	var s hostSettings
	if row.Name != "claude" {
		return s
	}
	home, _ := p.lookup("CLAUDE_CONFIG_DIR")
	if home == "" {
		if own := datadir.FromEnviron(p.lookup).Home; filepath.IsAbs(own) {
			home = filepath.Join(own, ".claude")
		}
	}
	if !filepath.IsAbs(home) {
		return s
	}
	s.path = filepath.Join(home, "settings.json")
	info, err := os.Stat(s.path)
	s.exists = err == nil
	if err != nil || !info.Mode().IsRegular() {
		return s
	}
	f, err := os.Open(s.path)
	if err != nil {
		return s
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxHostSettings))
	if err == nil && json.Unmarshal(data, &s.keys) == nil {
		s.understood = s.keys != nil
	}
	return s
}

// at is the value under these keys, nil where there is none.
func (s hostSettings) at(key string, more ...string) json.RawMessage {
	value := s.keys[key]
	for _, key := range more {
		var inner map[string]json.RawMessage
		if json.Unmarshal(value, &inner) != nil {
			return nil
		}
		value = inner[key]
	}
	return value
}

// soft is the plugin's own option soft, a string or a number.
func (s hostSettings) soft() (soft string, set bool) {
	value := s.at("pluginConfigs", pluginName, "options", "soft")
	var number json.Number
	switch {
	case len(value) == 0 || string(value) == "null":
		return "", false
	case value[0] == '"':
		err := json.Unmarshal(value, &soft)
		return soft, err == nil
	}
	err := json.Unmarshal(value, &number)
	return number.String(), err == nil
}

// checkPlugins tells for each host whether the plugin is switched on there.
func (p process) checkPlugins() []checked {
	var found []checked
	for _, row := range hosts.All() {
		if s := p.hostSettings(row); s.path != "" {
			found = append(found, s.plugin(row.Title))
		}
	}
	return found
}

// plugin says whether the plugin is enabled. A plugin that is not installed may
// be meant so, and may be installed for a project only.
func (s hostSettings) plugin(host string) checked {
	if s.exists && !s.understood {
		return fine("plugin", "%s: unknown, %s cannot be read or is not understood", host, s.path)
	}
	switch string(s.at("enabledPlugins", pluginName)) {
	case "true":
		return fine("plugin", "%s: enabled (%s)", host, s.path)
	case "false":
		return bad("plugin", fmt.Sprintf("%s: disabled in %s", host, s.path), "claude plugin enable "+pluginName+", then restart "+host+".")
	}
	hint := fine("plugin", "%s: not installed for this HOME (%s)", host, s.path)
	hint.Next = "After make plugins: claude plugin marketplace add ./dist/claude && claude plugin install " + pluginName
	return hint
}

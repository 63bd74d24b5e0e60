package demo

import (
	"os"
	"path/filepath"
	"strings"
)

// hostEnvironment is what the host passes to hooks and server: its own
// environment, its variables for plugins, and a home of its own.
func hostEnvironment(environ []string, h *host) []string {
	var env []string
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if !concernsUs(name) {
			env = append(env, v)
		}
	}
	return append(env,
		"HOME="+h.home,
		"LOCALAPPDATA="+filepath.Join(h.home, "AppData", "Local"),
		"CLAUDE_PROJECT_DIR="+h.project,
		"CLAUDE_PLUGIN_ROOT="+h.plugin.root,
		"CLAUDE_PLUGIN_DATA="+filepath.Join(h.home, ".claude", "plugins", "data", "handover-auto-context-handover"),
		"CLAUDE_CODE_SESSION_ID="+h.session,
		"CLAUDE_PLUGIN_OPTION_SOFT="+softOption(),
		"CLAUDECODE=1",
	)
}

// concernsUs reports whether a variable would change where the demo's own store
// is or what its hooks do: the demo must not touch a real one.
func concernsUs(name string) bool {
	switch name {
	case "HOME", "LOCALAPPDATA", "APPDATA", "USERPROFILE":
		return true
	}
	for _, prefix := range []string{"AUTO_CONTEXT_HANDOVER_", "XDG_", "CLAUDE", "GIT_", "ANTHROPIC_", "DISABLE_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// modeOf is a file's permission for people, "" if it is not there.
func modeOf(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	return info.Mode().Perm().String()
}

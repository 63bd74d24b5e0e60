package datadir

import (
	"fmt"
	"path/filepath"
	"strings"
)

// dataHome is the base directory of user data and the variable it rests on.
func (e Env) dataHome(goos string) (dir, source string, err error) {
	if dir, ok, err := e.named(goos, e.XDGDataHome); ok || err != nil {
		return dir, "XDG_DATA_HOME", err
	}
	switch goos {
	case "windows":
		dir, err = e.localAppData()
		return dir, "LOCALAPPDATA", err
	case "darwin":
		dir, err = e.under(goos, "Library", "Application Support")
	default:
		dir, err = e.under(goos, ".local", "share")
	}
	return dir, "HOME", err
}

// configHome is the base directory of user configuration.
func (e Env) configHome(goos string) (string, error) {
	if dir, ok, err := e.named(goos, e.XDGConfigHome); ok || err != nil {
		return dir, err
	}
	switch goos {
	case "windows":
		return e.localAppData()
	case "darwin":
		return e.under(goos, "Library", "Application Support")
	}
	return e.under(goos, ".config")
}

// named is an XDG variable's directory. A relative value counts as unset, as
// the XDG specification demands. A leading reference to the home directory
// stands for it, as in adrg/xdg.
func (e Env) named(goos, value string) (dir string, ok bool, err error) {
	marks := []string{"~", "$HOME"}
	if goos == "windows" {
		marks = []string{"%USERPROFILE%"}
	}
	for _, m := range marks {
		if rest, found := strings.CutPrefix(value, m); found {
			home, err := e.home(goos)
			return join(goos, home, rest), err == nil, err
		}
	}
	return value, isAbs(goos, value), nil
}

// under is a directory below the home directory.
func (e Env) under(goos string, parts ...string) (string, error) {
	home, err := e.home(goos)
	if err != nil {
		return "", err
	}
	return join(goos, append([]string{home}, parts...)...), nil
}

// home is the user's home directory, an error where it is not known for sure.
func (e Env) home(goos string) (string, error) {
	name, home := "HOME", e.Home
	if goos == "windows" {
		name, home = "USERPROFILE", e.UserProfile
	}
	switch {
	case home == "":
		return "", fmt.Errorf("%s is not set", name)
	case !isAbs(goos, home):
		return "", fmt.Errorf("%s is %q, which is not an absolute path", name, home)
	}
	return home, nil
}

// localAppData is the home of both on Windows.
func (e Env) localAppData() (string, error) {
	if isAbs("windows", e.LocalAppData) {
		return e.LocalAppData, nil
	}
	if e.LocalAppData != "" {
		return "", fmt.Errorf("LOCALAPPDATA is %q, which is not an absolute path", e.LocalAppData)
	}
	return e.under("windows", "AppData", "Local")
}

// isAbs reports whether a path is absolute on that system, whichever one this
// is.
func isAbs(goos, path string) bool {
	if goos != "windows" {
		return strings.HasPrefix(path, "/")
	}
	if len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') {
		return true
	}
	return strings.HasPrefix(path, `\\`)
}

// join puts a path together as that system writes it.
func join(goos string, parts ...string) string {
	if goos != "windows" {
		return filepath.Join(parts...)
	}
	path := strings.TrimRight(parts[0], `\/`)
	for _, p := range parts[1:] {
		if p = strings.Trim(p, `\/`); p != "" {
			path += `\` + p
		}
	}
	return filepath.Clean(path)
}

// Package datadir says where the store and config.json are, from the
// environment alone: it looks at no disk and creates nothing.
//
// Hooks and the MCP server must find the same store, and hooks are small, so the
// rules of adrg/xdg are repeated here in a few lines; the tests compare the two
// over a matrix of environments. Where xdg would fall back to the root directory
// (HOME unset) or to nothing (HOME relative) there is an error instead.
package datadir

import (
	"fmt"
	"path/filepath"
)

// The variables that are ours.
const (
	// DataVariable names the directory of the store.
	DataVariable = "AUTO_CONTEXT_HANDOVER_DATA"
	// ConfigVariable names config.json itself.
	ConfigVariable = "AUTO_CONTEXT_HANDOVER_CONFIG"
	// LogVariable names a file that diagnostics are appended to.
	LogVariable = "AUTO_CONTEXT_HANDOVER_LOG"
)

// The names under the home of data and of configuration.
const (
	folder     = "handover"
	configFile = "config.json"
)

// Env holds the variables that decide, read once. On macOS and Windows the
// homes of data and configuration are one directory; the store ignores a
// config.json in it.
type Env struct {
	// Data and ConfigFile are our own variables. DataSet and ConfigFileSet: the
	// variable exists, be it empty.
	Data, ConfigFile       string
	DataSet, ConfigFileSet bool
	// XDGDataHome and XDGConfigHome count on every system, if absolute.
	XDGDataHome, XDGConfigHome string
	// Home is HOME.
	Home string
	// UserProfile and LocalAppData count on Windows only.
	UserProfile, LocalAppData string
}

// FromEnviron reads the variables; get is os.LookupEnv or stands for it.
func FromEnviron(get func(string) (string, bool)) Env {
	value := func(name string) string {
		v, _ := get(name)
		return v
	}
	e := Env{
		XDGDataHome:   value("XDG_DATA_HOME"),
		XDGConfigHome: value("XDG_CONFIG_HOME"),
		Home:          value("HOME"),
		UserProfile:   value("USERPROFILE"),
		LocalAppData:  value("LOCALAPPDATA"),
	}
	e.Data, e.DataSet = get(DataVariable)
	e.ConfigFile, e.ConfigFileSet = get(ConfigVariable)
	return e
}

// Data is the directory of the store and what decided it: the flag --data, else
// AUTO_CONTEXT_HANDOVER_DATA, else the home of data. An empty flag is no flag.
// The error names the variable to set.
func Data(flag string, env Env, goos string) (dir, source string, err error) {
	if dir, source, ok, err := Named(flag, env, goos); ok || err != nil {
		return dir, source, err
	}
	return Default(env, goos)
}

// Named is the directory of the store where the flag or our variable names it;
// ok is false where neither does.
func Named(flag string, env Env, goos string) (dir, source string, ok bool, err error) {
	if flag != "" {
		dir, err = absolute("--data", flag, goos)
		return dir, "--data", err == nil, err
	}
	if env.DataSet {
		dir, err = absolute(DataVariable, env.Data, goos)
		return dir, DataVariable, err == nil, err
	}
	return "", "", false, nil
}

// Default is the directory of the store where nothing names one, for refusals
// that show both.
func Default(env Env, goos string) (dir, source string, err error) {
	home, source, err := env.dataHome(goos)
	if err != nil {
		return "", "", fmt.Errorf("no place for the store: %w; set %s to an absolute path", err, DataVariable)
	}
	return join(goos, home, folder), source, nil
}

// Config is the path of config.json: AUTO_CONTEXT_HANDOVER_CONFIG, else in the
// home of configuration. The error names the variable to set.
func Config(env Env, goos string) (file string, err error) {
	if file, ok, err := NamedConfig(env, goos); ok || err != nil {
		return file, err
	}
	home, err := env.configHome(goos)
	if err != nil {
		return "", fmt.Errorf("no place for %s: %w; set %s to an absolute path", configFile, err, ConfigVariable)
	}
	return join(goos, home, folder, configFile), nil
}

// NamedConfig is the path of config.json where our variable names it; ok is
// false where it does not.
func NamedConfig(env Env, goos string) (file string, ok bool, err error) {
	if !env.ConfigFileSet {
		return "", false, nil
	}
	file, err = absolute(ConfigVariable, env.ConfigFile, goos)
	return file, err == nil, err
}

// absolute refuses a path that would mean another place in every process.
func absolute(source, path, goos string) (string, error) {
	if path == "" {
		return "", fmt.Errorf("%s is set but empty: unset it or give an absolute path", source)
	}
	if !isAbs(goos, path) {
		return "", fmt.Errorf("%s is %q, which is not an absolute path", source, path)
	}
	return filepath.Clean(path), nil
}

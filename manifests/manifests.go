// Package manifests holds the files that a host loads: for each host one
// folder, which with its binaries in bin/ is a complete plugin that the host
// installs by path.
package manifests

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed version.txt all:claude
var files embed.FS

// Version is the version of this program and of every plugin it lays.
func Version() string {
	b, err := files.ReadFile("version.txt")
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(b))
}

// Hosts names the hosts with a plugin, in alphabetical order.
func Hosts() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// Plugin returns the files of one host's plugin, without its binaries.
func Plugin(host string) (fs.FS, error) {
	for _, name := range Hosts() {
		if name == host {
			return fs.Sub(files, host)
		}
	}
	return nil, fmt.Errorf("no plugin for host %q (there is one for: %s)", host, strings.Join(Hosts(), ", "))
}

// Binaries names the programs, without suffix, that the host's plugin starts.
// They lie in the plugin's bin folder.
func Binaries(host string) []string {
	return []string{"handover-hook-" + host, "handover-mcp"}
}

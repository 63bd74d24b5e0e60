//go:build !unix

package mcpserver

import "os/exec"

// ownGroup leaves the default: the end of cmd's context ends cmd alone.
func ownGroup(*exec.Cmd) {}

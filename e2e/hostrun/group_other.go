//go:build !linux

package hostrun

import "syscall"

// No host is ever started here: see errLinux.

func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(int) {}

//go:build !linux

package hostrun

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

var errLinux = errors.New("the end-to-end stories need Linux: nothing else keeps a host from the network")

func runIsolated(*exec.Cmd) int {
	fmt.Fprintln(os.Stderr, "hostrun:", errLinux)
	return 1
}

func onlyLoopback() error { return errLinux }

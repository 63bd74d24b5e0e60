package hostrun

import "syscall"

// ownGroup puts a program into a process group of its own that dies with us.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends a process group that this process started.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

//go:build unix

package termtest

import (
	"os"
	"syscall"
)

// killGroup kills the program and what it started: it leads a process group of its own, because it
// leads the session of its terminal. One that is gone already is not an error.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

//go:build !unix

package termtest

import "os"

// killGroup kills the program. One that is gone already is not an error.
func killGroup(p *os.Process) {
	_ = p.Kill()
}

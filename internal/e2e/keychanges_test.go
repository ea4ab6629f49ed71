//go:build unix

package e2e

import (
	"syscall"
	"testing"

	"pgtower/client/mock"
)

// revoke revokes the selected key, whose name need not be typed.
func (p *program) revoke() {
	p.t.Helper()
	p.Press("x")
	p.Wait("[ Cancel ]")
	p.Press("tab", "enter")
	p.WaitGone("[ Cancel ]")
}

// A key whose revocation has no answer is named when the user leaves, however that is.
func TestLeavingDuringARevocation(t *testing.T) {
	t.Parallel()
	const named = "The API key smoke-test (id 165293)"
	for how, leave := range map[string]func(*program){
		"q":       func(p *program) { p.Press("q") },
		"SIGTERM": func(p *program) { p.Signal(syscall.SIGTERM) },
		"SIGHUP":  func(p *program) { p.Signal(syscall.SIGHUP) },
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			b := serve(t, mock.Options{})
			p := b.program()
			p.openAPIKeys()
			p.Press("/")
			p.enter("smoke-test")
			p.Wait("1 of ")
			b.inject("latency=30s of DELETE")
			p.revoke()
			p.Wait("◌ revoking…")
			leave(p)
			p.ended()
			if p.showed(named) == 0 {
				t.Errorf("the open revocation was not named:\n%s", p.Screen())
			}
		})
	}
}

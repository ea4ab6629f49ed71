//go:build unix

package e2e

import (
	"syscall"
	"testing"

	"pgtower/client/mock"
)

// A key whose revocation has no response yet is named when the user quits, in each way.
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
			key := p.keys().Select("smoke-test")
			b.inject("latency=30s of DELETE")
			key.Revoke().Confirm()
			p.Sees("◌ revoking…")
			leave(p)
			p.ended()
			if p.showed(named) == 0 {
				t.Errorf("the open revocation was not named:\n%s", p.Screen())
			}
		})
	}
}

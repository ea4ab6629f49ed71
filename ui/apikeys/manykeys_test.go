package apikeys_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
)

// TestReportOutlivesTheSession ends the session while keys are being revoked.
func TestReportOutlivesTheSession(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		other := p.CreateKey()
		p.Press("3", "/")
		p.Type("never:used")
		p.Press("enter", "A", "x")
		p.Inject("latency=2s of DELETE")
		p.Type("4")
		p.Press("enter", "enter")
		p.Wait(3 * time.Second)
		p.Server.RevokeSecret(p.Server.APIKey())
		p.Wait(10 * time.Second)
		p.Sees("✓ smoke-test", "– cost-report", "Stopped: the API key was refused.", "[ Close ]")
		p.Press("enter")
		p.Sees("Sign in")
		p.Paste(other)
		p.Press("enter")
		p.SeesNot("Sign in")
	})
}

func TestBatchOfOneKeyIsAskedAboutAsOne(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3", "j", "j", "j", "space", "x")
		p.Sees("Revoke ci-deploy?", "Type the key's name to confirm:")
	})
}

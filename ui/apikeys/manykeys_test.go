package apikeys_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
)

// The session ends while keys are being revoked: the report stays on the screen.
func TestBatchReportOutlivesTheSession(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		other := p.CreateKey()
		keys := p.Keys()
		p.Filter("never:used")
		p.Inject("latency=2s of DELETE")
		keys.MarkAll().Revoke().Confirm()
		p.Wait(3 * time.Second)
		p.Server.RevokeSecret(p.Server.APIKey())
		p.Wait(10 * time.Second)
		p.Sees("✓ smoke-test", "– cost-report", "Stopped: the API key was refused.", "[ Close ]")
		p.Press("enter")
		p.SignInWith(other)
		p.SeesNot("Sign in")
	})
}

// If one key is marked, the question is the one about a single key.
func TestBatchOfOneKeyIsAskedAboutAsOne(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Keys().Select("ci-deploy").Mark().Revoke().Reads("Revoke ci-deploy?")
	})
}

//go:build unix

package e2e

import (
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// keyless runs pgtower on the backend without a key and without a keyring.
func (b *backend) keyless(args ...string) *program {
	b.t.Helper()
	return start(b.t, termtest.Options{Args: args, Env: []string{"PGTOWER_BASE_URL=" + b.base}})
}

// Without a keyring, a key that is signed in with is held for the session only, and never shown.
func TestSignInWithoutAKeyring(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.keyless()
	p.Reads("Sign in", b.base, "API key:", "this session has no D-Bus, so the OS keyring cannot be reached.", "Set PGTOWER_API_KEY")
	const wrong = "pgt_wrong_0123456789abcdef"
	p.Send(wrong)
	p.Sees("API key: •••••")
	p.Press("enter")
	p.Reads("✗ That key was refused (401). Try another.")
	p.SignInWith("  " + b.APIKey() + "\n")
	p.Sees("held for this session only")
	p.Sees("all projects (12)")
	p.ChooseProject("payments")
	p.Sees("● live")
	p.keyFrom("key in memory")
	p.quit()
	p.neverShowed(wrong)
	p.neverShowed(b.APIKey())
}

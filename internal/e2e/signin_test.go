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
	return start(b.t, termtest.Options{Args: args, Env: []string{"PGTOWER_BASE_URL=" + b.api.base}})
}

// signIn pastes a key into the sign-in form, which does not show it.
func (p *program) signIn(key string) {
	p.t.Helper()
	p.Wait("Sign in", "API key:")
	p.Paste(key)
	p.Wait("API key: •••••")
	p.Press("enter")
}

func TestSignInWithoutAKeyring(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.keyless()
	p.waitSaid("Sign in", b.api.base, "API key:", "this session has no D-Bus, so the OS keyring cannot be reached.", "Set PGTOWER_API_KEY")
	const wrong = "pgt_wrong_0123456789abcdef"
	p.Send(wrong)
	p.Wait("API key: •••••")
	p.Press("enter")
	p.waitSaid("✗ That key was refused (401). Try another.")
	p.signIn("  " + b.APIKey() + "\n")
	p.Wait("held for this session only")
	p.choose("payments")
	p.Wait("● live, every 5s")
	p.keyFrom("key in memory")
	p.quit()
	p.neverShowed(wrong)
	p.neverShowed(b.APIKey())
}

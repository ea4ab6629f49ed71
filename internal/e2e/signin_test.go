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
	// Without a key, Enter looks for one again.
	p.Press("enter")
	p.waitSaid("Sign in", "the OS keyring cannot be reached.")
	const wrong = "pgt_wrong_0123456789abcdef"
	p.Send(wrong)
	p.Wait("API key: •••••")
	p.Press("enter")
	p.waitSaid("✗ That key was refused (401). Try another.")
	p.signIn("  " + b.APIKey() + "\n")
	p.choose("payments")
	p.Wait("held for this session only", "● live, every 5s")
	p.keyFrom("key in memory")
	p.quit()
	p.neverShowed(wrong)
	p.neverShowed(b.APIKey())
}

// After a refused key, the rows stay under a dialog, and a good key continues at the same row.
func TestKeyIsRevokedMeanwhile(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	other := b.api.createKey("other")
	p := b.program("--project", b.project("payments"), "--interval", "1s")
	p.Wait("● live, every 1s", "finished")
	p.Press("j", "j", "j", "j", "j")
	p.waitRow("6", func(row, _ int) bool { return row == 6 })
	if !b.RevokeSecret(b.APIKey()) {
		t.Fatal("no key to revoke")
	}
	p.Wait("signed out · as of", "finished", " payments ", "The service refused the API key (401).")
	p.signIn(b.APIKey())
	p.waitSaid("That key was refused (401). Try another.")
	p.signIn(other)
	p.Wait("● live, every 1s", " payments ")
	p.waitRow("the same as before or lower", func(row, _ int) bool { return row >= 6 })
	p.quit()
	p.neverShowed(b.APIKey())
	p.neverShowed(other)
}

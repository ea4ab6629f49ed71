//go:build unix

package e2e

import (
	"os"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// secretService skips the test unless the session's keyring is in the given state. .ci/keyring makes such sessions.
func secretService(t *testing.T, state string) {
	t.Helper()
	if os.Getenv("PGTOWER_TEST_SECRET_SERVICE") != state {
		t.Skip("not in such a session; .ci/keyring makes one")
	}
}

// inSession runs pgtower on the backend with the session's keyring, and no other key.
func (b *backend) inSession() *program {
	b.t.Helper()
	return start(b.t, termtest.Options{
		Args: []string{"--project", b.project("payments")},
		Env: []string{
			sessionBus(),
			"PGTOWER_BASE_URL=" + b.base,
		},
	})
}

// Only an accepted key is saved in the keyring; the next start uses it, also after it was replaced.
func TestKeyIsKeptInTheKeyring(t *testing.T) {
	t.Parallel()
	secretService(t, "1")
	b := serve(t, mock.Options{})
	p := b.inSession()
	p.Sees("API key:")
	if s := p.Screen(); s.Contains("keyring is") || s.Contains("D-Bus") {
		t.Errorf("the keyring is there, but:\n%s", s)
	}
	p.SignInWith("pgt_refused")
	p.Reads("That key was refused (401). Try another.")
	p.Press("ctrl+c")
	p.ended()

	p = b.inSession()
	// A refused key is not saved.
	p.SignInWith(b.APIKey())
	p.Sees("● live", " payments ")
	p.keyFrom("key from the OS keyring")
	p.quit()
	p.neverShowed(b.APIKey())

	p = b.inSession()
	p.Sees("● live", " payments ")
	p.keyFrom("key from the OS keyring")
	if p.showed("Sign in") > 0 {
		t.Error("the key was asked for again")
	}

	// The key is revoked and replaced: the next start uses the new one.
	created, err := b.CreateKey("", "", "other")
	if err != nil {
		t.Fatal(err)
	}
	other := created.Secret
	b.RevokeSecret(b.APIKey())
	p.Sees("The service refused the API key")
	p.SignInWith(other)
	p.Sees("● live")
	p.keyFrom("key from the OS keyring")
	p.quit()
	p.neverShowed(other)
	p = b.inSession()
	p.Sees("● live")
	p.keyFrom("key from the OS keyring")
	p.quit()
	p.neverShowed(other)
}

// Without a usable keyring, the commands that need it say what to do, and the dashboard holds a key for the session only.
func TestKeyringThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for state, says := range map[string]string{
		"fresh": "the OS keyring has no collection to keep keys in",
		"none":  "no OS keyring is running in this session",
	} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			secretService(t, state)
			loginFails(t, says, "and try again.")
			b := serve(t, mock.Options{})
			p := b.inSession()
			p.Reads("Sign in", says, "PGTOWER_API_KEY")
			p.Enter(b.APIKey())
			p.Sees("held for this session only")
			p.Sees("● live")
			p.keyFrom("key in memory")
			p.quit()
			p.neverShowed(b.APIKey())
		})
	}
}

// A rotation saves the new key in the keyring with its id, so that the next rotation can revoke the old key.
func TestRotateKeepsTheNewKey(t *testing.T) {
	t.Parallel()
	secretService(t, "1")
	b := serve(t, mock.Options{})
	p := b.inSession()
	p.SignInWith(b.APIKey())
	p.Sees("● live")
	p.keyFrom("key from the OS keyring")

	// pgtower only knows which key it uses if it created that key.
	p.keys()
	form := p.RotateOwn()
	form.Reads("pgtower can't tell which key this session uses")
	form.Submit()
	p.Reads("The key was rotated", "works and is now in use: key from the OS keyring.", "The old key still works.")
	id, second := b.createdKey()
	old := b.keyName(id)
	p.Press("enter")
	p.Sees("this session's key")
	b.RevokeSecret(b.APIKey())
	p.Press("r")
	p.SeesNot("pgtower-demo")
	p.quit()

	// The keyring returned the id, so the old key can be revoked in the same rotation.
	p = b.inSession()
	p.Sees("● live")
	p.keyFrom("key from the OS keyring")
	p.keys()
	p.Sees("this session's key")
	form = p.RotateOwn()
	form.Reads(old + " keeps working.")
	form.Submit()
	asked := p.Question("Revoke").WantsTheName()
	third := b.createdSecret()
	if !b.accepts(second) || !b.accepts(third) {
		t.Fatal("one of the keys does not work before the old one is revoked")
	}
	asked.Confirm()
	p.Sees("✓ revoked " + old)
	if b.accepts(second) {
		t.Error("the old key still works")
	}
	p.quit()
	p = b.inSession()
	p.Sees("● live")
	p.keyFrom("key from the OS keyring")
	p.quit()
	for _, secret := range []string{b.APIKey(), second, third} {
		p.neverShowed(secret)
	}
}

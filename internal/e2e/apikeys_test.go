//go:build unix

package e2e

import (
	"encoding/base64"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// openAPIKeys opens the API keys page.
func (p *program) openAPIKeys() {
	p.t.Helper()
	p.Wait("1 Operations")
	p.Press("3")
	p.Wait(" keys ", "LAST USED")
	p.waitRow("1", func(row, _ int) bool { return row == 1 })
}

// createKey creates a key and stops at the dialog with its secret.
func (p *program) createKey(name string) {
	p.t.Helper()
	p.Press("n")
	p.Wait("New API key", "Name: ")
	p.enter(name)
	p.Wait("New API key", name+" · id ", "••••", "Save the secret now: it cannot be shown again.")
}

// find filters for a key's name, so that it is the only row.
func (p *program) find(name string) {
	p.t.Helper()
	p.Press("/")
	p.Wait("words that rows must have")
	p.enter(name)
	p.Wait("1 of ")
	p.waitSelected(name)
}

func TestCreateAndRevealTheSecret(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.openAPIKeys()
	p.Press("n")
	p.Wait("Name: ")
	p.Press("enter")
	p.Wait("The name must not be empty.")
	p.enter("ci-deploy")
	p.Wait("A key with this name already exists")
	p.leave("Name: ")

	p.createKey("at night")
	secret := b.createdSecret()
	p.neverShowed(secret)
	p.Press("r")
	p.Wait(secret)
	p.Press("r")
	p.WaitGone(secret)
	showed := p.showed(secret)
	p.Press("enter")
	p.WaitGone("Save the secret now")
	p.waitSelected("at night")
	p.Press("enter")
	p.Wait("last_used_from_addr")
	p.leave("last_used_from_addr")
	p.Press("1", "3")
	p.waitSelected("at night")
	if p.Screen().Contains(secret) || p.showed(secret) != showed || strings.Contains(p.Title(), secret) {
		t.Error("the secret was written again after it was hidden")
	}
	p.neverShowed(b.APIKey())
	if !b.api.accepts(secret) {
		t.Error("the service does not accept the secret that was shown")
	}
	p.quit()
	if p.showed(secret) != showed {
		t.Error("the secret was written on leaving")
	}
}

func TestCreateAndLeaveTheSecret(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.openAPIKeys()
	p.createKey("left alone")
	p.Press("esc")
	p.waitSaid("You haven't copied, revealed or saved the secret.")
	// Users who have not read the dialog press Enter.
	p.Press("enter")
	p.Settle(settled)
	p.waitSaid("You haven't copied, revealed or saved the secret.")
	p.Press("q")
	p.WaitGone("copied, revealed")
	p.waitSelected("left alone")
	p.Wait("secret lost")
	p.quit()
	p.neverShowed(b.createdSecret())
}

func TestCreateAndCopyTheSecret(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.openAPIKeys()
	p.createKey("copied")
	p.Press("c")
	p.waitSaid("Copied the secret (OSC 52, unconfirmed)")
	p.Press("esc")
	p.waitSaid("q: leave.")
	p.Press("q")
	p.WaitGone("Save the secret now")
	p.waitSelected("copied")
	p.quit()
	secret := b.createdSecret()
	if p.showed(secret) > 0 {
		t.Error("the secret was shown although it was only copied")
	}
	if n := p.showed("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(secret))); n != 1 {
		t.Errorf("the secret was sent to the terminal's clipboard %d times", n)
	}
}

func TestRevokeIsNoByDefault(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.openAPIKeys()
	p.find("smoke-test")
	for _, no := range []string{"enter", "esc"} {
		p.Press("x")
		p.Wait("Revoke smoke-test?", "name smoke-test", "[ Cancel ]")
		p.Press(no)
		p.WaitGone("Revoke smoke-test?")
	}
	if n := b.count("DELETE"); n > 0 || !b.api.hasKey("smoke-test") {
		t.Fatalf("the key was revoked without a yes (%d requests)", n)
	}
	p.Press("x")
	p.Wait("[ Cancel ]")
	p.Press("tab")
	p.Wait("[ Revoke ]")
	p.Press("enter")
	p.Wait("✓ revoked smoke-test", "⊘ revoked")
	if n := b.count("DELETE"); n != 1 || b.api.hasKey("smoke-test") {
		t.Errorf("after %d requests the service still lists the key: %v", n, b.api.hasKey("smoke-test"))
	}
	p.Press("x")
	p.Wait("revoke: unavailable, already revoked")
	p.Press("r")
	p.Wait("0 of 19", "Nothing matches the filter.")
	p.quit()
}

func TestRevokeOfAKeyInUseNeedsItsName(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	secret := b.api.createKey("worker")
	if !b.api.accepts(secret) {
		t.Fatal("the key cannot be used")
	}
	p := b.program()
	p.openAPIKeys()
	p.find("worker")
	p.Press("x")
	p.Wait("Revoke worker?", "This key is still in use.", "Type the key's name to confirm:")
	p.Press("enter", "tab", "tab")
	p.Wait("[ Cancel ]")
	p.Press("enter")
	p.WaitGone("Revoke worker?")
	p.Press("x")
	p.Wait("Type the key's name to confirm:")
	p.enter("WORKER")
	p.Settle(settled)
	if p.Screen().Contains("[ Revoke ]") || !b.api.accepts(secret) {
		t.Fatal("another name than the key's was taken")
	}
	p.Press("ctrl+u")
	p.Send("worker")
	p.Press("enter")
	p.Wait("[ Revoke ]")
	p.Press("enter")
	p.Wait("✓ revoked worker")
	if b.api.accepts(secret) || b.api.hasKey("worker") {
		t.Error("the service still knows the key")
	}
	p.quit()
}

func TestRevokeTheKeyOfTheSession(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	other := b.api.createKey("other")
	p := start(t, termtest.Options{Env: b.env(), Args: []string{"--project", b.BusiestProject(), "--interval", "1s"}})
	p.Wait("● live, every 1s")
	p.Press("3")
	p.Wait("LAST USED")
	p.find("pgtower-demo")
	p.Press("x")
	p.Wait("Type the key's name to confirm:")
	p.enter("pgtower-demo")
	p.Wait("[ Revoke ]")
	p.Press("enter")
	p.Wait("Sign in", "The service refused the API key")
	p.Paste(other)
	p.Press("enter")
	// The filter is unchanged, and its row is gone.
	p.Wait("API keys", "/ pgtower-demo", "Nothing matches the filter.")
	p.quit()
	p.neverShowed(other)
}

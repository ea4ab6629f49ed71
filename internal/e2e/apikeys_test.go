//go:build unix

package e2e

import (
	"testing"

	"pgtower/client/mock"
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

// Several keys may arrive at once, as over a slow connection.
func TestTypingAhead(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.openAPIKeys()
	p.Send("nextra\r")
	p.Wait("extra · id ", "Save the secret now")
	p.Send("r\r2")
	p.Wait("12 projects")
	if id, _ := b.createdKey(); b.api.keys()[id] != "extra" {
		t.Error("the key was not created")
	}
	p.quit()
}

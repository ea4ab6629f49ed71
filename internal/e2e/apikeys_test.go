//go:build unix

package e2e

import (
	"testing"

	"pgtower/client/mock"
)

// Several keys may arrive at once, as over a slow connection.
func TestTypingAhead(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.keys()
	p.Send("nextra\r")
	p.Sees("extra · id ", "Save the secret now")
	p.Send("r\r2")
	p.Sees("12 projects")
	if id, _ := b.createdKey(); b.keyName(id) != "extra" {
		t.Error("the key was not created")
	}
	p.quit()
}

//go:build unix

package e2e

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
	"pgtower/ui/announce"
)

// heard runs pgtower for a screen reader.
func (b *backend) heard() *program {
	b.t.Helper()
	return start(b.t, termtest.Options{Env: append(b.env(), "ACCESSIBLE=1"), Cols: 100, Rows: 30})
}

// lastLine returns the bottom line of the screen, where the user types.
func lastLine(s termtest.Screen) string {
	lines := strings.Split(s.String(), "\n")
	return lines[len(lines)-1]
}

// waitPrompt waits for a prompt.
func (p *program) waitPrompt(want string) {
	p.t.Helper()
	p.WaitFor("the prompt "+want, func(s termtest.Screen) bool { return lastLine(s) == want && s.CursorVisible })
}

func TestRevocationForAScreenReader(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	secret := b.api.createKey("worker")
	if !b.api.accepts(secret) {
		t.Fatal("the key cannot be used")
	}
	p := b.heard()
	p.Wait("Operations", "All projects", "Question mark lists the keys")
	p.waitPrompt("Operations, question mark for help")
	p.Press("3")
	p.Wait("21 keys, ", ", 1 of 21")
	p.Press("/")
	p.Wait("Text field: Filter")
	p.enter("worker")
	p.Wait("worker, last used ", ", 1 of 1")
	p.Press("x")
	p.Wait("Revoke worker?", "This key is still in use.", "Text field: Type the key's name to confirm", "Escape: cancel.")
	p.Send("work")
	p.waitPrompt("Type the key's name to confirm: work")
	p.Wait("That is not the key's name yet.")
	p.Send("er")
	p.Wait("That is the key's name. Enter moves to the button Revoke.")
	p.Press("enter")
	p.Wait("Button Revoke.")
	p.waitPrompt("Revoke worker?")
	p.Press("enter")
	p.Wait("revoked worker", "Back to API keys.")
	p.waitPrompt("API keys, question mark for help")
	if b.api.accepts(secret) || b.api.hasKey("worker") {
		t.Error("the service still knows the key")
	}

	p.Press("?")
	p.Wait("capital P: switch profile", "period: announce everything again")
	p.Press("esc")
	p.waitPrompt("API keys, question mark for help")
	p.Press("q")
	if code := p.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.onlySpoke()
}

func TestSecretForAScreenReader(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.heard()
	p.Wait("Operations", "ll projects (12)")
	p.Press("3")
	p.Wait("20 keys, ")
	p.Press("n")
	p.Wait("Text field: Name")
	p.enter("at night")
	p.Wait("at night was created, id ", "Its secret is hidden.")
	secret := b.createdSecret()
	p.neverShowed(secret)
	p.Press("r")
	p.waitPrompt(secret)
	p.Wait("The secret is on the last line only")
	p.Press("r")
	p.WaitGone(secret)
	p.Press("r")
	p.waitPrompt(secret)
	p.Press("ctrl+c")
	if code := p.Exit(); code != 0 || p.Screen().Contains(secret) {
		t.Errorf("exit code %d, and left behind:\n%s", code, p.Screen())
	}
	p.onlySpoke()
}

// onlySpoke checks that nothing was drawn: no alternate screen, no mouse, no colours, and no signs other than words.
func (p *program) onlySpoke() {
	p.t.Helper()
	wrote := p.Wrote()
	for _, mode := range []string{"1049", "47", "1047", "1000", "1002", "1003"} {
		if bytes.Contains(wrote, []byte("\x1b[?"+mode+"h")) {
			p.t.Errorf("mode %s was switched on", mode)
		}
	}
	if styled := regexp.MustCompile(`\x1b\[[0-9;:]+m`).Find(wrote); styled != nil {
		p.t.Errorf("a style: %q", styled)
	}
	for y := range p.Screen().Rows {
		for _, r := range p.Screen().Line(y) {
			if !announce.Readable(r) {
				p.t.Errorf("%q is in %q", r, p.Screen().Line(y))
			}
		}
	}
}

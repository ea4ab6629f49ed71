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

// In the accessible mode, a secret is on the last line only, only while it is revealed, and gone at the end.
func TestSecretForAScreenReader(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.heard()
	p.Sees("Operations", "ll projects (12)")
	p.Press("3")
	p.Sees("20 keys, ")
	p.Press("n")
	p.Sees("Text field: Name")
	p.Enter("at night")
	p.Sees("at night was created, id ", "Its secret is hidden.")
	secret := b.createdSecret()
	p.neverShowed(secret)
	p.Press("r")
	p.waitPrompt(secret)
	p.Sees("The secret is on the last line only")
	p.Press("r")
	p.SeesNot(secret)
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

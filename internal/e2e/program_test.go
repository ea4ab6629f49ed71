//go:build unix

package e2e

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/driver"
	"pgtower/internal/termtest"
)

// deadline is the timeout of each wait. It allows for a busy machine.
const deadline = 60 * time.Second

// goRace makes a race end the program, so that the test sees it, and removes the delay at a normal exit.
const goRace = "GORACE=halt_on_error=1 atexit_sleep_ms=0"

// program is pgtower in a terminal.
type program struct {
	*termtest.Terminal
	driver.User

	t *testing.T
}

// start runs pgtower until the test ends, in a session without a keyring: D-Bus is neither in its environment nor at
// the default address.
func start(t *testing.T, o termtest.Options) *program {
	t.Helper()
	if o.Path == "" {
		o.Path = termtest.Binary(t)
	}
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	if o.Cols == 0 {
		o.Cols, o.Rows = 120, 36
	}
	o.Env = append([]string{"XDG_RUNTIME_DIR=" + o.Home, goRace}, o.Env...)
	p := &program{Terminal: termtest.Start(t, o), t: t}
	p.User = driver.NewUser(t, p)
	return p
}

// Type types a text at once.
func (p *program) Type(text string) { p.Send(text) }

// Until waits for a screen.
func (p *program) Until(what string, wanted func(screen string) bool) {
	p.t.Helper()
	p.WaitFor(what, func(s termtest.Screen) bool { return wanted(s.String()) })
}

// keys goes to the API keys once the session has begun.
func (p *program) keys() driver.Keys {
	p.t.Helper()
	p.Sees("1 Operations")
	return p.Keys()
}

// keyFrom checks where the key of the session comes from, as the list of profiles shows it.
func (p *program) keyFrom(source string) {
	p.t.Helper()
	profiles := p.Profiles()
	p.Sees("in use · ", source)
	profiles.Leave()
}

// quit presses q and checks the exit code and the terminal's modes.
func (p *program) quit() {
	p.t.Helper()
	p.Press("q")
	p.ended()
}

// ended waits for exit code 0 with a restored terminal.
func (p *program) ended() {
	p.t.Helper()
	if code := p.Exit(); code != 0 {
		p.t.Errorf("exit code %d\n%s", code, p.Screen())
	}
	p.gaveBack()
}

// gaveBack checks that all modes that the program enabled are off again, and the cursor is visible.
func (p *program) gaveBack() {
	p.t.Helper()
	wrote := p.Wrote()
	if !bytes.Contains(wrote, []byte("\x1b[?1049h")) {
		p.t.Error("the alternate screen was never entered")
	}
	for mode, last := range map[string]byte{"1049": 'l', "2004": 'l', "1000": 'l', "1002": 'l', "1003": 'l', "1004": 'l', "25": 'h'} {
		all := regexp.MustCompile(`\x1b\[\?`+mode+`[hl]`).FindAll(wrote, -1)
		if len(all) == 0 {
			continue
		}
		if end := all[len(all)-1]; end[len(end)-1] != last {
			p.t.Errorf("the terminal is left with %q", end)
		}
	}
	if s := p.Screen(); !s.CursorVisible || s.Contains("1 Operations") {
		p.t.Errorf("left behind, with the cursor visible %v:\n%s", s.CursorVisible, s)
	}
}

// neverShowed checks that a secret is nowhere in the output, plain or as in the clipboard sequence.
func (p *program) neverShowed(secret string) {
	p.t.Helper()
	if p.showed(secret) > 0 || p.showed(base64.StdEncoding.EncodeToString([]byte(secret))) > 0 || strings.Contains(p.Title(), secret) {
		p.t.Error("a secret was written to the terminal")
	}
}

// showed returns how often a text is in the output.
func (p *program) showed(text string) int { return bytes.Count(p.Wrote(), []byte(text)) }

// until waits for a condition outside of the screen.
func (p *program) until(what string, wanted func() bool) {
	p.t.Helper()
	for end := time.Now().Add(deadline); !wanted(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: not in time\n%s", what, p.Screen())
		}
	}
}

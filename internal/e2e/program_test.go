//go:build unix

package e2e

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/termtest"
)

// deadline is the timeout of each wait. It allows for a busy machine.
const deadline = 60 * time.Second

// goRace makes a race end the program, so that the test sees it, and removes the delay at a normal exit.
const goRace = "GORACE=halt_on_error=1 atexit_sleep_ms=0"

// program is pgtower in a terminal.
type program struct {
	*termtest.Terminal

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
	return &program{termtest.Start(t, o), t}
}

// enter types text into an input, then presses Enter.
func (p *program) enter(text string) {
	p.t.Helper()
	p.Send(text)
	p.Press("enter")
}

// choose switches from the operations of all projects to those of one.
func (p *program) choose(name string) {
	p.t.Helper()
	p.Wait("all projects (12)")
	p.Press("O")
	p.Wait("Choose a project")
	p.Send(name)
	p.Wait("1 of ")
	p.Press("enter")
	p.WaitGone("Choose a project")
	p.Wait(" " + name + " ")
}

// leave presses Esc and waits until a text, which is on the screen, disappears: a key that arrives together with Esc
// would be taken for Alt.
func (p *program) leave(gone string) {
	p.t.Helper()
	p.Wait(gone)
	p.Press("esc")
	p.WaitGone(gone)
}

// keyFrom checks where the key of the session comes from, as the list of profiles shows it.
func (p *program) keyFrom(source string) {
	p.t.Helper()
	p.Press("P")
	p.Wait("in use · ", source)
	p.leave(source)
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

// said returns the screen as running text: wrapped lines are joined, within a dialog's box if there is one.
func said(s termtest.Screen) string {
	var lines []string
	for y := range s.Rows {
		line := s.Line(y)
		if parts := strings.Split(line, "│"); len(parts) > 2 {
			line = parts[1]
		}
		lines = append(lines, line)
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// waitSaid waits for the texts on the screen, however they are wrapped.
func (p *program) waitSaid(texts ...string) {
	p.t.Helper()
	p.WaitFor(strings.Join(texts, " | "), func(s termtest.Screen) bool {
		all := said(s)
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(all, text) })
	})
}

// position returns the number of the selected row and of all rows, as the page shows them, or zeros.
func position(s termtest.Screen) (row, of int) {
	m := regexp.MustCompile(`(?m) ([\d,]+) / ([\d,]+)$`).FindStringSubmatch(s.String())
	if m == nil {
		return 0, 0
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		return n
	}
	return number(m[1]), number(m[2])
}

// waitRow waits until the number of the selected row is as wanted.
func (p *program) waitRow(what string, wanted func(row, of int) bool) {
	p.t.Helper()
	p.WaitFor("the row "+what, func(s termtest.Screen) bool {
		row, of := position(s)
		return row > 0 && wanted(row, of)
	})
}

// selected returns the line of the selected row, without its mark.
func selected(s termtest.Screen) string {
	for y := range s.Rows {
		if line, ok := strings.CutPrefix(s.Line(y), " ▌ "); ok {
			return line
		}
	}
	return ""
}

// waitSelected waits until the selected row begins with the text.
func (p *program) waitSelected(text string) {
	p.t.Helper()
	p.WaitFor("the selected row to be "+text, func(s termtest.Screen) bool {
		return strings.HasPrefix(selected(s), text)
	})
}

// until waits for a condition outside of the screen.
func (p *program) until(what string, wanted func() bool) {
	p.t.Helper()
	for end := time.Now().Add(deadline); !wanted(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: not in time\n%s", what, p.Screen())
		}
	}
}

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

// deadline bounds each wait. It is for a machine that does much else at the same time.
const deadline = 30 * time.Second

// settled is how long nothing is written after keys that must not do anything.
const settled = 300 * time.Millisecond

// goRace makes a race in the program end it, so that the test sees it, and an end without
// races come at once.
const goRace = "GORACE=halt_on_error=1 atexit_sleep_ms=0"

// program is pgtower in a terminal.
type program struct {
	*termtest.Terminal

	t *testing.T
}

// start runs pgtower for the length of the test, in a session without a keyring: there
// is no D-Bus in its environment, and none to be found where it would look for one.
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
	o.Deadline = deadline
	o.Env = append([]string{"XDG_RUNTIME_DIR=" + o.Home, goRace}, o.Env...)
	return &program{termtest.Start(t, o), t}
}

// enter types text into an input, then presses Enter.
func (p *program) enter(text string) {
	p.t.Helper()
	p.Send(text)
	p.Press("enter")
}

// choose turns from the operations of all projects to those of one.
func (p *program) choose(name string) {
	p.t.Helper()
	p.Wait("all projects (12)")
	p.Press("O")
	p.Wait("Choose a project", name)
	p.Send(name)
	p.Wait("1 of ")
	p.Press("enter")
	p.WaitGone("Choose a project")
	p.Wait(" " + name + " ")
}

// leave presses Esc and waits until what is on the screen only until then is gone: a key
// that arrives together with Esc would be taken for one with Alt.
func (p *program) leave(gone string) {
	p.t.Helper()
	p.Press("esc")
	p.WaitGone(gone)
}

// quit leaves with q, which has to end well and leave the terminal as it was.
func (p *program) quit() {
	p.t.Helper()
	p.Press("q")
	p.ended()
}

// ended waits for a good end, with a terminal that was given back.
func (p *program) ended() {
	p.t.Helper()
	if code := p.Exit(); code != 0 {
		p.t.Errorf("exit code %d\n%s", code, p.Screen())
	}
	p.gaveBack()
}

// gaveBack checks that what the program switched on in the terminal is off again, and
// the cursor shown.
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

// neverShowed checks that a secret is in nothing that the program has written, as it is
// or as the clipboard sequence would carry it.
func (p *program) neverShowed(secret string) {
	p.t.Helper()
	if p.showed(secret) > 0 || p.showed(base64.StdEncoding.EncodeToString([]byte(secret))) > 0 || strings.Contains(p.Title(), secret) {
		p.t.Error("a secret was written to the terminal")
	}
}

// showed is how often a text is in what the program has written.
func (p *program) showed(text string) int { return bytes.Count(p.Wrote(), []byte(text)) }

// said is what the screen says as running text: lines are joined where they were wrapped,
// in a dialog's box if there is one.
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

// waitSaid waits until the screen says the texts, however it wraps them.
func (p *program) waitSaid(texts ...string) {
	p.t.Helper()
	p.WaitFor(strings.Join(texts, " | "), func(s termtest.Screen) bool {
		all := said(s)
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(all, text) })
	})
}

// place is the number of the selected row and that of all rows, as the page says them,
// or zeros.
func place(s termtest.Screen) (row, of int) {
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

// waitRow waits until the number of the selected row is as wanted, and returns it.
func (p *program) waitRow(what string, wanted func(row, of int) bool) (row int) {
	p.t.Helper()
	p.WaitFor("the row "+what, func(s termtest.Screen) bool {
		var of int
		row, of = place(s)
		return row > 0 && wanted(row, of)
	})
	return row
}

// selected is the line of the selected row, without its mark.
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

// until waits until something outside of the screen is as wanted.
func (p *program) until(what string, wanted func() bool) {
	p.t.Helper()
	for end := time.Now().Add(deadline); !wanted(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s did not come\n%s", what, p.Screen())
		}
	}
}

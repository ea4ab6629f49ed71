package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// send passes messages to a dialog as the root does, until it is done: keys to their actions, everything else to
// Update. It returns the number of handled messages.
func send(t *testing.T, d page.Dialog, msgs ...tea.Msg) int {
	t.Helper()
	for i, msg := range msgs {
		run := func() tea.Cmd { return d.Update(msg) }
		if k, ok := msg.(tea.KeyPressMsg); ok {
			if a, ok := action.Find(d.Actions(), k); ok {
				if run = a.Run; a.Reason() != "" {
					continue
				}
			}
		}
		if cmd := run(); cmd != nil {
			t.Errorf("%v: a command", msg)
		}
		if d.Done() {
			return i + 1
		}
	}
	return len(msgs)
}

// keysOf returns the keys of a text: each rune is a key, except for those that represent special keys.
func keysOf(s string) []tea.Msg {
	special := map[rune]tea.KeyPressMsg{
		'\n': {Code: tea.KeyEnter}, '\t': {Code: tea.KeyTab}, '⇤': {Code: tea.KeyTab, Mod: tea.ModShift},
		'←': {Code: tea.KeyLeft}, '→': {Code: tea.KeyRight}, '↑': {Code: tea.KeyUp}, '↓': {Code: tea.KeyDown},
		'⇡': {Code: tea.KeyUp, Mod: tea.ModShift}, '⇣': {Code: tea.KeyDown, Mod: tea.ModShift},
		'⇞': {Code: tea.KeyPgUp}, '⇟': {Code: tea.KeyPgDown},
		'⎋': {Code: tea.KeyEscape}, '⌫': {Code: tea.KeyBackspace}, ' ': {Code: tea.KeySpace, Text: " "},
	}
	var out []tea.Msg
	for _, r := range s {
		k, ok := special[r]
		if !ok {
			k = tea.KeyPressMsg{Code: r, Text: string(r)}
		}
		out = append(out, k)
	}
	return out
}

// view returns a dialog without styles.
func view(d page.Dialog, f page.Frame) string { return ansi.Strip(d.View(f)) }

// pointAt clicks on the first occurrence of a text in a dialog.
func pointAt(t *testing.T, d page.Dialog, f page.Frame, what string) {
	t.Helper()
	for y, line := range strings.Split(view(d, f), "\n") {
		if before, _, ok := strings.Cut(line, what); ok {
			send(t, d, page.Pressed{X: ansi.StringWidth(before), Y: y, Frame: f})
			return
		}
	}
	t.Errorf("no %q in\n%s", what, view(d, f))
}

func frame(width, height int) page.Frame {
	return page.Frame{Width: width, Height: height, Theme: style.ChooseTheme(style.Auto, true, colorprofile.TrueColor)}
}

// A box fits the screen at any size, with aligned borders, a part of its title, and its button.
func TestBox(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Revoke?", strings.Repeat("東京", 60)} {
		for width := 14; width < 130; width += 3 {
			for _, height := range []int{4, 8, 24} {
				f := frame(width, height)
				lines := []dialog.Line{{Text: "first"}}
				for i := range 12 {
					lines = append(lines, dialog.Line{Text: fmt.Sprint(i)})
				}
				box := view(dialog.NewMessage(title, lines), f)
				got := strings.Split(box, "\n")
				first := height <= 4 || strings.Contains(box, "first")
				if len(got) > height || !strings.Contains(box, "[ Cl") || !first {
					t.Errorf("%d×%d: wrong lines in\n%s", width, height, box)
				}
				if width >= 20 && !strings.Contains(got[0], " "+string([]rune(title)[:2])) {
					t.Errorf("%d×%d: no title in %s", width, height, got[0])
				}
				wide := width // the full width on narrow screens
				if width >= 60 {
					wide = min(68, width-4)
				}
				for _, line := range got {
					if ansi.StringWidth(line) != wide {
						t.Errorf("%d×%d: %d cells in %q", width, height, ansi.StringWidth(line), line)
					}
				}
			}
		}
	}
}

// A message is drawn and announced in its own words each. Enter, esc and a click on the button close it, other keys do
// not.
func TestMessage(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"\n", "⎋"} {
		m := dialog.NewMessage("Signed in", []dialog.Line{{Text: "It is drawn.", Announced: "It is said."}})
		drawn, said := view(m, frame(80, 24)), m.Describe(frame(80, 24)).Text[0]
		if !strings.Contains(drawn, "It is drawn.") || said != "It is said." {
			t.Errorf("%s, %q", drawn, said)
		}
		if send(t, m, keysOf("x")...); m.Done() {
			t.Error("any key closes it")
		}
		if send(t, m, keysOf(key)...); !m.Done() {
			t.Errorf("%q does not close it", key)
		}
	}
	m := dialog.NewMessage("Signed in", nil)
	if pointAt(t, m, frame(80, 24), "[ Close ]"); !m.Done() {
		t.Error("a click does not close it")
	}
}

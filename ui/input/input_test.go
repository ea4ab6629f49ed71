package input_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

// Typed and pasted texts are cleaned and become one line. A line without the focus takes nothing.
func TestInputTyping(t *testing.T) {
	t.Parallel()
	m := input.New("hint")
	for _, c := range []struct {
		msg     tea.Msg
		want    string
		changed bool
	}{
		{tea.KeyPressMsg{Code: 'a', Text: "a"}, "a", true},
		{tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, "a", false}, // space around the text is not text
		{tea.PasteMsg{Content: " b\x1b]0;x\a\n"}, "a b]0;x", true},
		{tea.KeyPressMsg{Code: tea.KeyLeft}, "a b]0;x", false},
		{tea.KeyPressMsg{Text: "\u202E\u200B"}, "a b]0;x", false},
		{tea.KeyPressMsg{Text: "東"}, "a b]0;東x", true},
		{tea.KeyPressMsg{Code: tea.KeyBackspace}, "a b]0;x", true},
		{tea.PasteMsg{Content: "c\r\n  d\n\ne\n"}, "a b]0;c d ex", true}, // lines become words
	} {
		if changed := m.Update(c.msg); changed != c.changed || m.Text() != c.want {
			t.Errorf("%#v: %q (changed: %v), want %q", c.msg, m.Text(), changed, c.want)
		}
	}
	m.Blur()
	if m.Update(tea.KeyPressMsg{Code: 'z', Text: "z"}) || m.Update(tea.PasteMsg{Content: "z"}) || m.Focused() {
		t.Error("a line without the focus takes keys")
	}
	m.Focus()
	m.Set("")
	if m.Text() != "" || !m.Focused() {
		t.Errorf("%q is left", m.Text())
	}
	m.Set("one two three")
	m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace, Mod: tea.ModCtrl})
	m.Update(tea.KeyPressMsg{Code: tea.KeyHome})
	m.Update(tea.KeyPressMsg{Code: tea.KeyDelete, Mod: tea.ModCtrl})
	if m.Text() != "two" {
		t.Errorf("%q is left of three words", m.Text())
	}
}

// give types or pastes a text into the line.
func give(t *rapid.T, m *input.Model, text string) {
	if rapid.Bool().Draw(t, "pasted") {
		m.Update(tea.PasteMsg{Content: text})
	} else {
		m.Update(tea.KeyPressMsg{Text: text})
	}
}

// Whatever is typed or pasted, the text is clean.
func TestInputIsClean(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := input.New("")
		for range rapid.IntRange(1, 8).Draw(t, "messages") {
			give(t, &m, rapid.String().Draw(t, "text"))
			if m.Text() != models.Clean(m.Text()) {
				t.Fatalf("%+q is not clean", m.Text())
			}
		}
	})
}

// A line is drawn in the cells that it has, whatever is typed.
func TestInputViewIsAsWideAsTheLine(t *testing.T) {
	t.Parallel()
	th := style.ChooseTheme(style.Auto, true, colorprofile.TrueColor)
	rapid.Check(t, func(t *rapid.T) {
		m := input.New("a hint that is longer than the line")
		for range rapid.IntRange(0, 8).Draw(t, "messages") {
			give(t, &m, rapid.SampledFrom([]string{"a", "word ", "東京", "é"}).Draw(t, "text"))
			width := rapid.IntRange(-1, 40).Draw(t, "width")
			// A wide character is not split, and the cursor has a cell.
			if got := ansi.StringWidth(m.View(th, width)); got > max(3, width) {
				t.Fatalf("%d cells, want %d: %q", got, width, m.View(th, width))
			}
		}
	})
}

// A masked line shows dots, and is described without its text.
func TestInputMasked(t *testing.T) {
	t.Parallel()
	m := input.New("")
	m.Masked()
	m.Update(tea.PasteMsg{Content: "napi_x"})
	if got := ansi.Strip(m.View(style.ChooseTheme(style.Auto, true, colorprofile.TrueColor), 20)); got[:len("••••••")] != "••••••" {
		t.Errorf("%q", got)
	}
	if said := m.Describe("API key"); said.Before+said.After != "" {
		t.Errorf("%q is said", said.Before+said.After)
	}
}

// A filter is edited, kept with enter and removed with esc.
func TestFilterTyping(t *testing.T) {
	t.Parallel()
	m := input.NewFilter("words")
	if m.Focused() || m.Shown() {
		t.Error("a new filter is open")
	}
	m.Focus()
	if changed := m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"}); !changed || m.Text() != "a" || !m.Focused() {
		t.Errorf("typed: %q", m.Text())
	}
	if changed := m.Update(tea.PasteMsg{Content: "\x1b[31mb\n"}); !changed || m.Text() != "a[31mb" {
		t.Errorf("pasted: %q", m.Text())
	}
	changes := 0
	press := func(code rune) {
		groups := m.Actions(nil, func() tea.Cmd { changes++; return nil })
		if a, ok := action.Find(groups, tea.KeyPressMsg{Code: code}); ok {
			a.Run()
		}
	}
	if press(tea.KeyEnter); changes != 0 || m.Focused() || !m.Shown() {
		t.Error("enter keeps the filter")
	}
	m.Focus()
	if press(tea.KeyEscape); changes != 1 || m.Shown() || m.Text() != "" {
		t.Error("esc shows everything")
	}
	m.Focus()
	if press(tea.KeyEscape); changes != 1 || m.Focused() {
		t.Error("esc changes an empty filter")
	}
}

// An open or kept filter fills its line exactly, at any width.
func TestFilterView(t *testing.T) {
	t.Parallel()
	th := style.ChooseTheme(style.Auto, true, colorprofile.TrueColor)
	m := input.NewFilter("words")
	m.Focus()
	m.Update(tea.PasteMsg{Content: strings.Repeat("東京 word ", 20)})
	for _, editing := range []bool{true, false} {
		for width := range 120 {
			if got := ansi.StringWidth(m.View(th, width, "12 of 345")); got != width {
				t.Fatalf("editing %v: %d cells, want %d", editing, got, width)
			}
		}
		m.Set(m.Text())
	}
}

// A hint that is longer than the line ends with an ellipsis.
func TestInputCutsTheHintVisibly(t *testing.T) {
	t.Parallel()
	m := input.New("type to search")
	for width, want := range map[int]string{9: "type to …", 14: "type to search", 20: "type to search"} {
		view := ansi.Strip(m.View(style.ChooseTheme(style.Auto, true, colorprofile.TrueColor), width))
		if got := strings.TrimRight(view, " "); got != want {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
}

// A paste of any size is cut where it comes in, and that is said until the text is edited.
func TestInputPasteIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		paste string
		keep  int
		cut   bool
	}{
		"10 MB":        {strings.Repeat("x", 10<<20), input.MaxLine, true},
		"wide":         {strings.Repeat("語", 10<<20/3), input.MaxLine, true},
		"one too many": {strings.Repeat("x", input.MaxLine+1), input.MaxLine, true},
		"what fits":    {strings.Repeat("x", input.MaxLine), input.MaxLine, false},
		"with blanks":  {"  " + strings.Repeat("x", input.MaxLine) + "\n", input.MaxLine, false},
	} {
		for _, masked := range []bool{false, true} {
			m := input.New("")
			if masked {
				m.Masked()
			}
			m.Update(tea.PasteMsg{Content: c.paste})
			if n := utf8.RuneCountInString(m.Text()); n != c.keep || m.Cut() != c.cut {
				t.Errorf("%s: kept %d characters, cut: %t", name, n, m.Cut())
			}
			m.Update(tea.KeyPressMsg{Code: 'y', Text: "y"})
			if !m.Cut() || strings.Contains(m.Text(), "y") {
				t.Errorf("%s: a full line took a key", name)
			}
			m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
			if n := utf8.RuneCountInString(m.Text()); n != c.keep-1 || m.Cut() {
				t.Errorf("%s: after backspace %d characters, cut: %t", name, n, m.Cut())
			}
		}
	}
}

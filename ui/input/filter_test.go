package input_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

func TestTyping(t *testing.T) {
	t.Parallel()
	m := input.NewFilter("words")
	if m.Editing() || m.Shown() {
		t.Error("a new filter is open")
	}
	m.Open()
	if changed := m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"}); !changed || m.Query() != "a" || !m.Editing() {
		t.Errorf("typed: %q", m.Query())
	}
	if changed := m.Update(tea.PasteMsg{Content: "\x1b[31mb\n"}); !changed || m.Query() != "a[31mb" {
		t.Errorf("pasted: %q", m.Query())
	}
	changes := 0
	press := func(code rune) {
		groups := []action.Group{m.Actions(func() tea.Cmd { changes++; return nil })}
		if a, ok := action.Find(groups, tea.KeyPressMsg{Code: code}); ok {
			a.Run()
		}
	}
	if press(tea.KeyEnter); changes != 0 || m.Editing() || !m.Shown() {
		t.Error("enter keeps the filter")
	}
	m.Open()
	if press(tea.KeyEscape); changes != 1 || m.Shown() || m.Query() != "" {
		t.Error("esc shows everything")
	}
	m.Open()
	if press(tea.KeyEscape); changes != 1 || m.Editing() {
		t.Error("esc changes an empty filter")
	}
}

func TestView(t *testing.T) {
	t.Parallel()
	th := style.ChooseTheme(style.Auto, true, colorprofile.TrueColor)
	m := input.NewFilter("words")
	m.Open()
	m.Update(tea.PasteMsg{Content: strings.Repeat("東京 word ", 20)})
	for _, editing := range []bool{true, false} {
		for width := range 120 {
			if got := ansi.StringWidth(m.View(th, width, "12 of 345")); got != width {
				t.Fatalf("editing %v: %d cells, want %d", editing, got, width)
			}
		}
		m.Set(m.Query())
	}
}

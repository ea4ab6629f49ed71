package input_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

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
	if changed := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); changed || m.Editing() || !m.Shown() {
		t.Error("enter keeps the filter")
	}
	m.Open()
	if changed := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); !changed || m.Shown() || m.Query() != "" {
		t.Error("esc shows everything")
	}
}

func TestView(t *testing.T) {
	t.Parallel()
	th := style.NewTheme(true, colorprofile.TrueColor)
	m := input.NewFilter("words")
	m.Open()
	m.Update(tea.PasteMsg{Content: strings.Repeat("東京 word ", 20)})
	for _, editing := range []bool{true, false} {
		for width := range 120 {
			if got := ansi.StringWidth(m.View(th, width, "12 of 345")); got != width {
				t.Fatalf("editing %v: %d cells, want %d", editing, got, width)
			}
		}
		m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	}
}

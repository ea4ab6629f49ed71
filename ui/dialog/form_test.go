package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

type wanted string

func newForm() *dialog.Form {
	return dialog.NewForm(dialog.FormSpec{
		Title: "New API key", About: "Name it.", Label: "Name", Verb: "Create",
		Check: func(s string) string {
			if s == "" {
				return "A key needs a name."
			}
			return ""
		},
		Then: func(s string) tea.Msg { return wanted(s) },
	})
}

func view(m *dialog.Form) string {
	return ansi.Strip(m.View(page.Frame{Width: 80, Height: 24, Theme: style.NewTheme(true, colorprofile.TrueColor)}))
}

func TestForm(t *testing.T) {
	t.Parallel()
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	m := newForm()
	if strings.Contains(view(m), "needs a name") {
		t.Error("it complains before anything was typed")
	}
	if off := m.Keys()[0].Actions[0].Off; off != "A key needs a name." {
		t.Errorf("the key that creates is off because %q", off)
	}
	if done, answer := m.Update(enter); done || answer != nil || !strings.Contains(view(m), "A key needs a name.") {
		t.Errorf("a text that is wrong was taken, or not complained about: %s", view(m))
	}
	m.Update(tea.PasteMsg{Content: " smoke\x1b-test\n"})
	if strings.Contains(view(m), "needs a name") || !strings.Contains(view(m), "smoke-test") || m.Keys()[0].Actions[0].Off != "" {
		t.Errorf("pasted: %s", view(m))
	}
	done, answer := m.Update(enter)
	if !done || answer != wanted("smoke-test") {
		t.Error("the text was not taken")
	}
}

func TestFormIsLeft(t *testing.T) {
	t.Parallel()
	m := newForm()
	m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
	if done, answer := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); !done || answer != nil {
		t.Error("esc leaves, and does nothing")
	}
}

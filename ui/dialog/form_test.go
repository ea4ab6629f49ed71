package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
)

func newForm(submit func(string)) *dialog.Form {
	return dialog.NewForm(dialog.FormSpec{
		Title: "New API key", About: "Name it.", Label: "Name", Verb: "Create",
		Check: func(s string) string {
			if s == "" {
				return "The name must not be empty."
			}
			return ""
		},
		Submit: func(s string) tea.Cmd {
			submit(s)
			return nil
		},
	})
}

// A form complains only after something was typed or submitted, and submits a valid text, cleaned.
func TestForm(t *testing.T) {
	t.Parallel()
	got, f := "", frame(80, 24)
	m := newForm(func(s string) { got += s })
	if strings.Contains(view(m, f), "must not be empty") {
		t.Error("it complains before anything was typed")
	}
	if off := m.Actions()[0].Actions[0].Reason(); off != "the name must not be empty" {
		t.Errorf("the key that creates is off because %q", off)
	}
	if pointAt(t, m, f, "( Create )"); m.Done() || got != "" || !strings.Contains(view(m, f), "The name must not be empty.") {
		t.Errorf("a text that is wrong was taken, or not complained about: %s", view(m, f))
	}
	send(t, m, tea.PasteMsg{Content: " smoke\x1b-test\n"})
	shown, off := view(m, f), m.Actions()[0].Actions[0].Reason()
	if strings.Contains(shown, "must not be empty") || !strings.Contains(shown, "smoke-test") || off != "" {
		t.Errorf("pasted: %s", view(m, f))
	}
	said := m.Describe(f)
	if said.Field.Before != "smoke-test" || !strings.Contains(said.Parts[0].Text, "were removed") {
		t.Errorf("%+v", said)
	}
	if send(t, m, keysOf("\n")...); !m.Done() || got != "smoke-test" {
		t.Error("the text was not taken")
	}
}

// Esc leaves a form without submitting it.
func TestFormIsLeft(t *testing.T) {
	t.Parallel()
	m := newForm(func(s string) { t.Errorf("%q was submitted", s) })
	if send(t, m, keysOf("x⎋")...); !m.Done() {
		t.Error("esc does not leave")
	}
}

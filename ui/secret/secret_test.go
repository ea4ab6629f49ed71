package secret_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/secret"
	"pgtower/ui/theme"
)

const key = "napi_the-secret"

func view(m *secret.Model) string {
	return ansi.Strip(m.View(page.Frame{Width: 80, Height: 24, Theme: theme.New(true, colorprofile.TrueColor)}))
}

// TestLeaving presses keys, and asks after each whether the dialog is gone.
func TestLeaving(t *testing.T) {
	t.Parallel()
	esc, enter := tea.KeyPressMsg{Code: tea.KeyEscape}, tea.KeyPressMsg{Code: tea.KeyEnter}
	letter := func(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Text: string(r)} }
	for name, c := range map[string]struct {
		key  string
		msgs []tea.Msg
		gone int // after how many messages
	}{
		"esc asks again":               {key, []tea.Msg{esc, esc}, 2},
		"enter never leaves unseen":    {key, []tea.Msg{enter, enter, enter}, 0},
		"seen":                         {key, []tea.Msg{letter('r'), enter}, 2},
		"seen and hidden again":        {key, []tea.Msg{letter('r'), letter('r'), esc}, 3},
		"copied":                       {key, []tea.Msg{letter('c'), esc}, 2},
		"a paste does nothing":         {key, []tea.Msg{tea.PasteMsg{Content: "rc"}, esc}, 0},
		"there is nothing to be lost":  {"", []tea.Msg{esc}, 1},
		"nothing to reveal or to copy": {"", []tea.Msg{letter('r'), letter('c'), enter}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := secret.New("ci", models.CreatedAPIKey{ID: 7, Key: models.NewSecret(c.key)}, "")
			gone := 0
			for i, msg := range c.msgs {
				if done, _ := m.Update(msg); done && gone == 0 {
					gone = i + 1
				}
			}
			if gone != c.gone {
				t.Errorf("gone after %d, want %d", gone, c.gone)
			}
		})
	}
}

func TestSecretIsShownOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	m := secret.New("ci", models.CreatedAPIKey{ID: 7, Key: models.NewSecret(key)}, "")
	reveal := tea.KeyPressMsg{Code: 'r', Text: "r"}
	if strings.Contains(view(m), key) || !strings.Contains(view(m), "id 7") {
		t.Error(view(m))
	}
	m.Update(reveal)
	if !strings.Contains(view(m), key) {
		t.Error(view(m))
	}
	m.Update(reveal)
	if strings.Contains(view(m), key) {
		t.Error(view(m))
	}
	_, answer := m.Update(tea.KeyPressMsg{Code: 'c', Text: "c"})
	if got := answer; got != (page.Copy{Label: "the API key ci", Text: models.NewSecret(key), Secret: true}) {
		t.Errorf("%+v", got)
	}
	if lost := secret.New("ci", models.CreatedAPIKey{ID: 7}, ""); !strings.Contains(view(lost), "could not be read") || lost.Keys()[0].Actions[0].Off == "" {
		t.Error(view(lost))
	}
}

// Package secret shows a new API key, the one time that it can be seen.
package secret

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Model is the state of the dialog. It cannot be left by accident: without the key
// having been seen or copied, leaving asks again.
type Model struct {
	name     string
	created  models.CreatedAPIKey
	revealed bool // it is on the screen now
	seen     bool
	copied   bool
	warned   bool
}

// New shows the key that was created under the name.
func New(name string, created models.CreatedAPIKey) *Model {
	return &Model{name: name, created: created}
}

func copyKey() keys.Action   { return keys.New("c", "copy", "c", "y").InFooter() }
func revealKey() keys.Action { return keys.New("r", "reveal", "r", "space").InFooter() }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	none := ""
	if m.created.Key.IsZero() {
		none = "the service sent no secret"
	}
	return []keys.Group{{Title: "New API key", Actions: []keys.Action{
		copyKey().Unless(none), revealKey().Unless(none), dialog.Leave("done"),
	}}}
}

// Update reveals, copies or leaves.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return false, nil
	}
	lost := m.created.Key.IsZero()
	switch {
	case dialog.Leave("").Pressed(k), dialog.Press("").Pressed(k):
		if lost || m.seen || m.copied || m.warned && dialog.Leave("").Pressed(k) {
			return true, nil
		}
		m.warned = true
	case lost:
	case revealKey().Pressed(k):
		m.revealed, m.seen = !m.revealed, true
	case copyKey().Pressed(k):
		m.copied = true
		return false, page.Copy{Label: "the API key " + m.name, Text: m.created.Key}
	}
	return false, nil
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	lines := []dialog.Line{{}, {Text: fmt.Sprintf("%s · id %d", m.name, m.created.ID)}, {}}
	switch {
	case m.created.Key.IsZero():
		lines = append(lines, dialog.Line{
			Tone: theme.Bad,
			Text: "The key was created, but its secret could not be read from the answer. Revoke it and create another one.",
		})
	case m.revealed:
		lines = append(lines, dialog.Line{Tone: theme.Accent, Text: models.Clean(m.created.Key.Reveal())}, dialog.Line{})
	default:
		lines = append(lines, dialog.Line{Tone: theme.Muted, Text: text.Cut("••••••••••••••••••••••••  r shows it", dialog.Inner(f))}, dialog.Line{})
	}
	if !m.created.Key.IsZero() {
		lines = append(lines, dialog.Line{Text: "This is the only time that the secret can be seen. It works with every project of the account."})
	}
	if m.warned && !m.seen && !m.copied {
		lines = append(lines, dialog.Line{}, dialog.Line{
			Tone: theme.Waiting,
			Text: "You have neither copied nor seen the secret. esc once more leaves without it; the key then has to be revoked.",
		})
	}
	return dialog.Box(f, "New API key", append(dialog.Paragraphs(f, lines), ""))
}

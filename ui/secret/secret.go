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
// having been seen, copied or kept, leaving asks again.
type Model struct {
	name     string
	created  models.CreatedAPIKey
	note     string // what the person has to know besides, or empty
	revealed bool   // it is on the screen now
	seen     bool
	copied   bool
	kept     string // where, once it is
	warned   bool
	keep     tea.Msg
	keeping  string // what is being done in order to keep it, or empty
	failed   string // why it could not be kept, or empty
}

// New shows the key that was created under the name. note is said above it.
func New(name string, created models.CreatedAPIKey, note string) *Model {
	return &Model{name: name, created: created, note: note}
}

// OfferKeep lets the person keep the key as the profile's own. msg asks the page for
// it, which says how that goes by [Model.Keeping], [Model.Kept] and [Model.NotKept].
func (m *Model) OfferKeep(msg tea.Msg) { m.keep = msg }

// Keeping says what is being done in order to keep the key.
func (m *Model) Keeping(doing string) { m.keeping, m.failed = doing, "" }

// Kept says that the key is kept, and where.
func (m *Model) Kept(where string) { m.keeping, m.kept = "", where }

// NotKept says why the key could not be kept.
func (m *Model) NotKept(why string) { m.keeping, m.failed = "", why }

// Outlive takes in that the session is over. The dialog stays, because nobody can show
// the key again.
func (m *Model) Outlive() bool {
	if m.keeping != "" {
		m.NotKept("The session ended before the key was kept.")
	}
	m.keep = nil
	return !m.lost()
}

func copyKey() keys.Action   { return keys.New("c", "copy", "c", "y").InFooter() }
func revealKey() keys.Action { return keys.New("r", "reveal", "r", "space").InFooter() }
func keepKey() keys.Action   { return keys.New("k", "keep as this profile's key", "k").InFooter() }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	none := ""
	if m.lost() {
		none = "the service sent no secret"
	}
	return []keys.Group{{Title: "New API key", Actions: []keys.Action{
		copyKey().Unless(none), revealKey().Unless(none), keepKey().Unless(m.notKeepable()), dialog.Leave("done"),
	}}}
}

func (m *Model) lost() bool { return m.created.Key.IsZero() }

func (m *Model) saved() bool { return m.seen || m.copied || m.kept != "" }

// notKeepable says why the key cannot be kept now, or nothing.
func (m *Model) notKeepable() string {
	switch {
	case m.lost():
		return "the service sent no secret"
	case m.kept != "":
		return "it is kept"
	case m.keeping != "":
		return "it is being kept"
	case m.keep == nil:
		return "there is no place to keep it"
	}
	return ""
}

// Update reveals, copies, keeps or leaves.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return false, nil
	}
	switch {
	case dialog.Leave("").Pressed(k), dialog.Press("").Pressed(k):
		return m.leave(k), nil
	case m.lost():
	case revealKey().Pressed(k):
		m.revealed, m.seen = !m.revealed, true
	case copyKey().Pressed(k):
		m.copied = true
		return false, page.Copy{Label: "the API key " + m.name, Text: m.created.Key, Secret: true}
	case keepKey().Pressed(k) && m.notKeepable() == "":
		return false, m.keep
	}
	return false, nil
}

// leave says whether the dialog may be left. It may not while the key is being kept:
// whether that worked has to be seen.
func (m *Model) leave(k tea.KeyPressMsg) bool {
	switch {
	case m.keeping != "":
		return false
	case m.lost(), m.saved(), m.warned && dialog.Leave("").Pressed(k):
		return true
	}
	m.warned = true
	return false
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	lines := []dialog.Line{{}, {Text: fmt.Sprintf("%s · id %d", m.name, m.created.ID)}, {}}
	if m.note != "" {
		lines = append(lines, dialog.Line{Tone: theme.Bad, Text: m.note}, dialog.Line{})
	}
	if m.lost() {
		lines = append(lines, dialog.Line{
			Tone: theme.Bad,
			Text: "The key was created, but its secret could not be read from the answer. Revoke it and create another one.",
		})
		return dialog.Box(f, "New API key", append(dialog.Paragraphs(f, lines), ""))
	}
	shown := dialog.Line{Tone: theme.Muted, Text: text.Cut("••••••••••••••••••••••••  r shows it", dialog.Inner(f))}
	if m.revealed {
		shown = dialog.Line{Tone: theme.Accent, Text: models.Clean(m.created.Key.Reveal())}
	}
	lines = append(lines, shown, dialog.Line{},
		dialog.Line{Text: "This is the only time that the secret can be seen. It works with every project of the account."})
	if said := m.said(); said.Text != "" {
		lines = append(lines, dialog.Line{}, said)
	}
	return dialog.Box(f, "New API key", append(dialog.Paragraphs(f, lines), ""))
}

// said is what came of the last key that was pressed, where that has to be read.
func (m *Model) said() dialog.Line {
	switch {
	case m.keeping != "":
		return dialog.Line{Tone: theme.Waiting, Text: "◌ " + m.keeping}
	case m.warned && !m.saved():
		return dialog.Line{
			Tone: theme.Waiting,
			Text: "You have neither copied, seen nor kept the secret. esc once more leaves without it; the key then has to be revoked.",
		}
	case m.failed != "":
		return dialog.Line{Tone: theme.Bad, Text: "✗ " + m.failed}
	case m.kept != "":
		return dialog.Line{Tone: theme.Good, Text: "✓ It works, and is in use now: " + m.kept + "."}
	}
	return dialog.Line{}
}

// Package signin asks for an API key.
package signin

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Submitted is the key that the person gave, to be tried and kept.
type Submitted struct{ Key models.Secret }

// Model is the state of the page.
type Model struct {
	baseURL string
	reason  string // why the key is asked for
	kept    bool   // the key will be there the next time
	line    input.Model
	trying  bool
	err     error
}

// New asks for a key of the service at baseURL. reason says why it is asked for now, or
// is empty where no key was ever given; kept says that the keyring will take it.
func New(baseURL, reason string, kept bool) *Model {
	m := &Model{baseURL: baseURL, reason: reason, kept: kept, line: input.New("")}
	m.line.Masked()
	return m
}

// Refused tells the page that the key is not good, or could not be tried.
func (m *Model) Refused(err error) {
	m.trying, m.err = false, err
	if models.KindOf(err) == models.KindUnauthorized {
		m.line.Clear()
	}
}

func clearKey() keys.Action { return keys.New("ctrl+u", "clear", "ctrl+u").InFooter() }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	try := dialog.Press("sign in")
	if m.trying {
		try = try.Unless("the key is being tried")
	}
	return []keys.Group{{Title: "Sign in", Actions: []keys.Action{try, clearKey()}}}
}

// Update types or submits.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case m.trying:
	case ok && dialog.Press("").Pressed(k):
		key := models.NewSecret(m.line.Text())
		if m.err = key.Check(); m.err != nil {
			return nil
		}
		m.trying = true
		return page.Say(Submitted{key})
	case ok && clearKey().Pressed(k):
		m.line.Clear()
	default:
		if m.line.Update(msg) {
			m.err = nil
		}
	}
	return nil
}

// View draws the page: exactly Height lines of Width cells.
func (m *Model) View(f page.Frame) []string {
	lines := []dialog.Line{{}}
	if m.reason != "" {
		lines = append(lines, dialog.Line{Tone: theme.Waiting, Text: m.reason}, dialog.Line{})
	}
	then := "It is tried with one request, then held in memory until pgtower ends."
	if m.kept {
		then = "It is tried with one request, then kept in the keyring of this computer, for this service alone."
	}
	lines = append(lines,
		dialog.Line{Text: "pgtower needs an API key of the service at"},
		dialog.Line{Tone: theme.Accent, Text: "  " + m.baseURL},
		dialog.Line{},
		dialog.Line{Text: "Create one in the service's console, under account settings. " + then},
		dialog.Line{})
	body := dialog.Paragraphs(f, lines)
	const label = "API key: "
	body = append(body, f.Theme.Paint(theme.Strong, label)+m.line.View(f.Theme, dialog.Inner(f)-text.Width(label)), "")
	switch {
	case m.trying:
		body = append(body, f.Theme.Paint(theme.Waiting, "◌ trying the key…"), "")
	case m.err != nil:
		problem := []dialog.Line{{Tone: theme.Bad, Text: "✗ " + m.err.Error()}}
		if advice := models.KindOf(m.err).Advice(); advice != "" {
			problem = append(problem, dialog.Line{Tone: theme.Muted, Text: advice})
		}
		body = append(append(body, dialog.Paragraphs(f, problem)...), "")
	}
	base := text.Block(nil, f.Width, f.Height)
	box := dialog.Box(f, "Sign in", body)
	return text.Center(base, box)
}

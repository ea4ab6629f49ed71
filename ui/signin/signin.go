// Package signin asks for an API key, and for the service that it is of.
package signin

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Submitted is the key that the person gave, to be tried and kept, with the address of
// the service that it is for.
type Submitted struct {
	BaseURL string
	Key     models.Secret
}

// Elsewhere is the wish for another profile, or for the demo.
type Elsewhere struct{ Demo bool }

// Again is the wish that a key be looked for once more.
type Again struct{}

// Options say what is asked for.
type Options struct {
	// BaseURL is the address of the service, unless the person changes it.
	BaseURL string
	// Profile is the name of the profile that the key will be kept for.
	Profile string
	// Reason says why the key is asked for now, or is empty where none was ever given.
	Reason string
	// Keeps says that the key is kept for the next time, where that is possible.
	Keeps bool
	// Demo says that there is a demo to try instead, Others that there are other profiles.
	Demo, Others bool
}

type focus int

const (
	onService focus = iota
	onKey
)

// Model is the state of the page.
type Model struct {
	options Options
	service input.Model
	key     input.Model
	focus   focus
	trying  bool
	err     error
}

// New asks for a key.
func New(o Options) *Model {
	m := &Model{options: o, service: input.New(""), key: input.New(""), focus: onKey}
	m.service.Set(o.BaseURL)
	m.service.Blur()
	m.key.Masked()
	return m
}

// Because says anew why the key is asked for.
func (m *Model) Because(reason string) { m.options.Reason = reason }

// Refused tells the page that the key is not good, or could not be tried.
func (m *Model) Refused(err error) {
	m.trying, m.err = false, err
	if models.KindOf(err) == models.KindUnauthorized {
		m.key.Clear()
	}
}

// demoWord is what stands for the demo in the place of a key: a letter alone would be
// taken from a key that a terminal pastes character by character.
const demoWord = "d"

func clearKey() keys.Action  { return keys.New("ctrl+u", "clear", "ctrl+u").InFooter() }
func fieldKey() keys.Action  { return keys.New("tab", "key, service", "tab", "shift+tab", "up", "down") }
func othersKey() keys.Action { return keys.New("esc", "profiles", "esc").InFooter() }
func demoKey() keys.Action   { return keys.New("d ↵", "demo", "d").InFooter() }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	try := dialog.Press("sign in")
	if m.trying {
		try = try.Unless("the key is being tried")
	}
	actions := []keys.Action{try, fieldKey().InFooter(), clearKey()}
	if m.options.Demo {
		actions = append(actions, demoKey())
	}
	if m.options.Others {
		actions = append(actions, othersKey())
	}
	return []keys.Group{{Title: "Sign in", Actions: actions}}
}

// Update types or submits.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case ok && m.options.Others && othersKey().Pressed(k):
		return page.Say(Elsewhere{})
	case m.trying:
	case ok && dialog.Press("").Pressed(k):
		return m.submit()
	case ok && fieldKey().Pressed(k):
		m.turn()
	case ok && clearKey().Pressed(k):
		m.line().Clear()
		m.err = nil
	default:
		if m.line().Update(msg) {
			m.err = nil
		}
	}
	return nil
}

// line is the input that has the focus.
func (m *Model) line() *input.Model {
	if m.focus == onService {
		return &m.service
	}
	return &m.key
}

// turn gives the focus to the other input.
func (m *Model) turn() {
	m.line().Blur()
	m.focus = onService + onKey - m.focus
	m.line().Focus()
}

func (m *Model) submit() tea.Cmd {
	typed := m.key.Text()
	if m.focus == onService && typed == "" {
		m.turn()
		return nil
	}
	if m.options.Demo && typed == demoWord {
		return page.Say(Elsewhere{Demo: true})
	}
	if typed == "" && m.err == nil {
		return page.Say(Again{})
	}
	key := models.NewSecret(typed)
	if m.err = key.Check(); m.err != nil {
		return nil
	}
	m.trying = true
	return page.Say(Submitted{m.service.Text(), key})
}

// View draws the page: exactly Height lines of Width cells. The fields and what is wrong
// are always there; what explains them leaves where there is no room for it.
func (m *Model) View(f page.Frame) []string {
	fields := []string{}
	field := func(label string, line *input.Model) {
		fields = append(fields, f.Theme.Paint(theme.Strong, label)+line.View(f.Theme, dialog.Inner(f)-text.Width(label)))
	}
	field("Service: ", &m.service)
	field("API key: ", &m.key)
	said := dialog.Paragraphs(f, m.said())
	const frame = 2 // the borders of the box
	body := append(append([]string{}, fields...), said...)
	body = body[:min(len(body), max(len(fields), f.Height-frame-1))]
	room := f.Height - frame - len(body) - 2
	above := []string{""}
	for _, about := range m.about() {
		lines := dialog.Paragraphs(f, []dialog.Line{about})
		if room -= len(lines) + 1; room < 0 {
			break
		}
		above = append(append(above, lines...), "")
	}
	return text.Center(text.Block(nil, f.Width, f.Height), dialog.Box(f, m.title(), append(above, body...)))
}

// about is what explains the fields, what matters most first.
func (m *Model) about() []dialog.Line {
	what := dialog.Line{Text: "pgtower needs an API key of the service. Create one in its console, under account settings. " + m.then()}
	if m.options.Reason == "" {
		return []dialog.Line{what}
	}
	return []dialog.Line{{Tone: theme.Waiting, Text: m.options.Reason}, what}
}

// said is what came of the last try, or what else can be done.
func (m *Model) said() []dialog.Line {
	switch {
	case m.trying:
		return []dialog.Line{{}, {Tone: theme.Waiting, Text: "◌ trying the key…"}, {}}
	case m.err != nil:
		lines := []dialog.Line{{}, {Tone: theme.Bad, Text: "✗ " + m.err.Error()}}
		if advice := models.AdviceOf(m.err); advice != "" {
			lines = append(lines, dialog.Line{Tone: theme.Muted, Text: advice})
		}
		return append(lines, dialog.Line{})
	case m.options.Demo:
		return []dialog.Line{{}, {Tone: theme.Muted, Text: "Without an account: d and ↵ open the demo. ↵ alone looks for a key again."}, {}}
	}
	return []dialog.Line{{}}
}

func (m *Model) title() string {
	if m.options.Profile == "" || m.options.Profile == "default" {
		return "Sign in"
	}
	return "Sign in to " + m.options.Profile
}

// then says what will be done with the key.
func (m *Model) then() string {
	_, host, ok := strings.Cut(m.service.Text(), "://")
	if !ok {
		host = m.service.Text()
	}
	host, _, _ = strings.Cut(host, "/")
	if !m.options.Keeps {
		return "It is tried with one request, then held in memory until pgtower ends."
	}
	return "It is tried with one request, then kept in the keyring of this computer, if that can be used, and sent to " +
		host + " alone."
}

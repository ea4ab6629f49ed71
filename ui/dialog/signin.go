package dialog

import (
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

// SignInSpec says what is asked for, and what becomes of it.
type SignInSpec struct {
	BaseURL string // the address of the service, unless the user changes it
	Profile string // the name of the profile that the key will be kept for
	Reason  string // why the key is asked for now, or is empty where none was ever given
	Over    bool   // the form is drawn over rows, which are to stay in sight
	Keeps   bool   // the key is kept for the next time, where that is possible
	// Submit tries a key, and keeps it if it is good. A bad one is [SignIn.Refused].
	Submit    func(baseURL string, key models.Secret) tea.Cmd
	LookAgain func(baseURL string) tea.Cmd // looks for a key for the service once more
	// Demo opens the demo, and Profiles lets the user choose another profile; nil where there is none.
	Demo     func() tea.Cmd
	Profiles func()
}

// The fields, in their order.
const (
	onService = iota
	onKey
)

// SignIn asks for an API key and its service. It stands in place of a page until the root takes it away.
type SignIn struct {
	base

	spec    SignInSpec
	fields  [2]input.Model
	focus   int
	trying  bool
	err     error
	unmeant time.Time // when something was pressed that was not meant for the form, or zero
}

// NewSignIn asks for a key.
func NewSignIn(s SignInSpec) *SignIn {
	m := &SignIn{base: base{title: "Sign in"}, spec: s, fields: [2]input.Model{input.New(""), input.New("")}, focus: onKey}
	m.show = m.shown
	if s.Profile != "" && s.Profile != "default" {
		m.title += " to " + s.Profile
	}
	m.fields[onService].Set(s.BaseURL)
	m.fields[onService].Blur()
	m.fields[onKey].Masked()
	return m
}

// Because says anew why the key is asked for.
func (m *SignIn) Because(reason string) { m.spec.Reason = reason }

// Refused tells the form that the key is not good, or could not be tried.
func (m *SignIn) Refused(err error) {
	m.trying, m.err = false, err
	if models.KindOf(err) == models.KindUnauthorized {
		m.fields[onKey].Set("")
	}
}

// Guard tells the form that it has appeared now over what the user may be typing into.
func (m *SignIn) Guard(now time.Time) { m.unmeant = now }

// Unmeant reports whether a key was not meant for the form: it appeared just before, and there was no pause since.
func (m *SignIn) Unmeant(now time.Time) bool {
	const pause = 500 * time.Millisecond
	if since := now.Sub(m.unmeant); since >= 0 && since < pause {
		m.unmeant = now
		return true
	}
	m.unmeant = time.Time{}
	return false
}

// Actions declares what can be done now.
func (m *SignIn) Actions() []action.Group {
	try := key("sign in", m.submit, "enter")
	if m.trying {
		try.Disabled = "the key is being verified"
	}
	profiles := key("profiles", action.Do(m.spec.Profiles), "esc")
	profiles.Hidden = m.spec.Profiles == nil
	return only(
		try,
		key("key, service", action.Do(m.other), "tab", "shift+tab", "up", "down"),
		key("clear", action.Do(m.clear), "ctrl+u"),
		profiles,
	)
}

// Update types, or does what the mouse points at.
func (m *SignIn) Update(msg tea.Msg) tea.Cmd {
	if _, pasted := msg.(tea.PasteMsg); pasted {
		m.unmeant = time.Time{}
	}
	if m.trying {
		return nil
	}
	if m.fields[m.focus].Update(msg) {
		m.err = nil
	}
	return m.base.Update(msg)
}

func (m *SignIn) clear() {
	if !m.trying {
		m.fields[m.focus].Set("")
		m.err = nil
	}
}

func (m *SignIn) other() {
	if m.trying {
		return
	}
	m.fields[m.focus].Blur()
	m.focus = onService + onKey - m.focus
	m.fields[m.focus].Focus()
}

func (m *SignIn) submit() tea.Cmd {
	// A letter alone would be taken from a key that a terminal pastes character by character.
	const demo = "d"
	service, typed := m.fields[onService].Text(), m.fields[onKey].Text()
	switch {
	case m.focus == onService && typed == "":
		m.other()
		return nil
	case m.spec.Demo != nil && typed == demo:
		return m.spec.Demo()
	case typed == "" && m.err == nil:
		return m.spec.LookAgain(service)
	}
	key := models.NewSecret(typed)
	if m.err = key.Check(); m.err != nil {
		return nil
	}
	m.trying = true
	return m.spec.Submit(service, key)
}

// shown leaves out what explains the fields where there is no room. Of the key, only its length is said.
func (m *SignIn) shown(c *content) {
	c.said.Text = []string{"The API key is hidden while you type. Tab: the service's address and back."}
	about := m.about()
	c.say(announce.Part{Name: "about", Text: strings.Join(Paragraphs(c.Frame, about), "\n")})
	c.fill(func(room int) []row {
		if m.spec.Over {
			const least = 4 // lines that may explain the fields, however low the screen is
			room = min(room, max(least, (c.Height+2*borders)/2-len(c.rows)))
		}
		var rows []row
		for _, one := range about {
			said := Paragraphs(c.Frame, []Line{one})
			if room -= len(said) + 1; room < 0 {
				break
			}
			rows = append(rows, plain(append(said, ""))...)
		}
		return rows
	})
	for i, label := range []string{"Service", "API key"} {
		var focus func()
		if i != m.focus {
			focus = m.other
		}
		c.field("", label, &m.fields[i], focus)
	}
	c.note("said", true, m.result()...)
	c.gap()
	// Keys have no need to go to the buttons: Enter signs in wherever the cursor is.
	buttons := []button{{label: "Sign in", off: m.trying, press: m.submit}}
	if m.spec.Demo != nil {
		buttons = []button{{label: "Open the demo", off: m.trying, press: m.spec.Demo}, buttons[0]}
	}
	c.buttons(len(buttons)-1, buttons...)
}

func (m *SignIn) about() (lines []Line) {
	if m.spec.Reason != "" {
		lines = append(lines, Line{Tone: style.Waiting, Text: m.spec.Reason})
	}
	then := "It is verified with one request, then kept in memory until pgtower exits."
	if m.spec.Keeps {
		host := m.fields[onService].Text()
		if _, rest, ok := strings.Cut(host, "://"); ok {
			host = rest
		}
		host, _, _ = strings.Cut(host, "/")
		then = "It is verified with one request, then saved in this computer's keyring if possible, and sent only to " +
			host + "."
	}
	return append(lines, Line{
		Text: "pgtower needs an API key. Create one in the service's console, under account settings. " + then,
	})
}

// result is what came of the last try, or what else can be done.
func (m *SignIn) result() []Line {
	const again = "Empty ↵ re-reads environment and keyring."
	switch {
	case m.trying:
		length := english.Plural(utf8.RuneCountInString(m.fields[onKey].Text()), "character", "")
		return []Line{{}, {Tone: style.Waiting, Text: "◌ verifying the key…", Announced: "Verifying the key of " + length + "."}}
	case models.KindOf(m.err) == models.KindUnauthorized:
		return []Line{{}, {Tone: style.Bad, Text: "✗ That key was refused (401). Try another."}}
	case m.err != nil:
		lines := []Line{{}, {Tone: style.Bad, Text: "✗ " + m.err.Error()}}
		if advice := models.AdviceOf(m.err); advice != "" {
			lines = append(lines, Line{Tone: style.Muted, Text: advice})
		}
		return lines
	case m.spec.Over:
		return []Line{{}, {Tone: style.Muted, Text: again}}
	case m.spec.Demo != nil:
		return []Line{{}, {Tone: style.Muted, Text: "No account? d ↵: open the demo. " + again}}
	}
	return nil
}

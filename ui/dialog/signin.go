package dialog

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

// SignInSpec describes the form.
type SignInSpec struct {
	BaseURL string // the initial address of the service
	KeysURL string // where the console of that service makes API keys, or empty
	Profile string // the name of the profile that the key is saved for
	Reason  string // why another key is needed, or empty
	Over    bool   // the form is drawn over rows, which must stay visible
	Keeps   bool   // the key is saved if possible; false in the demo
	// Submit verifies a key and saves it, or calls [SignIn.Refused]. Without a key, it verifies the one that was found. The
	// project is that of a key of one project, or empty.
	Submit    func(baseURL string, key models.Secret, project string) tea.Cmd
	LookAgain func(baseURL string) tea.Cmd // looks for a key in environment and keyring again
	// Demo opens the demo, and Profiles lets the user choose another profile; they may be nil.
	Demo     func() tea.Cmd
	Profiles func()
}

// The fields, in their order.
const (
	onService = iota
	onKey
	onProject // only for a key of one project
)

// SignIn asks for an API key and its service. It is shown in place of a page until the root removes it.
type SignIn struct {
	base

	spec    SignInSpec
	fields  [3]input.Model
	focus   int
	ofOne   bool // the key is of one project, whose id is asked for
	trying  bool
	err     error
	unmeant time.Time // the time of the last key that was not meant for the form, or zero
}

// NewSignIn returns the form.
func NewSignIn(s SignInSpec) *SignIn {
	m := &SignIn{base: base{title: "Sign in"}, spec: s, focus: onKey}
	for i := range m.fields {
		m.fields[i] = input.New("")
	}
	m.show, m.actions = m.shown, m.newActions()
	if s.Profile != "" && s.Profile != "default" {
		m.title += " to " + s.Profile
	}
	m.fields[onService].Set(s.BaseURL)
	m.fields[onService].Blur()
	m.fields[onProject].Blur()
	m.fields[onKey].Masked()
	return m
}

// KeysURL returns where the service in the form makes API keys, or "" if the address is unknown.
func (m *SignIn) KeysURL() string {
	initial, err := models.ParseBaseURL(m.spec.BaseURL)
	if err != nil {
		return ""
	}
	current, err := models.ParseBaseURL(m.fields[onService].Text())
	if err != nil || current.Host != initial.Host {
		return ""
	}
	return m.spec.KeysURL
}

// Because replaces the reason.
func (m *SignIn) Because(reason string) { m.spec.Reason = reason }

// Refused shows why the key was refused or could not be verified.
func (m *SignIn) Refused(err error) {
	m.trying, m.err = false, err
	switch {
	case models.KindOf(err) == models.KindUnauthorized:
		m.fields[onKey].Set("")
	case errors.Is(err, account.ErrNoProject), models.RefusalOf(err) == models.RefusedProjectKey:
		m.NeedProject()
	}
}

// NeedProject asks for the id of the project of a key of one project.
func (m *SignIn) NeedProject() {
	m.ofOne = true
	m.move(onProject)
}

func (m *SignIn) move(field int) {
	m.fields[m.focus].Blur()
	m.focus = field
	m.fields[m.focus].Focus()
}

// Guard begins to ignore keys: the form appeared over something that the user may be typing into.
func (m *SignIn) Guard(now time.Time) { m.unmeant = now }

// Unmeant reports whether a key was not meant for the form: there was no pause since [SignIn.Guard].
func (m *SignIn) Unmeant(now time.Time) bool {
	const pause = 500 * time.Millisecond
	if since := now.Sub(m.unmeant); since >= 0 && since < pause {
		m.unmeant = now
		return true
	}
	m.unmeant = time.Time{}
	return false
}

func (m *SignIn) newActions() []action.Group {
	try := key("sign in", m.submit, "enter")
	try.Disabled = action.If(func() bool { return m.trying }, "the key is being verified")
	profiles := key("profiles", action.Do(m.spec.Profiles), "esc")
	profiles.Hidden = func() bool { return m.spec.Profiles == nil }
	return only(
		try,
		key("next field", action.Do(m.other), "tab", "shift+tab", "up", "down"),
		key("clear", action.Do(m.clear), "ctrl+u"),
		profiles,
	)
}

// Update edits the fields, and handles the mouse.
func (m *SignIn) Update(msg tea.Msg) tea.Cmd {
	if _, pasted := msg.(tea.PasteMsg); pasted {
		m.unmeant = time.Time{}
	}
	if m.trying {
		return nil
	}
	field := &m.fields[m.focus]
	if field.Update(msg) {
		m.err = nil
	}
	if field.Cut() {
		m.err = errors.New(cutText())
	}
	return m.base.Update(msg)
}

func (m *SignIn) clear() {
	if !m.trying {
		m.fields[m.focus].Set("")
		m.err = nil
	}
}

// other moves to the next field. The user cannot leave the field of the address while it is wrong.
func (m *SignIn) other() {
	if m.trying {
		return
	}
	_, err := models.ParseBaseURL(m.fields[onService].Text())
	if err != nil && m.focus == onService {
		m.err = err
		return
	}
	last := onKey
	if m.ofOne {
		last = onProject
	}
	m.move((m.focus + 1) % (last + 1))
}

func (m *SignIn) submit() tea.Cmd {
	// A key of its own would also be in a key that a terminal pastes character by character.
	const demo = "d"
	service, typed := m.fields[onService].Text(), m.fields[onKey].Text()
	project := strings.TrimSpace(m.fields[onProject].Text())
	switch {
	case m.focus == onService && typed == "" && project == "":
		m.other()
		return nil
	case m.spec.Demo != nil && typed == demo:
		return m.spec.Demo()
	case typed == "" && project == "" && m.err == nil:
		return m.spec.LookAgain(service)
	}
	key := models.NewSecret(typed)
	_, m.err = models.ParseBaseURL(service)
	if m.err == nil && project == "" {
		m.err = key.Check()
	}
	if m.err != nil {
		return nil
	}
	m.trying = true
	return m.spec.Submit(service, key, project)
}

// shown leaves out explanations where there is no room. Only the length of the key is announced.
func (m *SignIn) shown(c *content) {
	c.said.Text = []string{"The API key is hidden while you type. Tab: the service's address and back."}
	about := m.about()
	c.say(announce.Part{Name: "about", Text: strings.Join(Paragraphs(c.Frame, about), "\n")})
	c.fill(func(room int) []row { return m.explained(c, about, room) })
	for i, label := range []string{"Service", "API key", "Project id"} {
		if i == onProject && !m.ofOne {
			continue
		}
		var focus func() tea.Cmd
		if i != m.focus {
			focus = action.DoWith(m.move, i)
		}
		c.field("", label, &m.fields[i], focus)
	}
	c.note("said", true, m.result()...)
	c.gap()
	// The buttons are for the mouse only: Enter signs in from both fields.
	buttons := []button{{label: "Sign in", off: m.trying, press: m.submit}}
	if m.spec.Demo != nil {
		buttons = []button{{label: "Open the demo", off: m.trying, press: m.spec.Demo}, buttons[0]}
	}
	c.buttons(len(buttons)-1, buttons...)
}

// explained returns as many of the explanations as fit. Over rows, the form takes half of the screen.
func (m *SignIn) explained(c *content, about []Line, room int) (rows []row) {
	if m.spec.Over {
		const least = 4 // lines of explanations, also on a low screen
		room = min(room, max(least, (c.Height+2*borders)/2-len(c.rows)))
	}
	for _, line := range about {
		paragraphs := Paragraphs(c.Frame, []Line{line})
		room -= len(paragraphs) + 1
		if room < 0 {
			break
		}
		rows = append(rows, plain(append(paragraphs, ""))...)
	}
	return rows
}

func (m *SignIn) about() (lines []Line) {
	if m.spec.Reason != "" {
		lines = append(lines, Line{Tone: style.Waiting, Text: m.spec.Reason})
	}
	if !m.spec.Keeps {
		return append(lines, Line{
			Text: "The demo needs one of its API keys. Open the demo again to begin with a valid one.",
		})
	}
	if m.ofOne {
		return append(lines, Line{
			Text: "The project's id is in the address of its page in the service's console. " +
				"Without an API key here, the one that was found is used.",
		})
	}
	host := "the service"
	if u, err := models.ParseBaseURL(m.fields[onService].Text()); err == nil {
		host = u.Host
	}
	where := ", under account settings."
	if address := m.KeysURL(); address != "" {
		where = ": " + address + " (ctrl+o opens it)."
	}
	return append(lines, Line{
		Text: "pgtower needs an API key. Create one in the service's console" + where + " It is verified, " +
			"then saved in this computer's keyring if possible, and sent only to " + host + ".",
	})
}

// result returns the result of the last attempt, or what else the user can do.
func (m *SignIn) result() []Line {
	const again = "Empty ↵ re-reads environment and keyring."
	switch {
	case m.trying:
		length := english.Plural(utf8.RuneCountInString(m.fields[onKey].Text()), "character", "")
		verifying := "Verifying the key of " + length + "."
		return []Line{{}, {Tone: style.Waiting, Text: "◌ verifying the key…", Announced: verifying}}
	case models.KindOf(m.err) == models.KindUnauthorized:
		return []Line{{}, {Tone: style.Bad, Text: "✗ That key was refused (401). Try another."}}
	case errors.Is(m.err, account.ErrNoProject):
		return []Line{{}, {Tone: style.Waiting, Text: style.Sentence(account.ErrNoProject.Error()) + "."}}
	case models.RefusalOf(m.err) == models.RefusedProjectKey:
		why := "✗ That key is not for this project: " + models.MessageOf(m.err) + "."
		return []Line{{}, {Tone: style.Bad, Text: why}}
	case m.err != nil:
		lines := []Line{{}, {Tone: style.Bad, Text: "✗ " + m.err.Error()}}
		if advice := models.AdviceOf(m.err); advice != "" {
			lines = append(lines, Line{Tone: style.Muted, Text: advice})
		}
		return lines
	case !m.spec.Keeps:
		return []Line{{}, {Tone: style.Muted, Text: "d ↵: open the demo again."}}
	case m.spec.Over:
		return []Line{{}, {Tone: style.Muted, Text: again}}
	case m.spec.Demo != nil:
		return []Line{{}, {Tone: style.Muted, Text: "No account? d ↵: open the demo. " + again}}
	}
	return nil
}

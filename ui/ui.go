// Package ui is the terminal program: the root that routes messages to pages and
// dialogs, and knows which account it is signed in to.
//
// The root routes, it does not do: what a page shows and asks for is the page's own.
package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/models"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/palette"
	"pgtower/ui/signin"
	"pgtower/ui/theme"
)

// Options are what the program is started with.
type Options struct {
	// Profile is the one to begin with, Others are those that can be switched to.
	Profile

	Others []Profile
	// Keys are those that the person gave actions.
	Keys keys.Map
	// Project is the id of the project to begin with, or empty.
	Project string
	// Budget is how many requests a second polling may make.
	Budget int
	// Clock is the one clock of the program.
	Clock func() time.Time
	// Frame is the time from one frame to the next.
	Frame time.Duration
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Suspend gives the terminal back and stops the program until the shell continues it,
	// or is nil where there is no such thing.
	Suspend tea.Cmd
	// Clipboard is where texts are copied to besides the terminal's, the system's if it
	// is left out.
	Clipboard Clipboard
}

// Model is the root.
type Model struct {
	ctx     context.Context //nolint:containedctx // the program's lifetime: sessions are derived from it
	options Options

	width, height int
	now           time.Time
	theme         *theme.Theme
	dark          bool
	colours       colorprofile.Profile
	notifier      notifier
	ticked        time.Time // when the clock last ticked, on the wall
	blurred       bool      // the terminal does not have the focus

	profile Profile // the one in use
	session session
	pages   [page.Count]page.Page
	active  page.ID
	signin  *signin.Model // not nil while a key is asked for
	dialogs []page.Dialog
	toast   toast
	recent  []string // the commands that were chosen last
	trail   trail
	click   click
	// projects are those of the account, as far as they are known, and failures what went
	// wrong in it.
	projects []models.Project
	failures []failure
	copied   copied
	remote   bool // the computer's clipboard is not the person's
}

// New makes the program. Everything that it asks for ends with ctx.
func New(ctx context.Context, options Options) *Model {
	if options.Clipboard == nil {
		options.Clipboard = systemClipboard{}
	}
	m := &Model{ctx: ctx, options: options, profile: options.Profile, dark: true, colours: colorprofile.TrueColor, now: options.Clock()}
	m.chooseTheme()
	m.session.places[page.Operations].Project = options.Project
	return m
}

func (m *Model) chooseTheme() { m.theme = theme.Choose(m.profile.Theme, m.dark, m.colours) }

// clockTick says that the text of ages and countdowns may have changed.
type clockTick struct{}

// tickClock waits for the next full second, when all such texts change together.
func (m *Model) tickClock() tea.Cmd {
	every := time.Second
	if m.blurred {
		every = unseen
	}
	return page.After(m.ctx, every-m.now.Sub(m.now.Truncate(every)), clockTick{})
}

// unseen is how often the texts change that tell the time, while nobody looks.
const unseen = 5 * time.Second

// asleep is how long the clock must have stood still for the computer to have slept.
const asleep = 10 * time.Second

// wake tells the pages when the clock on the wall went on without the program's timers,
// which stand still while the computer sleeps.
func (m *Model) wake() tea.Cmd {
	was := m.ticked
	m.ticked = m.now.Round(0)
	if was.IsZero() || m.ticked.Sub(was) < asleep {
		return nil
	}
	return m.broadcast(page.Woke{})
}

// broadcast tells all pages.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	if !m.signedIn() {
		return nil
	}
	var cmds []tea.Cmd
	for _, p := range m.pages {
		cmds = append(cmds, p.Update(msg))
	}
	return tea.Batch(cmds...)
}

// Init begins with what the terminal knows and with the key that was kept. What looks for
// the key, at network, keyring or disk, begins when the first frame is out: the person
// sees the program as soon as it can be seen.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.tickClock(), page.After(m.ctx, m.options.Frame, firstFrame{}))
}

// firstFrame says that the first frame is on the screen.
type firstFrame struct{}

// Update routes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.clock()()
	cmds := []tea.Cmd{m.route(msg)}
	for m.signedIn() {
		told := m.session.Told()
		if len(told) == 0 {
			break
		}
		for _, msg := range told {
			cmds = append(cmds, m.route(msg))
		}
	}
	if m.signedIn() {
		m.leaveTrail()
	}
	return m, tea.Batch(cmds...)
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.chooseTheme()
	case tea.ColorProfileMsg:
		m.colours = msg.Profile
		m.chooseTheme()
	case tea.EnvMsg:
		m.notifier = notifierOf(msg.Getenv)
		m.remote = msg.Getenv("SSH_CONNECTION") != ""
	case firstFrame:
		return m.openSession()
	case clockTick:
		return tea.Batch(m.tickClock(), m.wake())
	case tea.ResumeMsg:
		// Its timers went on without it, so that the clock alone would not tell.
		return m.broadcast(page.Woke{})
	case tea.FocusMsg:
		m.blurred = false
		return m.broadcast(page.Focus(true))
	case tea.BlurMsg:
		m.blurred = true
		return m.broadcast(page.Focus(false))
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case opened, signin.Submitted, signin.Elsewhere, signin.Again, switchTo, signedIn, page.Failed, page.SignedOut, page.KeyChanged:
		return m.aboutSession(msg)
	case palette.Chosen:
		return m.chosen(msg)
	case keyWanted:
		if !m.signedIn() {
			// The session ended under the palette: the key would be typed into the sign-in.
			return m.notify(page.Notice{Tone: theme.Waiting, Text: "not now: sign in first"})
		}
		return m.press(msg.key)
	case turn:
		return m.turnKnob(msg)
	case chosenTheme:
		m.profile.Theme = msg.name
		m.chooseTheme()
	case toastOver:
		m.toast.clear(msg)
	case clipboardDue, clipboardTook, clipboardCleared:
		return m.aboutClipboard(msg)
	default:
		return m.fromPage(msg)
	}
	return nil
}

// fromPage does what pages and dialogs ask of the root.
func (m *Model) fromPage(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Delivery:
		switch {
		case msg.Msg == nil:
			return nil
		case msg.Generation != m.session.generation || !m.signedIn():
			if msg.Late != nil {
				msg.Late(msg.Msg)
			}
			return nil
		}
		return m.pages[msg.To].Update(msg.Msg)
	case page.To:
		if m.signedIn() {
			return m.pages[msg.Page].Update(msg.Msg)
		}
		return m.notify(page.Notice{Tone: theme.Waiting, Text: "not now: sign in first"})
	case page.ProjectList:
		if m.signedIn() {
			m.projects = msg.Projects
			return m.pages[page.Operations].Update(msg)
		}
	case page.ShowOperations:
		if m.signedIn() {
			m.active = page.Operations
			return m.pages[page.Operations].Update(msg)
		}
	case page.WantProjects:
		if m.signedIn() {
			return m.pages[page.Projects].Update(msg)
		}
	case page.Open:
		m.dialogs = append(m.dialogs, msg.Dialog)
	case page.Close:
		m.dialogs = slices.DeleteFunc(m.dialogs, func(d page.Dialog) bool { return d == msg.Dialog })
	case page.Notice:
		return m.notify(msg)
	case page.Alert:
		return m.alert(msg)
	case page.Copy:
		return m.copyText(msg)
	}
	return nil
}

// turnTo shows a page.
func (m *Model) turnTo(id page.ID) tea.Cmd {
	m.active = id
	return m.shown()
}

func (m *Model) shown() tea.Cmd { return m.pages[m.active].Shown() }

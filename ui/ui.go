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
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/signin"
	"pgtower/ui/style"
)

// Options are what the program is started with.
type Options struct {
	// Profile is the one to begin with, Others are those that can be switched to.
	Profile

	Others []Profile
	// Keys are those that the person gave actions.
	Keys action.Map
	// Project is the id of the project to begin with, or empty.
	Project string
	// Budget is how many requests a second polling may make.
	Budget int
	// Clock is the one clock of the program.
	Clock func() time.Time
	// Zone is the zone in which times are local, UTC if it is left out.
	Zone *time.Location
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Accessible says what happens in lines of words, for a screen reader, in place of the
	// screen. Still has nothing move on the screen but when something happens.
	Accessible, Still bool
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
	global  global

	width, height int
	now           time.Time
	drawn         string    // the screen, or empty after something happened
	painted       time.Time // the time that the screen shows
	ticked        time.Time // the same, gone on with the seconds where what is shown does
	theme         *style.Theme
	dark          bool
	colours       colorprofile.Profile
	clusters      bool // the terminal counts the cells of what is drawn as one character
	notifier      notifier
	awake         time.Time // when the clock last ticked, on the wall

	profile *Profile // the one of options that is in use
	session session
	pages   [page.Count]page.Page
	active  page.ID
	signin  *signin.Model // not nil while a key is asked for
	unmeant time.Time     // when the form appeared, or a key was pressed that was not meant for it
	dialogs []page.Dialog
	toast   toast
	voice   voice
	// hesitating is since when no key was pressed in the first session, if none was.
	hesitating time.Time
	greeted    bool
	recent     []dialog.Recent // the commands that were chosen last
	trail      trail
	click      click
	// projects are those of the account, as far as they are known, and failures what went
	// wrong in it.
	projects []models.Project
	failures []failure
	alerts   []alerted // that came in this profile, the newest first
	copied   copied
	remote   bool // the computer's clipboard is not the person's
}

// New makes the program. Everything that it asks for ends with ctx.
func New(ctx context.Context, options Options) *Model {
	if options.Clipboard == nil {
		options.Clipboard = systemClipboard{}
	}
	options.Others = slices.Clone(options.Others)
	m := &Model{
		ctx: ctx, options: options, global: globalKeys(), dark: true, colours: colorprofile.TrueColor, now: options.Clock(),
	}
	m.profile = &m.options.Profile
	m.voice.on = options.Accessible
	m.options.Still = options.Still || options.Accessible
	m.painted, m.ticked = m.now, m.now
	m.chooseTheme()
	m.session.project = options.Project
	return m
}

func (m *Model) chooseTheme() {
	m.theme = style.ChooseTheme(m.profile.Theme, m.dark, m.colours)
	if m.voice.on {
		m.theme = style.NoTheme()
	}
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

// Init begins with what the terminal knows and with the key that was kept.
func (m *Model) Init() tea.Cmd {
	if m.voice.on {
		return tea.Batch(m.tickClock(), m.openSession(m.profile.BaseURL))
	}
	return tea.Batch(tea.RequestBackgroundColor, m.tickClock(), m.openSession(m.profile.BaseURL))
}

// turnTo shows a page.
func (m *Model) turnTo(id page.ID) tea.Cmd {
	m.active = id
	return m.shown()
}

func (m *Model) shown() tea.Cmd { return m.pages[m.active].Shown() }

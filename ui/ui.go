// Package ui is the root of the dashboard: it holds the session, its pages and the dialogs
// over them, routes messages to them, and lays them out. API keys, gateways and clocks come
// from its caller.
package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Options are what the program is started with.
type Options struct {
	// Profile is the one to begin with, Others are those that can be switched to.
	Profile

	Others []Profile
	// Keys are those that the user gave actions.
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
	// Suspend stops the program until the shell continues it, or is nil where that is impossible.
	Suspend tea.Cmd
	// Clipboard is where texts are copied to besides the terminal's, the system's if it is left out.
	Clipboard desktop.Board
}

// Model is the root: it routes messages, and draws what the session shows.
type Model struct {
	session
	clock

	// What is known of the terminal. clusters: it counts the cells of what is drawn as one character.
	width, height int
	dark          bool
	colours       colorprofile.Profile
	clusters      bool

	theme     *style.Theme
	drawn     string                     // the screen, or empty after something happened
	labels    [page.Count][]action.Group // all actions of a page, with the keys in force
	recent    []dialog.Recent            // the commands that were chosen last
	hint      firstHint
	announcer announcer
	clipboard desktop.Clipboard
	notifier  desktop.Notifier
	click     click
}

// New makes the program. Everything that it asks for ends with ctx.
func New(ctx context.Context, options Options) *Model {
	if options.Clipboard.Read == nil {
		options.Clipboard = desktop.SystemBoard()
	}
	options.Others = slices.Clone(options.Others)
	options.Still = options.Still || options.Accessible
	now := options.Clock()
	m := &Model{
		session:   session{ctx: ctx, options: &options, profile: &options.Profile, project: options.Project},
		clock:     clock{now: now, painted: now, ticked: now},
		dark:      true,
		colours:   colorprofile.TrueColor,
		clipboard: desktop.Clipboard{Board: options.Clipboard},
	}
	for id, p := range Catalogue() { //nolint:contextcheck // its pages ask for nothing
		m.labels[id] = options.Keys.Apply(p.Name, p.Groups)
	}
	m.applyTheme()
	return m
}

// Init begins with what the terminal knows and with the key that was saved.
func (m *Model) Init() tea.Cmd {
	begin := tea.Batch(m.untilNextSecond(m.ctx), m.open(m.profile.BaseURL))
	if m.options.Accessible {
		return begin
	}
	return tea.Batch(tea.RequestBackgroundColor, begin)
}

// Leave takes a secret off the clipboard that was copied a moment ago: nobody will be
// there to do it when it is due. It belongs after the program has ended, and returns
// what is to be printed then, a line each.
func (m *Model) Leave() []string {
	m.clipboard.Leave()
	return m.dialogs.exitMessages()
}

// applyTheme draws with the theme of the profile, as far as the terminal can.
func (m *Model) applyTheme() {
	m.theme = style.ChooseTheme(m.profile.Theme, m.dark, m.colours)
	if m.options.Accessible {
		m.theme = &style.Theme{}
	}
}

// label returns how a sentence calls the key of an action of the page or of the root.
func (m *Model) label(id string) string { return action.Label(m.labels[m.active], id) }

// learn takes in what the terminal says of itself.
func (m *Model) learn(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
	case tea.ColorProfileMsg:
		m.colours = msg.Profile
	case tea.ModeReportMsg:
		// Bubble Tea asks for this one at the start.
		if msg.Mode == ansi.ModeUnicodeCore {
			m.clusters = msg.Value == ansi.ModeSet || msg.Value == ansi.ModeReset || msg.Value == ansi.ModePermanentlySet
		}
	}
	m.applyTheme()
}

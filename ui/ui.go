// Package ui is the root of the dashboard: it routes messages to the session's pages and dialogs, and lays them out.
package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Options are what the program is started with.
type Options struct {
	// Profile is the one to begin with, Others are those that can be switched to.
	Profile

	Config

	Others  []Profile
	Keys    action.Map       // those that the user gave actions
	Clock   func() time.Time // the one clock of the program
	Zone    *time.Location   // the zone in which times are local, UTC if it is left out
	NoMouse bool             // leaves the mouse to the terminal
	// Accessible says in words what happens, in place of the screen. ReduceMotion moves nothing but when something happens.
	Accessible, ReduceMotion bool
	// Filters are those that were kept on each page in earlier sessions, the newest last. KeepFilter keeps another one; it
	// is for commands, and may be nil.
	Filters    [page.Count][]string
	KeepFilter func(of page.ID, filter string)
	Suspend    tea.Cmd       // stops the program until the shell continues it, or is nil where that is impossible
	Programs   Programs      // runs the commands
	Clipboard  desktop.Board // where texts are copied to besides the terminal's, the system's if it is left out
}

// Config is what the configuration file says of the dashboard as a whole, and how that is changed.
type Config struct {
	Warning  string // what is wrong with the file, or empty
	Layout   page.Layout
	View     string // the view to begin with, or empty
	Views    []operations.View
	Commands []Command

	// SaveLayout keeps what is not zero in the layout, and SaveView a view, in place of one of the same name, whose Alert
	// and Run stay where these are zero. They are for commands. They are nil where there is no file to keep anything in.
	SaveLayout func(page.Layout) error
	SaveView   func(operations.View) error

	unsaved string // why changes last until the end of the program only, or empty
}

// forDemo returns a configuration for the demo, which changes neither the file nor what other profiles use.
func (c Config) forDemo() Config {
	c.Views = slices.Clone(c.Views)
	c.SaveLayout, c.SaveView, c.unsaved = nil, nil, "the demo changes no file"
	return c
}

// Command is a program that the user runs on the selected row.
type Command struct {
	Name, Key, Page string
	Run             []string // the program and its arguments
	Where           string   // terminal, background or output
	Confirm         string   // the question before, or empty
	AllowDash       bool     // a value may make an argument begin with -
	Footer          bool     // the footer shows it
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
	began     time.Time                  // when there was first a page to look at, or zero
	pressed   bool                       // a key, since then
	announcer announce.Speaker           // of the accessible mode, in which what happens is said in lines of words
	hinted    bool                       // it said how to get help
	leaving   bool                       // nothing is to stay behind on the screen
	clipboard desktop.Clipboard
	notifier  desktop.Notifier
	browser   desktop.Browser
	links     bool // the terminal knows hyperlinks
	click     click
	layout    layoutKeeper
}

// New makes the program. Everything that it asks for ends with ctx.
func New(ctx context.Context, options Options) *Model {
	if options.Clipboard.Read == nil {
		options.Clipboard = desktop.SystemBoard()
	}
	options.Others = slices.Clone(options.Others)
	options.ReduceMotion = options.ReduceMotion || options.Accessible
	for _, p := range options.profiles() {
		if p.Clock == nil {
			p.Clock = options.Clock
		}
	}
	if options.SaveLayout == nil {
		options.unsaved = "there is no configuration file"
	}
	now := options.Clock()
	m := &Model{
		session: session{
			ctx: ctx, options: &options, profile: &options.Profile, project: options.Project,
			demo: options.forDemo(),
		},
		clock:     clock{now: now, painted: now, ticked: now},
		dark:      true,
		colours:   colorprofile.TrueColor,
		clipboard: desktop.Clipboard{Board: options.Clipboard},
		layout:    layoutKeeper{saved: options.Layout},
	}
	for id := range page.Count {
		m.filters[id] = input.History{Entries: options.Filters[id], Save: m.saveFilter(id)}
	}
	for id, p := range Catalogue(options.Commands...) { //nolint:contextcheck // its pages ask for nothing
		m.labels[id] = options.Keys.Apply(p.Name, p.Groups)
	}
	m.applyTheme()
	return m
}

// Init begins with what the terminal knows and with the key that was saved.
func (m *Model) Init() tea.Cmd {
	m.Emit(page.Notice{Tone: style.Waiting, Text: m.options.Warning, Waits: true})
	begin := tea.Batch(m.untilNextSecond(m.ctx), m.open(m.profile.BaseURL))
	if m.options.Accessible {
		return begin
	}
	return tea.Batch(tea.RequestBackgroundColor, begin)
}

// Leave takes a secret off the clipboard, which is nobody's job later. It belongs after the program's end, and returns
// the lines to print then.
func (m *Model) Leave() (lines []string) {
	m.clipboard.Leave()
	for _, d := range m.dialogs {
		if lost := d.ExitWarning(); lost != "" {
			lines = append(lines, lost)
		}
	}
	return lines
}

// applyTheme draws with the theme of the profile, as far as the terminal can.
func (m *Model) applyTheme() {
	m.theme = style.ChooseTheme(m.profile.Theme, m.dark, m.colours).Mark(m.profile.Color)
	m.theme.Links = m.links
	if m.options.Accessible {
		m.theme = &style.Theme{}
	}
}

// label returns how a sentence calls the key of an action of the page or of the root.
func (m *Model) label(id string) string { return action.Label(m.labels[m.active], id) }

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

// layoutKeeper saves what the user changed of the layout, one change after another, and always the last one. The rest of
// the saved layout may have been changed by another program.
type layoutKeeper struct {
	busy, again bool
	saved       page.Layout // as of when it was last read or saved
}

// save saves the layout off the UI's goroutine, or once the change before is saved.
func (k *layoutKeeper) save(c *Config, to *page.Outbox) tea.Cmd {
	if k.again = k.busy; k.busy || c.SaveLayout == nil {
		return nil
	}
	k.busy = true
	layout, changed, save := c.Layout, c.Layout.Changed(k.saved), c.SaveLayout
	return func() tea.Msg {
		err := save(changed)
		return page.Result(func() tea.Cmd {
			if k.busy = false; err != nil {
				to.Report(style.Waiting, "The layout was not saved: "+err.Error())
			} else {
				k.saved = layout
			}
			if k.again {
				return k.save(c, to)
			}
			return nil
		})
	}
}

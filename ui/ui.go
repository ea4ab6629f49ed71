// Package ui is the root of the dashboard: it routes messages to the session's pages and dialogs, and lays them out.
package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Options are the options of the program.
type Options struct {
	Profile // the one to begin with

	Config

	Others  []Profile        // the other ones to switch to
	Keys    action.Map       // changed by the user
	Clock   func() time.Time // the clock of the program
	Steady  func() time.Time // a clock that is never set back, for claims about changes of keys; by default, Clock
	Zone    *time.Location   // of local times: UTC by default
	NoMouse bool             // leaves the mouse to the terminal
	NoBell  bool             // no bell, no desktop notifications, and no status for the terminal
	// Accessible announces changes in words, in place of the screen. With ReduceMotion, only news change the screen.
	Accessible, ReduceMotion bool
	// Filters are the saved ones of each page, the newest last. KeepFilter saves another one off the UI's goroutine; may be
	// nil.
	Filters    [page.Count][]string
	KeepFilter func(id page.ID, filter string)
	Suspend    tea.Cmd       // suspends the program; nil if that is impossible
	Programs   Programs      // runs the user's commands
	Clipboard  desktop.Board // besides the terminal's: by default, the system's
	Files      page.Files    // to which the user exports rows and saves secrets; required
}

// Config is the dashboard's part of the configuration file.
type Config struct {
	Warning  string // what is wrong with the file, or empty
	Layout   settings.Layout
	View     string // the view to begin with, or empty
	Views    []query.SavedView
	Commands []settings.Command

	// SaveLayout remembers the fields of a layout that are not zero. SaveView remembers a view without its Run, in place of
	// one with its name, and DeleteView forgets it. They run off the UI's goroutine, and are nil if nothing is remembered.
	SaveLayout func(settings.Layout) error
	SaveView   func(query.SavedView) error
	DeleteView func(name string) error
	// ViewText returns a view as a part of a configuration file.
	ViewText func(query.SavedView) string

	unsaved string // why changes are not saved, or empty
}

// forDemo returns a copy for the demo, whose changes are not saved.
func (c *Config) forDemo() Config {
	demo := *c
	demo.Views = slices.Clone(c.Views)
	demo.SaveLayout, demo.SaveView, demo.DeleteView = nil, nil, nil
	demo.unsaved = "the demo changes no file"
	return demo
}

// Model is the root: it routes messages, and draws what the session shows.
type Model struct {
	session  session
	clock    clock
	terminal terminal

	theme     *style.Theme
	drawn     string         // the screen, or empty if it must be drawn
	offered   []action.Group // the actions possible on that screen, or nil if it must be drawn
	behind    bool           // the screen may differ from what was drawn, by ages only
	kept      time.Time      // when it was last remembered that the operations were read, by the computer's clock
	declared  declared
	labels    [page.Count]action.Labels // of all actions of a page
	recent    []dialog.Recent           // the last chosen commands
	hint      hint
	announcer announce.Speaker // of the accessible mode
	hinted    bool             // it has announced the key for help
	leaving   bool             // the prompt must be cleared at the end
	clipboard desktop.Clipboard
	click     click
	layout    layoutKeeper
}

// New makes the program. All of its requests end with ctx.
func New(ctx context.Context, options Options) *Model {
	if options.Clipboard.Read == nil {
		options.Clipboard = desktop.SystemBoard()
	}
	options.Others = slices.Clone(options.Others)
	options.ReduceMotion = options.ReduceMotion || options.Accessible
	options.setDefaults()
	now := options.Clock()
	m := &Model{
		session: session{
			ctx: ctx, options: &options, profile: &options.Profile, project: options.Project,
			demo: options.forDemo(),
		},
		clock:     clock{now: now, painted: now, ticked: now},
		terminal:  terminal{dark: true, colours: colorprofile.TrueColor},
		clipboard: desktop.Clipboard{Board: options.Clipboard},
		layout:    layoutKeeper{saved: options.Layout},
	}
	for id := range page.Count {
		save := func(filter string) tea.Cmd { return m.session.saveFilter(id, filter) }
		m.session.filters[id] = input.History{Entries: options.Filters[id], Save: save}
	}
	m.setActions()                //nolint:contextcheck // actions get the context when they are run
	m.labels = labelsOf(&options) //nolint:contextcheck // the pages of the catalogue make no requests
	m.applyTheme()
	return m
}

// setDefaults sets the options that the others determine.
func (o *Options) setDefaults() {
	for _, p := range o.profiles() {
		if p.Clock == nil {
			p.Clock = o.Clock
		}
	}
	if o.Steady == nil {
		o.Steady = o.Clock
	}
	if o.SaveLayout == nil {
		o.unsaved = "pgtower remembers nothing here"
	}
}

// labelsOf returns the texts for the keys of all actions of each page.
func labelsOf(o *Options) (labels [page.Count]action.Labels) {
	for id, p := range Catalogue(o.Commands...) {
		labels[id] = action.LabelsOf(o.Keys.Apply(p.Name, p.Groups))
	}
	return labels
}

// Init asks the terminal for its colours, and opens a session with the saved key.
func (m *Model) Init() tea.Cmd {
	m.session.Emit(page.Notice{Tone: style.Waiting, Text: m.session.options.Warning, Waits: true})
	begin := tea.Batch(m.clock.untilNextSecond(m.session.ctx), m.session.open(m.session.profile.BaseURL))
	if m.session.options.Accessible {
		return begin
	}
	return tea.Batch(tea.RequestBackgroundColor, begin)
}

// Leave clears a secret from the clipboard, saves what is known of the key, and returns the lines to print. Call it after the
// end of the program.
func (m *Model) Leave(ctx context.Context) (lines []string) {
	m.clipboard.Leave(ctx)
	m.session.remember()
	if keep := m.session.keepSeen(); keep != nil {
		keep()
	}
	for _, d := range m.session.dialogs {
		if lost := d.ExitWarning(); lost != "" {
			lines = append(lines, lost)
		}
	}
	if open := m.session.pages.exitWarning(); open != "" {
		lines = append(lines, open)
	}
	return lines
}

// applyTheme sets the theme of the profile.
func (m *Model) applyTheme() {
	m.theme = m.terminal.themeOf(m.session.profile)
	if m.session.options.Accessible {
		m.theme = &style.Theme{}
	}
}

// label returns the key of an action, as named in a sentence.
func (m *Model) label(id string) string { return m.labels[m.session.pages.active].Of(id) }

// layoutKeeper saves the user's changes of the layout, one after the other and always the last one. It saves no more than
// the changes: another program may have changed the rest.
type layoutKeeper struct {
	busy, again bool
	saved       settings.Layout // as of when it was last read or saved
	told        bool            // the user knows that a change was not saved
}

// save saves the layout off the UI's goroutine, or once the change before is saved.
func (k *layoutKeeper) save(c *Config) tea.Cmd {
	k.again = k.busy
	if k.busy || c.SaveLayout == nil {
		return nil
	}
	k.busy = true
	layout, changed, save := c.Layout, c.Layout.Changed(k.saved), c.SaveLayout
	return func() tea.Msg { return layoutSaved{c, layout, save(changed)} }
}

type layoutSaved struct {
	config *Config // another one may be in force by now
	layout settings.Layout
	err    error
}

// wasSaved records the result of a change, and saves the one that came meanwhile.
func (k *layoutKeeper) wasSaved(s layoutSaved, outbox *page.Outbox) tea.Cmd {
	k.busy = false
	switch {
	case s.err == nil:
		k.saved = s.layout
	case !k.told:
		k.told = true
		outbox.Notify(style.Waiting, "The layout lasts until you quit: "+s.err.Error())
	}
	if k.again {
		return k.save(s.config)
	}
	return nil
}

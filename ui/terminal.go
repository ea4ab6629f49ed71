package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/desktop"
	"pgtower/ui/style"
)

// terminal has the known properties of the user's terminal.
type terminal struct {
	width, height int
	dark          bool // its background is dark
	colours       colorprofile.Profile
	clusters      bool // it measures grapheme clusters, not code points
	links         bool // it supports hyperlinks
	remote        bool // it is connected by SSH
	tmux          desktop.Tmux
	notifier      desktop.Notifier
	browser       desktop.Browser
}

// reported records a report of the terminal. Other messages change nothing.
func (t *terminal) reported(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		t.width, t.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		t.dark = msg.IsDark()
	case tea.ColorProfileMsg:
		t.colours = msg.Profile
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore { // Bubble Tea requests this mode at the start
			modes := []ansi.ModeSetting{ansi.ModeSet, ansi.ModeReset, ansi.ModePermanentlySet}
			t.clusters = slices.Contains(modes, msg.Value)
		}
	case tea.EnvMsg:
		t.notifier = desktop.NotifierOf(msg.Getenv)
		t.browser = desktop.BrowserOf(msg.Getenv)
		t.links = desktop.Links(msg.Getenv)
		t.remote = msg.Getenv("SSH_CONNECTION") != ""
		t.tmux = desktop.TmuxOf(msg.Getenv)
	}
}

// themeOf returns the theme of a profile, as far as the terminal supports it.
func (t *terminal) themeOf(p *Profile) *style.Theme {
	theme := style.ChooseTheme(p.Theme, t.dark, t.colours).Mark(p.Color)
	theme.Links = t.links
	return theme
}

// ring rings the bell, and notifies the desktop. tmux is asked for its terminal each time: a session may be attached elsewhere.
func (t *terminal) ring(ctx context.Context, text string) tea.Cmd {
	ring := tea.Raw(bell + t.notifier.Sequence(text))
	if !t.tmux.Inside() {
		return ring
	}
	tmux := t.tmux
	return tea.Batch(ring, func() tea.Msg { return notifyOutside(ctx, tmux, text) })
}

// notifyOutside returns the notification for the terminal around tmux, or nil if it would not arrive.
func notifyOutside(ctx context.Context, tmux desktop.Tmux, text string) tea.Msg {
	outside, err := tmux.Outside(ctx)
	sequence := outside.Sequence(text)
	if err != nil || sequence == "" {
		return nil
	}
	return tea.RawMsg{Msg: sequence}
}

package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/page"
)

// fromTerminal takes in what the terminal says of itself.
func (m *Model) fromTerminal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.chooseTheme()
	case tea.ColorProfileMsg:
		m.colours = msg.Profile
		m.chooseTheme()
	case tea.ModeReportMsg:
		// Bubble Tea asks for this one at the start.
		if msg.Mode == ansi.ModeUnicodeCore {
			m.clusters = msg.Value == ansi.ModeSet || msg.Value == ansi.ModeReset || msg.Value == ansi.ModePermanentlySet
		}
	case tea.EnvMsg:
		m.notifier = notifierOf(msg.Getenv)
		m.remote = msg.Getenv("SSH_CONNECTION") != ""
	case tea.ResumeMsg:
		// Its timers went on without it, so that the clock alone would not tell.
		return m.broadcast(page.Woke{})
	case tea.FocusMsg:
		m.tellLooked()
	}
	return nil
}

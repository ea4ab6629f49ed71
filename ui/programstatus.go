package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// programStatus returns what the program is doing, for terminals that show it (OSC 7501): blocked while it needs a key,
// error after an alert that the user has not seen, working while a watched operation runs, and otherwise idle. The end of
// the program writes [StatusAtEnd].
func (m *Model) programStatus() *tea.ProgramStatus {
	s := &m.session
	if s.options.NoBell {
		return nil
	}
	out := idle()
	switch {
	case s.over() || s.signin != nil:
		out.State, out.Kind = tea.ProgramStateBlocked, tea.ProgramStatusKindAuth
		out.Message = "an API key is needed"
	case s.seen.alerts.unseen != "":
		out.State, out.Message = tea.ProgramStateError, s.seen.alerts.unseen
	case s.pages.watching():
		out.State = tea.ProgramStateWorking
	}
	return out
}

func idle() *tea.ProgramStatus {
	return &tea.ProgramStatus{State: tea.ProgramStateIdle, App: "pgtower"}
}

// StatusAtEnd tells the terminal that the program is idle: the terminal keeps the last status. It is also for an end by a
// signal or a panic, after which the model draws nothing.
func StatusAtEnd() string { return ansi.SetProgramStatus(*idle()) }

// alerted keeps the text of a failure until the user looks.
func (a *alerts) alerted(e page.Alert) {
	if e.Tone == style.Bad {
		a.unseen = e.Text
	}
}

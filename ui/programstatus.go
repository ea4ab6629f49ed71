package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// programStatus tells terminals that show it what the program is doing (OSC 7501): blocked while it needs a key, error with
// the reason after an alert that nobody has seen, working while something watched runs, and else idle.
// Whatever ends the program writes [StatusAtEnd].
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

// StatusAtEnd tells the terminal, which keeps what it was told last, that nothing goes on. It is also for an end by a
// signal or a panic, after which the model draws nothing.
func StatusAtEnd() string { return ansi.SetProgramStatus(*idle()) }

// alerted keeps what went wrong until the user looks.
func (a *alerts) alerted(e page.Alert) {
	if e.Tone == style.Bad {
		a.unseen = e.Text
	}
}

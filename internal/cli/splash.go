package cli

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// splash is the root of the program: its name on the screen, and from the second frame on
// the dashboard. So the user sees that the program is there before anything is asked of disk,
// keyring or network, however long that takes.
type splash struct {
	ctx     context.Context //nolint:containedctx // the program's lifetime
	spoken  bool            // nothing is drawn
	suspend tea.Cmd         // gives the terminal back to the shell; nil where there is no such thing
	begin   func() (*session, error)

	session *session // nil until the dashboard has begun
	err     error    // why it has not
	early   []tea.Msg
}

// begun is the dashboard, or why there is none.
type begun struct {
	session *session
	err     error
}

// answerWait is how long a terminal, however far away, has to answer what Bubble Tea asks
// at the start. An answer to a program that has ended would appear on the shell's prompt.
const answerWait = 150 * time.Millisecond

// Init begins the dashboard once the first frame is there.
func (s *splash) Init() tea.Cmd {
	wait := func(d time.Duration) { page.After(s.ctx, d, nil)() }
	return func() tea.Msg {
		wait(time.Second / framesPerSecond)
		session, err := s.begin()
		if err != nil {
			wait(answerWait)
		}
		return begun{session, err}
	}
}

// Update is the dashboard's once there is one, which then gets what came before it, such as the size of the screen.
func (s *splash) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if s.session != nil {
		_, cmd := s.session.model.Update(msg)
		return s, cmd
	}
	switch msg := msg.(type) {
	case begun:
		if s.session, s.err = msg.session, msg.err; s.err != nil {
			return s, tea.Quit
		}
		cmds := []tea.Cmd{s.session.model.Init()}
		for _, msg := range s.early {
			_, cmd := s.session.model.Update(msg)
			cmds = append(cmds, cmd)
		}
		s.early = nil
		return s, tea.Batch(cmds...)
	case tea.KeyPressMsg:
		switch {
		case msg.String() == "ctrl+c":
			return s, tea.Quit
		case msg.String() == "ctrl+z" && s.suspend != nil:
			return s, s.suspend
		}
	}
	s.early = append(s.early, msg)
	return s, nil
}

// View is the program's name where the dashboard has it too, or the dashboard.
func (s *splash) View() tea.View {
	if s.session != nil {
		return s.session.model.View()
	}
	if s.spoken {
		return tea.NewView("")
	}
	v := tea.NewView(" pgtower")
	v.AltScreen = true
	return v
}

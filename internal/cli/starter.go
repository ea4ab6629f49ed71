package cli

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// starter is the root of the program: its name on the screen, and from the second frame on
// the dashboard. A person sees that the program is there before anything is asked of disk,
// keyring or network, however long that takes.
type starter struct {
	ctx     context.Context //nolint:containedctx // the program's lifetime
	spoken  bool            // nothing is drawn
	suspend tea.Cmd         // gives the terminal back to the shell; nil where there is no such thing
	begin   func() (*session, error)

	session *session // nil until the dashboard has begun
	err     error    // why it has not
	// early is what came before it, such as how large the screen is.
	early []tea.Msg
}

type (
	// firstFrame says that the first frame is on the screen.
	firstFrame struct{}
	// begun is the dashboard, or why there is none.
	begun struct {
		session *session
		err     error
	}
	// answered says that the terminal has had time to answer what it was asked.
	answered struct{}
)

// answerWait is how long a terminal, however far away, has to answer what Bubble Tea asks
// at the start. An answer to a program that has ended would stand on the shell's prompt.
const answerWait = 150 * time.Millisecond

// Init waits for the first frame.
func (s *starter) Init() tea.Cmd {
	return page.After(s.ctx, time.Second/framesPerSecond, firstFrame{})
}

// Update begins the dashboard, and is the dashboard's from then on.
func (s *starter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if s.session != nil {
		_, cmd := s.session.model.Update(msg)
		return s, cmd
	}
	switch msg := msg.(type) {
	case firstFrame:
		begin := s.begin
		return s, func() tea.Msg {
			session, err := begin()
			return begun{session, err}
		}
	case begun:
		if s.session, s.err = msg.session, msg.err; s.err != nil {
			return s, page.After(s.ctx, answerWait, answered{})
		}
		cmds := []tea.Cmd{s.session.model.Init()}
		for _, msg := range s.early {
			_, cmd := s.session.model.Update(msg)
			cmds = append(cmds, cmd)
		}
		s.early = nil
		return s, tea.Batch(cmds...)
	case answered:
		return s, tea.Quit
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
func (s *starter) View() tea.View {
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

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
	ctx    context.Context //nolint:containedctx // the program's lifetime
	spoken bool            // nothing is drawn
	begin  func() (*session, error)

	session *session // nil until the dashboard has begun
	err     error    // why it has not
	// early is what came before it, such as how large the screen is.
	early []tea.Msg
}

func newStarter(ctx context.Context, spoken bool, begin func() (*session, error)) *starter {
	return &starter{ctx: ctx, spoken: spoken, begin: begin}
}

type (
	// firstFrame says that the first frame is on the screen.
	firstFrame struct{}
	// begun is the dashboard, or why there is none.
	begun struct {
		session *session
		err     error
	}
)

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
		if msg.String() == "ctrl+c" {
			return s, tea.Quit
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

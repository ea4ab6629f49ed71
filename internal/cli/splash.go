package cli

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui"
)

// framesPerSecond is Bubble Tea's maximum. At its default of 60, a key takes 12 ms instead of 6.
const framesPerSecond = 120

// splash is the root model. Its first frame has the program's name only, so it comes soon, even if keyring and network are slow.
// The dashboard begins meanwhile, and is shown from the second frame on.
type splash struct {
	spoken  bool    // accessible mode: nothing is drawn
	suspend tea.Cmd // nil if the program cannot be suspended
	begin   func() *ui.Model

	model *ui.Model // nil until the dashboard has begun
	early []tea.Msg // for the dashboard
	drawn bool      // the first frame
}

// firstFrame is the message that the first frame was drawn.
type firstFrame struct{}

// Init starts the dashboard.
func (s *splash) Init() tea.Cmd {
	return tea.Batch(s.start, tea.Tick(3*time.Second/framesPerSecond/2, drawn))
}

func (s *splash) start() tea.Msg { return s.begin() }

func drawn(time.Time) tea.Msg { return firstFrame{} }

// Update passes messages to the dashboard, at its start also the earlier ones, such as the size of the screen.
func (s *splash) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(firstFrame); ok {
		s.drawn = true
		return s, nil
	}
	if s.model != nil {
		_, cmd := s.model.Update(msg)
		return s, cmd
	}
	switch msg := msg.(type) {
	case *ui.Model:
		s.model = msg
		cmds := []tea.Cmd{s.model.Init()}
		for _, msg := range s.early {
			_, cmd := s.model.Update(msg)
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

// View returns the dashboard's view, before it the program's name at the place where the dashboard shows it.
func (s *splash) View() tea.View {
	if s.model != nil && (s.drawn || s.spoken) {
		return s.model.View()
	}
	if s.spoken {
		return tea.NewView("")
	}
	v := tea.NewView(" pgtower")
	v.AltScreen = true
	return v
}

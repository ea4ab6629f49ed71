package crash

import tea "charm.land/bubbletea/v2"

// Model is the program's root with a guard around everything that Bubble Tea calls. After
// a panic the root is not called any more: its state may be anything.
func (g *Guard) Model(root tea.Model) tea.Model { return &guarded{guard: g, root: root} }

type guarded struct {
	guard *Guard
	root  tea.Model
	last  tea.View
}

// Init guards Init.
func (m *guarded) Init() (cmd tea.Cmd) {
	defer m.guard.Catch()
	return m.guard.command(m.root.Init())
}

// Update guards Update.
func (m *guarded) Update(msg tea.Msg) (self tea.Model, cmd tea.Cmd) {
	self = m
	defer m.guard.Catch()
	if m.guard.Caught() != nil {
		return m, nil
	}
	m.root, cmd = m.root.Update(msg)
	return m, m.guard.command(cmd)
}

// View guards View. After a panic it is the last good one: what that switched on in the
// terminal, Bubble Tea switches off at its end.
func (m *guarded) View() (v tea.View) {
	v = m.last
	defer m.guard.Catch()
	if m.guard.Caught() == nil {
		m.last = m.root.View()
	}
	return m.last
}

// command guards a command, and those of the batch that it may return. Commands run on
// goroutines of their own.
func (g *Guard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.Catch()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			guarded := make(tea.BatchMsg, len(batch))
			for i, c := range batch {
				guarded[i] = g.command(c)
			}
			return guarded
		}
		return msg
	}
}

// Command empty is a minimal Bubble Tea program: it shows one line on the alternate screen and counts the keys. Any Bubble Tea
// program needs at least its time and memory, so pgtower is compared with it.
package main

import (
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
)

type model struct{ keys int }

func (model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		if k.String() == "q" {
			return m, tea.Quit
		}
		m.keys++
	}
	return m, nil
}

func (m model) View() tea.View {
	v := tea.NewView(fmt.Sprintf("keys %d", m.keys))
	v.AltScreen = true
	v.ReportFocus = true
	return v
}

func main() {
	if _, err := tea.NewProgram(model{}, tea.WithFPS(120)).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "empty:", err)
		os.Exit(1)
	}
}

// Command stage is a small Bubble Tea program for the tests of termtest: it shows its input, and the kinds of text that
// a screen can hold.
package main

import (
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

type stage struct {
	size  string
	typed string
	event string
}

func (s stage) Init() tea.Cmd { return nil }

func (s stage) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.size = fmt.Sprintf("%dx%d", msg.Width, msg.Height)
	case tea.PasteMsg:
		s.event = fmt.Sprintf("paste %q", msg.Content)
	case tea.KeyPressMsg:
		return s.press(msg)
	}
	return s, nil
}

func (s stage) press(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	s.event = "key " + msg.String()
	switch msg.String() {
	case "ctrl+q":
		return s, tea.Quit
	case "ctrl+b":
		return s, tea.Raw("\a")
	}
	s.typed += msg.Text
	return s, nil
}

func (s stage) View() tea.View {
	red := lipgloss.NewStyle().Foreground(lipgloss.Color("#ff5f5f"))
	lines := []string{
		"size " + s.size,
		"typed " + s.typed,
		"event " + s.event,
		red.Render("red") + " " + red.Bold(true).Render("bold") + " " + red.Reverse(true).Render("reverse") +
			" " + lipgloss.NewStyle().Foreground(lipgloss.Red).Underline(true).Render("basic"),
		"wide 日本語 é 👩‍👩‍👧 end",
	}
	frame := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Padding(0, 1)
	v := tea.NewView(frame.Render(strings.Join(lines, "\n")))
	v.AltScreen = true
	v.WindowTitle = "stage; " + s.typed
	return v
}

func main() {
	if _, err := tea.NewProgram(stage{}).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(7)
}

package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
)

// doubleClick is how soon the second click of a double click follows the first.
const doubleClick = 400 * time.Millisecond

// click is where and when the mouse was pressed last.
type click struct {
	x, y int
	at   time.Time
}

// mouse does what the key does that the mouse points at.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		if at.Button != tea.MouseLeft || m.tooSmall() {
			return nil
		}
		return m.clicked(at.X, at.Y)
	}
	return nil
}

func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	by := map[tea.MouseButton]string{tea.MouseWheelUp: "up", tea.MouseWheelDown: "down"}[msg.Button]
	if by == "" {
		return nil
	}
	const lines = 3
	var cmds []tea.Cmd
	for range lines {
		cmds = append(cmds, m.press(keys.Press(by)))
	}
	return tea.Batch(cmds...)
}

func (m *Model) clicked(x, y int) tea.Cmd {
	last, now := m.click, m.options.Clock()
	m.click = click{x, y, now}
	double := last.x == x && last.y == y && now.Sub(last.at) <= doubleClick
	switch {
	case y == m.height-1:
		return m.clickFooter(x)
	case len(m.dialogs) > 0:
		return m.clickDialog(x, y)
	case !m.signedIn() || m.signin != nil:
		return nil
	case y == 0:
		return m.clickTabs(x)
	case y < headerLines || y >= m.height-footerLines:
		return nil
	}
	cmd := m.pages[m.active].Update(page.Click{X: x, Y: y - headerLines, Width: m.width})
	const above = headerLines + 2 // the strip, and the titles of the columns
	if double && y >= above {
		cmd = tea.Batch(cmd, m.press(keys.Press("enter")))
	}
	return cmd
}

// clickFooter presses the key of the hint at x.
func (m *Model) clickFooter(x int) tea.Cmd {
	at := 1
	for _, h := range m.footerHints() {
		width := text.Width(h.text)
		if x >= at && x < at+width {
			return m.press(keys.Press(h.action.Own()[0]))
		}
		at += width + hintGap
	}
	return nil
}

// clickTabs turns to the page whose tab is at x.
func (m *Model) clickTabs(x int) tea.Cmd {
	line, global := ansi.Strip(m.header()), m.global
	for id := range page.Count {
		label := " " + m.tab(global.pages[id])
		if label != " " {
			label += " "
		}
		if i := strings.Index(line, label+id.Title()); i >= 0 {
			label += id.Title() + " "
		}
		i := strings.Index(line, label)
		if from := text.Width(line[:max(0, i)]); i >= 0 && x >= from && x < from+text.Width(label) {
			return m.turnTo(id)
		}
	}
	return nil
}

// clickDialog tells the dialog on top which of its words was clicked, as buttons are
// words that stand apart.
func (m *Model) clickDialog(x, y int) tea.Cmd {
	lines := strings.Split(ansi.Strip(m.screen()), "\n")
	if y >= len(lines) {
		return nil
	}
	at := 0
	for word := range strings.SplitSeq(lines[y], "  ") {
		width := text.Width(word)
		if x >= at && x < at+width {
			return m.toDialog(page.Pressed{Label: strings.Trim(word, "[] │")})
		}
		at += width + 2
	}
	return nil
}

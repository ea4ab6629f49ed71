package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// doubleClick is how soon the second click of a double click follows the first.
	doubleClick = 400 * time.Millisecond
	// wheelLines is how many lines the wheel turns by.
	wheelLines = 3
)

// click is where and when the mouse was pressed last.
type click struct {
	x, y int
	at   time.Time
}

// mouse does what the mouse points at.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.tooSmall() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		by := map[tea.MouseButton]int{tea.MouseWheelUp: -wheelLines, tea.MouseWheelDown: wheelLines}[msg.Button]
		switch {
		case by == 0:
		case len(m.dialogs) > 0:
			return m.dialogs.top().Update(page.Wheel{By: by})
		case m.signin == nil:
			return m.toPage(m.active, page.Wheel{By: by})
		}
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return m.clicked(msg.X, msg.Y)
		}
	}
	return nil
}

func (m *Model) clicked(x, y int) tea.Cmd {
	last, now := m.click, m.options.Clock()
	m.click = click{x, y, now}
	switch {
	case y == m.height-1:
		if a, ok := action.NewBar(m.theme, m.width, m.actions()).At(x); ok {
			return m.do(a)
		}
	case len(m.dialogs) > 0:
		// What is left of a double click that has closed a dialog is not for the row below.
		m.click = click{}
		f := m.frame(m.height - footerLines)
		box := m.dialogs.top().View(f)
		left, top := style.Middle(box, f.Width, f.Height)
		return m.dialogs.top().Update(page.Pressed{X: x - left, Y: y - top, Frame: f})
	case m.signin != nil:
		f := m.frame(m.height - chrome)
		if _, left, top := m.signinBox(f); !m.signin.Unmeant(now) {
			return m.signin.Update(page.Pressed{X: x - left, Y: y - headerLines - top, Frame: f})
		}
	case !m.live():
	case y == 0:
		if id, ok := m.tabAt(x); ok {
			return m.show(id)
		}
	case y >= headerLines && y < m.height-footerLines:
		double := last.x == x && last.y == y && now.Sub(last.at) <= doubleClick
		return m.toPage(m.active, page.Click{X: x, Y: y - headerLines, Width: m.width, Double: double})
	}
	return nil
}

// tabAt returns the page whose tab is at x.
func (m *Model) tabAt(x int) (page.ID, bool) {
	line := ansi.Strip(m.header())
	for id := range page.Count {
		key := m.tabKey(id)
		for _, label := range []string{strings.TrimSpace(key + " " + id.Title()), key} {
			if i := strings.Index(line, " "+label+" "); i >= 0 && label != "" {
				if from := style.Width(line[:i]); x >= from && x < from+style.Width(label)+2 {
					return id, true
				}
				break
			}
		}
	}
	return 0, false
}

package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/page"
)

const (
	doubleClick = 400 * time.Millisecond // the maximum time between the clicks of a double click
	wheelLines  = 3                      // the number of lines of a turn of the wheel
)

// click is the last click.
type click struct {
	x, y int
	at   time.Time
	page bool // it was on the page
}

func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.tooSmall() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseMotionMsg:
		cells := msg.X - m.click.x
		if msg.Button == tea.MouseLeft && cells != 0 && m.click.page && m.session.front() == nil {
			m.click.x = msg.X
			return m.session.toFront(page.Drag{By: cells})
		}
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return m.clicked(msg.X, msg.Y)
		}
	}
	return nil
}

func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	lines, front := 0, m.session.front()
	switch msg.Button {
	case tea.MouseWheelUp:
		lines = -wheelLines
	case tea.MouseWheelDown:
		lines = wheelLines
	default:
		return nil
	}
	if front != nil {
		return front.Update(page.Wheel{By: lines})
	}
	zooms := msg.Mod.Contains(tea.ModCtrl)
	return m.session.toFront(page.Wheel{X: msg.X, Y: msg.Y - headLines, By: lines, Zooms: zooms})
}

func (m *Model) clicked(x, y int) tea.Cmd {
	last, now := m.click, m.session.options.Clock()
	m.click = click{x: x, y: y, at: now}
	bottom, front := m.terminal.height-1, m.session.front()
	switch {
	case m.session.unmeant():
		m.click = click{}
	case y == bottom && m.terminal.footLines() == 1 && m.notice() != "": // which hides the actions
	case y == bottom:
		a, ok := action.NewBar(m.theme, m.terminal.width, m.actions()).At(x)
		if ok {
			return m.do(a)
		}
	case front != nil:
		// The second click of a double click that closed a dialog is not for the row below.
		m.click = click{}
		f, _, left, top := m.box(front)
		return front.Update(page.Pressed{X: x - left, Y: y - top, Frame: f})
	case !m.session.live():
	case y == 0:
		h := m.header()
		id, ok := h.tabAt(x)
		if ok {
			return m.session.pages.show(id)
		}
	case y < headLines+m.terminal.pageLines():
		m.click.page = true
		double := last.x == x && last.y == y && now.Sub(last.at) <= doubleClick
		return m.session.toFront(page.Click{X: x, Y: y - headLines, Double: double})
	}
	return nil
}

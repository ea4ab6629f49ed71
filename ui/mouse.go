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

// wheelLines is how many lines the wheel turns by.
const wheelLines = 3

func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	by := map[tea.MouseButton]int{tea.MouseWheelUp: -wheelLines, tea.MouseWheelDown: wheelLines}[msg.Button]
	switch {
	case by == 0 || m.tooSmall():
	case len(m.dialogs) > 0:
		return m.toDialog(page.Wheel{By: by})
	case m.signedIn() && m.signin == nil:
		return m.pages[m.active].Update(page.Wheel{By: by})
	}
	return nil
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
	case m.signin != nil:
		f := m.frame(m.height - chrome)
		box, left, top := m.signin.Box(f)
		if p, ok := within(box, left, top, f, x, y-headerLines); ok {
			return m.toSignin(p)
		}
		return nil
	case !m.signedIn():
		return nil
	case y == 0:
		return m.clickTabs(x)
	case y < headerLines || y >= m.height-footerLines:
		return nil
	}
	cmd := m.pages[m.active].Update(page.Click{X: x, Y: y - headerLines, Width: m.width})
	const above = headerLines + 2 // the strip, and the titles of the columns
	if double && y >= above {
		cmd = tea.Batch(cmd, m.press(action.Press("enter")))
	}
	return cmd
}

// clickDialog tells the dialog on top where it was clicked. Only the page knows double
// clicks: what is left of one when it has closed a dialog is not for the row below.
func (m *Model) clickDialog(x, y int) tea.Cmd {
	m.click = click{}
	f := m.frame(m.height - footerLines)
	box := m.dialogs[len(m.dialogs)-1].View(f)
	left, top := style.Middle(box, f.Width, f.Height)
	p, ok := within(box, left, top, f, x, y)
	if !ok {
		return nil
	}
	return m.toDialog(p)
}

// within is where a click at x, y of the frame is in the box that begins at left, top:
// counted from the first cell of what the box holds.
func within(box string, left, top int, f page.Frame, x, y int) (page.Pressed, bool) {
	const border, beside = 1, 2 // the border, and with it the space beside it
	width, height := style.Width(ansi.Strip(firstLine(box))), strings.Count(box, "\n")+1
	p := page.Pressed{X: x - left - beside, Y: y - top - border, Frame: f}
	return p, p.X >= 0 && p.X < width-2*beside && p.Y >= 0 && p.Y < height-2*border
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// clickFooter presses the key of the hint at x.
func (m *Model) clickFooter(x int) tea.Cmd {
	at := 0
	for _, h := range m.footerHints() {
		width := style.Width(h.text)
		if x >= at && x < at+width {
			if k, ok := action.Reach(m.declaredKeys(), h.action); ok {
				return m.press(k)
			}
			return nil
		}
		at += width
	}
	return nil
}

// clickTabs turns to the page whose tab is at x.
func (m *Model) clickTabs(x int) tea.Cmd {
	line, global := ansi.Strip(m.header()), m.global
	for id := range page.Count {
		key := m.tab(global.pages[id])
		for _, label := range []string{strings.TrimSpace(key + " " + id.Title()), key} {
			if i := strings.Index(line, " "+label+" "); i >= 0 && label != "" {
				if from := style.Width(line[:i]); x >= from && x < from+style.Width(label)+2 {
					return m.turnTo(id)
				}
				break
			}
		}
	}
	return nil
}

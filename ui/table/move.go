package table

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
)

// moves are the keys that move the selection.
type moves struct {
	up, down, pageUp, pageDown, halfUp, halfDown, top, bottom action.Action
}

func moveKeys() moves {
	return moves{
		up:       action.New("↑/k", "up", "up", "k").Named("up"),
		down:     action.New("↓/j", "down", "down", "j").Named("down"),
		pageUp:   action.New("pgup", "page up", "pgup", "ctrl+b").Named("page-up"),
		pageDown: action.New("pgdn", "page down", "pgdown", "ctrl+f").Named("page-down"),
		halfUp:   action.New("ctrl+u", "half a page up", "ctrl+u").Named("half-up"),
		halfDown: action.New("ctrl+d", "half a page down", "ctrl+d").Named("half-down"),
		top:      TopKey(),
		bottom:   action.New("G", "to the bottom", "G", "end").Named("bottom"),
	}
}

// TopKey declares the key that moves to where new rows appear.
func TopKey() action.Action {
	return action.New("g", "to the top", "g", "home").Named("top")
}

// ListKeys declares the keys that move the selection.
func ListKeys() action.Group {
	k := moveKeys()
	return action.Group{Title: "Move", Movement: true, Actions: []action.Action{
		k.up, k.down, k.pageUp, k.pageDown, k.halfUp, k.halfDown, k.top, k.bottom,
	}}
}

// LineKeys declares those that a detail leaves, which is itself turned by the page.
func LineKeys() action.Group {
	k := moveKeys()
	return action.Group{Title: "Move", Movement: true, Actions: []action.Action{k.up, k.down, k.top, k.bottom}}
}

// SelectLine selects the row on a line of the screen, the first row shown being on line
// 0, and reports whether there is one.
func (m *List[R, K]) SelectLine(line int, now time.Time) bool {
	if line >= m.height || m.offset+line >= m.Len() || !m.Choose(now) {
		return false
	}
	if row := m.offset + line; row != m.cursor {
		m.step(row)
	}
	return true
}

// Move moves the selection by as many rows.
func (m *List[R, K]) Move(by int, now time.Time) {
	m.Choose(now)
	m.step(m.cursor + by)
}

// Update moves the selection if the key is one that does, and reports whether it is. The
// key to the top follows it again.
func (m *List[R, K]) Update(msg tea.KeyPressMsg, now time.Time) bool {
	k, page := m.moves, max(1, m.height-1)
	by, scroll := 0, 0
	switch {
	case k.up.Pressed(msg):
		by = -1
	case k.down.Pressed(msg):
		by = 1
	case k.pageUp.Pressed(msg):
		by, scroll = -page, -page
	case k.pageDown.Pressed(msg):
		by, scroll = page, page
	case k.halfUp.Pressed(msg):
		by = -max(1, page/2)
	case k.halfDown.Pressed(msg):
		by = max(1, page/2)
	case k.top.Pressed(msg):
		by = -m.Len()
	case k.bottom.Pressed(msg):
		by = m.Len()
	default:
		return false
	}
	m.Choose(now)
	m.offset += scroll
	m.step(m.cursor + by)
	if k.top.Pressed(msg) {
		m.Hold(false)
	}
	return true
}

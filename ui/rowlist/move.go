package rowlist

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/keys"
)

// moves are the keys that move the selection.
type moves struct {
	up, down, pageUp, pageDown, halfUp, halfDown, top, bottom keys.Action
}

func moveKeys() moves {
	return moves{
		up:       keys.New("↑/k", "up", "up", "k"),
		down:     keys.New("↓/j", "down", "down", "j"),
		pageUp:   keys.New("pgup", "page up", "pgup", "ctrl+b"),
		pageDown: keys.New("pgdn", "page down", "pgdown", "ctrl+f"),
		halfUp:   keys.New("ctrl+u", "half a page up", "ctrl+u"),
		halfDown: keys.New("ctrl+d", "half a page down", "ctrl+d"),
		top:      keys.New("g", "to the top", "g", "home"),
		bottom:   keys.New("G", "to the bottom", "G", "end"),
	}
}

// Keys declares the keys that move the selection.
func Keys() keys.Group {
	k := moveKeys()
	return keys.Group{Title: "Move", Movement: true, Actions: []keys.Action{
		k.up, k.down, k.pageUp, k.pageDown, k.halfUp, k.halfDown, k.top, k.bottom,
	}}
}

// SelectLine selects the row on a line of the screen, the first row shown being on line
// 0, if there is one.
func (m *Model[R, K]) SelectLine(line int) {
	if row := m.offset + line; line < m.height && row < m.Len() {
		m.before = nil
		m.moveTo(row)
	}
}

// Update moves the selection if the key is one that does, and says whether it was.
func (m *Model[R, K]) Update(msg tea.KeyPressMsg) bool {
	k, page := moveKeys(), max(1, m.height-1)
	switch {
	case k.up.Pressed(msg):
		m.moveTo(m.cursor - 1)
	case k.down.Pressed(msg):
		m.moveTo(m.cursor + 1)
	case k.pageUp.Pressed(msg):
		m.offset -= page
		m.moveTo(m.cursor - page)
	case k.pageDown.Pressed(msg):
		m.offset += page
		m.moveTo(m.cursor + page)
	case k.halfUp.Pressed(msg):
		m.moveTo(m.cursor - max(1, page/2))
	case k.halfDown.Pressed(msg):
		m.moveTo(m.cursor + max(1, page/2))
	case k.top.Pressed(msg):
		m.moveTo(0)
	case k.bottom.Pressed(msg):
		m.moveTo(m.Len() - 1)
	default:
		return false
	}
	m.before = nil
	return true
}

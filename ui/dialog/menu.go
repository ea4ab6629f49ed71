package dialog

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// menu is a list with a selected item. The selected item is drawn in the middle, unless the mouse selected it: nothing
// moves from under the mouse.
type menu struct {
	cursor  int
	pointed bool // the mouse selected the item
	first   int  // the first of the items that were drawn last
}

// move selects another of n items, or the first or the last one.
func (m *menu) move(step, n int) { m.cursor, m.pointed = max(0, min(m.cursor+step, n-1)), false }

// rows draws as many of n items as fit in the room. A click selects an item; a second one calls press.
func (m *menu) rows(
	f page.Frame, n, room int, draw func(f page.Frame, i int) string, press func() tea.Cmd,
) (rows []row) {
	first := m.cursor - room/2
	if m.pointed {
		// There may be less room now: the selected item must show.
		first = max(min(m.first, m.cursor), m.cursor-room+1)
	}
	m.first = max(0, min(first, n-room))
	for i := m.first; i < min(m.first+room, n); i++ {
		rows = append(rows, row{draw(f, i), func(int) tea.Cmd { return m.point(i, press) }})
	}
	return rows
}

// point selects the item under the mouse, or calls press if the mouse selected it before.
func (m *menu) point(i int, press func() tea.Cmd) tea.Cmd {
	if m.pointed && m.cursor == i {
		return press()
	}
	m.cursor, m.pointed = i, true
	return nil
}

// drawItem draws an item of a menu and its note.
func drawItem(f page.Frame, selected, off bool, item, note string) string {
	switch {
	case selected:
		return f.Theme.Paint(style.Selected, style.Fit("▌ "+item+note, f.Width))
	case off:
		return f.Theme.Paint(style.Muted, "  "+item+note)
	}
	return "  " + item + f.Theme.Paint(style.Muted, note)
}

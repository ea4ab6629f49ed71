package table

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// wheel scrolls the open detail, or moves in the rows.
func (m *Model[R, K]) wheel(by int) {
	if m.open {
		m.scroll = max(0, min(m.scroll+by, m.lines-m.height))
		return
	}
	m.list.Move(by, m.Session.ServiceNow())
	m.scroll = 0
}

// clicked selects the row at the click, or sorts by the column whose title is there: the
// other way round if the rows are sorted by it already. The first line is the strip's.
func (m *Model[R, K]) clicked(at page.Click) tea.Cmd {
	width, _ := m.widths(at.Width)
	switch {
	case m.open || m.list.Len() == 0 || at.X >= width:
	case at.Y == 1:
		column, ok := m.list.ColumnAt(at.X, width)
		if !ok || m.Columns[column].Compare == nil {
			return nil
		}
		by, reverse := m.list.Sorted()
		m.list.Sort(column, by == column && !reverse)
		return m.arrange()
	case at.Y > 1:
		if m.list.SelectLine(at.Y-2, m.Session.ServiceNow()) {
			m.scroll = 0
		}
	}
	return nil
}

package table

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// name is the name of a column in lists and in the configuration.
func (c *Column[R]) name() string { return strings.ToLower(c.Title) }

// Chosen returns the names of the columns that the user chose, or none.
func (m *Model[R]) Chosen() []string {
	if m.Fixed {
		return nil
	}
	if m.OwnColumns != nil {
		if own := m.OwnColumns(); len(own) > 0 {
			return own
		}
	}
	return *m.Session.Layout.Columns(m.Page)
}

// columnOrder returns the columns to show in their order: the leading one, those that the user chose, and the one that the
// rows are sorted by. Without a choice, or if all of it is hidden, they are all; extra are then the [Column.Extra] ones.
func (m *Model[R]) columnOrder() (on, extra []int) {
	add := func(i int) {
		if i >= 0 && !slices.Contains(on, i) {
			on = append(on, i)
		}
	}
	find := func(name string) int {
		return slices.IndexFunc(m.Columns, func(c Column[R]) bool { return c.name() == name && !c.hidden() })
	}
	if m.Lead != nil {
		add(find(m.Lead()))
	}
	led := len(on)
	for _, name := range m.Chosen() {
		add(find(name))
	}
	if len(on) == led {
		for i := range m.Columns {
			if !m.Columns[i].Extra || i == m.want.column {
				add(i)
			} else {
				extra = append(extra, i)
			}
		}
	}
	add(m.want.column) // does nothing in the default order
	extra = slices.DeleteFunc(extra, func(i int) bool { return slices.Contains(on, i) })
	return on, extra
}

// chooseColumns lets the user order the columns, and turn each on or off.
func (m *Model[R]) chooseColumns() {
	own := m.Chosen()
	items := make([]dialog.Choice, len(m.Columns))
	for i := range m.Columns {
		c := &m.Columns[i]
		items[i] = dialog.Choice{Name: c.name(), On: !c.Extra}
		if c.Extra {
			items[i].Note = "shown where there is room"
		}
	}
	begin := slices.Clone(items)
	for i := range begin {
		c, column, shown := &begin[i], &m.Columns[i], m.wide != nil && m.wide[i] > 0
		leads := m.Lead != nil && m.Lead() == c.Name
		c.Note = ""
		if len(own) > 0 {
			c.On = slices.Contains(own, c.Name)
		} else if column.Extra {
			c.On = shown && !leads
		}
		switch {
		case leads:
			c.Note = "first in this view"
		case column.hidden():
			c.Note = "not needed now"
		case c.On && !shown && m.wide != nil:
			c.Note = "no room now"
		}
	}
	place := func(c dialog.Choice) uint { return uint(slices.Index(own, c.Name)) } // -1 becomes the largest
	slices.SortStableFunc(begin, func(a, b dialog.Choice) int { return cmp.Compare(place(a), place(b)) })
	m.Session.Open(dialog.NewArranger("Columns", begin, items, func(names []string) tea.Cmd {
		if m.OwnColumns != nil && len(m.OwnColumns()) > 0 {
			return m.KeepColumns(names)
		}
		*m.Session.Layout.Columns(m.Page) = names
		m.Session.Emit(page.KeepLayout{Asked: true})
		return nil
	}))
}

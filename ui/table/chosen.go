package table

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// nameOf returns the name of a column or of [DefaultOrder].
func (c *Config[R]) nameOf(order int) string {
	if order == DefaultOrder {
		return c.Order
	}
	return c.Columns[order].name()
}

// leading returns the name of the first column in the present view, or "".
func (c *Config[R]) leading() string {
	if c.Lead == nil {
		return ""
	}
	return c.Lead()
}

// chosen returns the names of the columns that the user chose, or none.
func (c *Config[R]) chosen() []string {
	if c.Fixed {
		return nil
	}
	if c.OwnColumns != nil {
		if names := c.OwnColumns(); len(names) > 0 {
			return names
		}
	}
	if len(c.ofView) > 0 {
		return c.ofView
	}
	return c.Session.Layout.Columns[c.Page.Name()]
}

// columnOrder returns the columns to show, in order: the leading one, those that the user chose, and the one that the rows are
// sorted by. If the user chose none, or all chosen ones are hidden, it returns all columns, with the [Column.Extra] ones apart.
func (c *Config[R]) columnOrder(sortedBy int) (order, extra []int) {
	order = c.add(order, c.leading())
	leads := len(order)
	for _, name := range c.chosen() {
		order = c.add(order, name)
	}
	if len(order) == leads {
		for i := range c.Columns {
			switch {
			case slices.Contains(order, i):
			case c.Columns[i].Extra && i != sortedBy:
				extra = append(extra, i)
			default:
				order = append(order, i)
			}
		}
	}
	if sortedBy != DefaultOrder && !slices.Contains(order, sortedBy) {
		order = append(order, sortedBy)
	}
	return order, extra
}

// add adds the column of a name, unless there is none, or it is hidden or already in the order.
func (c *Config[R]) add(order []int, name string) []int {
	i := slices.IndexFunc(c.Columns, func(column Column[R]) bool { return column.name() == name && !column.hidden() })
	if i < 0 || slices.Contains(order, i) {
		return order
	}
	return append(order, i)
}

// chooseColumns lets the user order the columns, and turn each on or off. widths are as last drawn, or nil.
func (c *Config[R]) chooseColumns(widths []int) {
	names := c.chosen()
	defaults, begin := make([]dialog.Choice, len(c.Columns)), make([]dialog.Choice, len(c.Columns))
	for i := range c.Columns {
		column := &c.Columns[i]
		defaults[i] = dialog.Choice{Name: column.name(), On: !column.Extra}
		if column.Extra {
			defaults[i].Note = "shown where there is room"
		}
		begin[i] = c.choice(column, names, widths != nil, widths != nil && widths[i] > 0)
	}
	position := func(c dialog.Choice) uint { return uint(slices.Index(names, c.Name)) } // -1 becomes the largest
	slices.SortStableFunc(begin, func(a, b dialog.Choice) int {
		return cmp.Compare(position(a), position(b))
	})
	c.Session.Open(dialog.NewArranger("Columns", begin, defaults, c.keepColumns))
}

// choice returns whether a column is shown, with a note. drawn reports whether the table was drawn, and visible whether the
// column was on the screen.
func (c *Config[R]) choice(column *Column[R], names []string, drawn, visible bool) dialog.Choice {
	leads := c.leading() == column.name()
	out := dialog.Choice{Name: column.name(), On: !column.Extra}
	if len(names) > 0 {
		out.On = slices.Contains(names, out.Name)
	} else if column.Extra {
		out.On = visible && !leads
	}
	switch {
	case leads:
		out.Note = "first in this view"
	case column.hidden():
		out.Note = "not needed now"
	case out.On && !visible && drawn:
		out.Note = "no room now"
	}
	return out
}

func (c *Config[R]) keepColumns(names []string) tea.Cmd {
	if c.OwnColumns != nil && len(c.OwnColumns()) > 0 {
		return c.KeepColumns(names)
	}
	c.ofView = nil
	c.Session.Layout.SetColumns(c.Page.Name(), names)
	c.Session.Emit(page.KeepLayout{Asked: true})
	return nil
}

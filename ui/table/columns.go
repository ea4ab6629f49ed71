package table

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Column is one column of a table.
type Column[R any] struct {
	Title       string
	Moment      string // the title when times are shown as times and not as ages; "" for other columns
	Width, Grow int    // the wanted number of cells, and the share of what is left over
	// Wants returns what it wants now, in place of Width and Least; may be nil.
	Wants     func() (cells, least int)
	Least     int         // the number of cells in narrow rows: Width if 0
	Led       int         // the wanted number of cells where the column leads, in wide rows: it takes what others leave
	BesideLed func() int  // the number of cells beside a column that leads in wide rows; nil as elsewhere
	Replaced  func() bool // reports whether a column that leads says what this one does; nil for never
	Priority  int         // if there is no room, the columns with the highest priority leave first; those of 0 stay
	// LedPriority is in place of Priority where a column leads; 0 for the same.
	LedPriority int
	From        int         // the least cells of a row in which it is shown
	Hidden      func() bool // reports whether the column is left out at any width; nil for never
	Right       bool        // aligns the cells, which are numbers: they are sorted with the largest first
	Drawn       bool        // the cells are pictures, which are not announced
	// Heading is drawn in place of Title, and Tones has the tone of a character of a picture, which is at one of its cells; each
	// may be nil.
	Heading func(now time.Time) string
	Tones   func(row R, character rune, index, cells int) style.Tone
	Clock   bool // always shows times as times; hidden if another column with its Title as Moment does, too
	Extra   bool // shown if there is room for it once all others have Full cells
	// Full is the number of cells of which it needs no more. A column that does not grow gets them if all can have theirs.
	Full    int
	Cell    func(row R, now time.Time) (string, style.Tone)
	Many    string                              // names several of its cells in a fold: "5 actions"; "" shows the first one
	Behind  func(row R) string                  // what stands behind a cell: it is red, and never cut; may be nil
	Shorten func(text string, width int) string // fits a text of Cell; nil cuts its end
	Beside  func(row R) string                  // muted, after a text of Cell, where there is room for all of it; may be nil
	Compare func(a, b R, now time.Time) int     // orders rows by the column; nil if they cannot be sorted by it
}

// wants returns the number of cells that the column wants, and the least one.
func (c *Column[R]) wants() (cells, least int) {
	if c.Wants != nil {
		return c.Wants()
	}
	return c.Width, cmp.Or(c.Least, c.Width)
}

func (c *Column[R]) replaced() bool { return c.Replaced != nil && c.Replaced() }

// heading returns what is drawn in place of the title, or "".
func (c *Column[R]) heading(now time.Time) string {
	if c.Heading == nil {
		return ""
	}
	return c.Heading(now)
}

func (c *Column[R]) hidden() bool { return c.Hidden != nil && c.Hidden() }

// name is the name of a column in lists and in the configuration.
func (c *Column[R]) name() string { return strings.ToLower(c.Title) }

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

// columnOrder returns the columns to show in their order: the leading one, those that the user chose, and the one that the
// rows are sorted by. Without a choice, or if all of it is hidden, they are all; extra are then the [Column.Extra] ones.
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

// add adds the column of a name, if there is one that is not hidden and not there yet.
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

// choice returns how a column is shown now, or was last drawn.
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

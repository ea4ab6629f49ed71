package table

import (
	"slices"
	"time"

	"pgtower/ui/style"
)

const (
	gutter = 3 // cells before the first column
	gap    = 2 // cells between columns, or 1 in rows with less than narrow cells
	narrow = 60
)

// columnLayout is the columns that are drawn, and their widths.
type columnLayout[R any] struct {
	columns  []Column[R]
	sortedBy int    // the column that the rows are sorted by, or [DefaultOrder]
	lead     string // the name of the leading column, or ""
	width    int    // of the rows
	times    style.Times
	now      time.Time

	order []int // the columns that are drawn
	wide  []int // the width of each column, 0 for those without room
	gap   int   // between columns
}

// lay chooses the columns to draw and their widths. The column that the rows are sorted by always stays, even if it does not fit.
//
// If there is no room, the least important columns leave first. Then the columns that grow shrink, then more columns leave,
// and last the other columns shrink.
func lay[R any](c *Config[R], sortedBy, width int, now time.Time) columnLayout[R] {
	order, extra := c.columnOrder(sortedBy)
	l := columnLayout[R]{
		columns: c.Columns, sortedBy: sortedBy, lead: c.leading(), width: width,
		times: c.Session.Times, now: now, order: order, wide: make([]int, len(c.Columns)), gap: gap,
	}
	if width < narrow || l.led() > 0 && width < roomy {
		l.gap = 1
	}
	for _, i := range l.order {
		l.openColumn(i)
	}
	l.closeLead()
	l.leave(3)
	l.shrink(true)
	l.leave(2)
	l.shrink(false)
	l.leave(1)
	l.addExtra(extra)
	l.grow()
	l.order = slices.DeleteFunc(l.order, func(i int) bool { return l.wide[i] == 0 })
	return l
}

// In rows of ledFrom cells or more, a leading column gets the room that it wants; in less than roomy cells, the gaps shrink for it.
const ledFrom, roomy = 78, 100

// leastLed is the least number of cells of such a column.
const leastLed = 26

// led returns the number of cells that the leading column is to have, or 0 if none leads.
func (l *columnLayout[R]) led() int {
	if !l.leads() || l.width < ledFrom {
		return 0
	}
	return l.columns[l.order[0]].Led
}

// leads reports whether the first column is the leading one, and the rows are not sorted by it.
func (l *columnLayout[R]) leads() bool {
	return l.lead != "" && len(l.order) > 0 && l.columns[l.order[0]].name() == l.lead && l.order[0] != l.sortedBy
}

// spare is how many cells of a line the columns leave, negative if they do not fit.
func (l *columnLayout[R]) spare() int {
	cells := l.width - gutter
	for _, w := range l.wide {
		if w > 0 {
			cells -= w + l.gap
		}
	}
	return min(cells+l.gap, l.width-gutter)
}

// openColumn gives a column the width that it wants.
func (l *columnLayout[R]) openColumn(i int) {
	c := &l.columns[i]
	twice := func(o int) bool {
		return c.Clock && l.columns[o].Moment == c.Title && l.moment(&l.columns[o]) != ""
	}
	if c.hidden() || l.width < c.From || slices.ContainsFunc(l.order, twice) {
		return
	}
	width, _ := l.wants(i)
	l.wide[i] = width
	if i == l.order[0] {
		l.wide[i] = max(width, l.led())
	}
	if l.moment(c) != "" {
		l.wide[i] = max(width, style.MomentWidth, len(l.moment(c))+1)
	}
}

// wants returns the number of cells that a column wants, and the least one.
func (l *columnLayout[R]) wants(i int) (cells, least int) {
	c := &l.columns[i]
	if c.BesideLed != nil && i != l.order[0] && l.led() > 0 {
		cells = c.BesideLed()
		return cells, cells
	}
	return c.wants()
}

// moment returns the title of a column that shows times as times, or "".
func (l *columnLayout[R]) moment(c *Column[R]) string {
	times, title := l.times, c.Moment
	if c.Clock {
		times, title = times.Exact(), c.Title
	}
	if zone := times.Zone(l.now); zone != "" && title != "" {
		return title + " " + zone
	}
	return ""
}

// least is the least width of an open column. A time is never cut.
func (l *columnLayout[R]) least(i int) int {
	if i == l.order[0] && l.led() > 0 {
		return l.wide[i]
	}
	if c := &l.columns[i]; l.moment(c) == "" {
		_, least := l.wants(i)
		return min(least, l.wide[i])
	}
	return l.wide[i]
}

// closeLead removes the leading column if it does not fit beside the most important ones. Otherwise it removes the columns that
// the leading one replaces.
func (l *columnLayout[R]) closeLead() {
	if !l.leads() {
		return
	}
	lead, need := l.order[0], gutter-l.gap
	for _, i := range l.order {
		width := l.wide[i]
		if l.columns[i].Grow > 0 || l.led() > 0 {
			width = l.least(i)
		}
		if i == lead && l.led() > 0 {
			width = min(width, leastLed)
		}
		stays := i == lead || l.columns[i].Priority <= 1 && !l.columns[i].replaced()
		if width > 0 && stays {
			need += width + l.gap
		}
	}
	if need > l.width {
		l.wide[lead] = 0
		return
	}
	for _, i := range l.order {
		if l.columns[i].replaced() {
			l.wide[i] = 0
		}
	}
}

// leave closes columns of at least a priority until the others fit.
func (l *columnLayout[R]) leave(priority int) {
	for l.spare() < 0 {
		leaves := -1
		for _, i := range l.order {
			least := l.priority(i)
			first := least >= priority && (leaves < 0 || least >= l.priority(leaves))
			if l.wide[i] > 0 && i != l.sortedBy && i != l.order[0] && first {
				leaves = i
			}
		}
		if leaves < 0 {
			return
		}
		l.wide[leaves] = 0
	}
}

// priority returns the priority of a column in the present view.
func (l *columnLayout[R]) priority(i int) int {
	if c := &l.columns[i]; l.leads() && c.LedPriority > 0 {
		return c.LedPriority
	}
	return l.columns[i].Priority
}

// shrink gives all columns, or those that grow, their least width if they do not fit.
func (l *columnLayout[R]) shrink(growing bool) {
	if !growing && l.led() > 0 {
		lead := l.order[0]
		l.wide[lead] = max(leastLed, l.wide[lead]+min(0, l.spare()))
	}
	if l.spare() >= 0 {
		return
	}
	for _, i := range l.order {
		if !growing || l.columns[i].Grow > 0 {
			l.wide[i] = l.least(i)
		}
	}
}

// addExtra opens as many of the extra columns as fit after the others have all the cells that they can use.
func (l *columnLayout[R]) addExtra(extra []int) {
	if len(extra) == 0 {
		return
	}
	previous, opened := slices.Clone(l.wide), false
	for _, i := range l.order {
		if l.wide[i] > 0 {
			l.wide[i] = max(l.wide[i], l.columns[i].Full)
		}
	}
	for _, i := range extra {
		l.openColumn(i)
		if l.spare() < 0 {
			l.wide[i] = 0
			break
		}
		opened = opened || l.wide[i] > 0
		l.insert(i)
	}
	if !opened {
		l.wide = previous
	}
}

// insert adds a column at its place among the others, behind a leading one.
func (l *columnLayout[R]) insert(i int) {
	index := len(l.order)
	for index > 0 && l.order[index-1] > i && (index > 1 || !l.leads()) {
		index--
	}
	l.order = slices.Insert(l.order, index, i)
}

// fill gives each column that does not grow its full cells, if there are enough for the full cells of all columns. It returns
// the spare cells that are left.
func (l *columnLayout[R]) fill(spare int) int {
	lacking := func(i int) int { return max(0, l.columns[i].Full-l.wide[i]) }
	need := 0
	for _, i := range l.order {
		if l.wide[i] > 0 {
			need += lacking(i)
		}
	}
	if need > spare {
		return spare
	}
	for _, i := range l.order {
		if l.wide[i] > 0 && l.columns[i].Grow == 0 {
			spare -= lacking(i)
			l.wide[i] += lacking(i)
		}
	}
	return spare
}

// grow gives the columns that shrank the cells that they want, one in turn. Then it shares the rest among the columns that can
// use more.
func (l *columnLayout[R]) grow() {
	spare, shares := l.spare(), 0
	for grew := true; grew; {
		grew = false
		for _, i := range l.order {
			full, _ := l.wants(i)
			if l.wide[i] > 0 && l.wide[i] < full && spare > 0 {
				l.wide[i]++
				spare--
				grew = true
			}
		}
	}
	if l.led() > 0 && l.wide[l.order[0]] > 0 {
		l.wide[l.order[0]] += max(0, spare)
		return
	}
	spare = l.fill(spare)
	for i, c := range l.columns {
		if l.wide[i] > 0 {
			shares += c.Grow
		}
	}
	for i, c := range l.columns {
		if l.wide[i] > 0 && c.Grow > 0 && spare > 0 {
			part := spare * c.Grow / shares
			l.wide[i] += part
			spare -= part
			shares -= c.Grow
		}
	}
}

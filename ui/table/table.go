// Package table is the live table that the pages share: the rows below a line of numbers, the details of the selected row
// beside them or in their place, a filter, an order and marks.
//
// The table is virtual: it draws only the rows on the screen.
package table

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/moment"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Model is a page's table. It owns the list of the rows, the filter, the details and their pane, and changes them after a key
// or the mouse; [commands] has the actions of the keys.
type Model[R any] struct {
	Body Body // see [Config.Body]

	config   *Config[R]
	list     List[R]
	filter   filter[R]
	details  details
	pane     pane[R]
	commands *commands[R]

	pendingOpen bool  // the details are opened once the row is restored
	pressed     bool  // the mouse was last pressed on the Body
	drawn       drawn // as last drawn
}

// drawn is what the mouse and the keys need to know of the last drawing.
type drawn struct {
	above                     int    // the number of lines above the rows
	wide                      []int  // the widths of the columns, 0 for those without room; nil before they were drawn
	links                     []link // what can be clicked above the rows
	detailLines, detailHeight int

	cut  []string // the whole texts of the selected row's cells that were cut
	rule page.Rule
}

// link runs something at a click on a line, from one cell to before another.
type link struct {
	line, from, to int
	run            func() tea.Cmd
}

// New makes a table.
func New[R any](c Config[R]) *Model[R] {
	m := &Model[R]{
		Body: c.Body, config: &c, list: newList(&c), filter: newFilter(&c),
		pane: pane[R]{session: c.Session, page: c.Page},
	}
	if c.Say == nil {
		c.Say = m.SayCells
	}
	m.commands = declare(m)
	return m
}

// List returns the rows that are shown, and the selected one, to be read.
func (m *Model[R]) List() *List[R] { return &m.list }

// Actions returns the actions of the table, or those of its open filter.
func (m *Model[R]) Actions() []action.Group {
	if m.Editing() {
		return m.commands.typing
	}
	return m.commands.all
}

// Marks returns the actions that mark rows.
func (m *Model[R]) Marks() action.Group { return m.commands.marks }

// Refresh follows a change of the source.
func (m *Model[R]) Refresh() tea.Cmd {
	m.change(m.list.refresh)
	return m.arrange()
}

// change changes the rows. Open details close if another row is selected then.
func (m *Model[R]) change(rows func()) {
	previous := m.list.key
	rows()
	if !m.list.hasSelection || m.list.key != previous {
		m.details.open = false
	}
	m.restore()
}

// arrange filters and sorts the rows on another goroutine, if necessary.
func (m *Model[R]) arrange() tea.Cmd {
	job := m.list.arranging()
	if job == nil {
		return nil
	}
	return m.config.Session.Do(m.config.Page, func(context.Context) tea.Msg {
		return page.Result(action.With(m.arranged, job()))
	})
}

func (m *Model[R]) arranged(rows arrangement[R]) tea.Cmd {
	m.change(func() { m.list.takeRows(rows) })
	return m.arrange()
}

// Restore selects the row of a key as soon as it is there, unless the user moves the selection first.
func (m *Model[R]) Restore(key Key, open bool) {
	m.list.pending, m.pendingOpen = &key, open
	m.restore()
}

func (m *Model[R]) restore() {
	key, restoring := m.list.Restoring()
	if !restoring {
		return
	}
	if line, ok := m.list.find(key); ok {
		if m.pendingOpen && m.list.folded(line) != nil || m.list.hidesInFold(line, key) {
			m.list.keepOpen(key)
			line, _ = m.list.find(key)
		}
		m.list.step(line)
		m.list.held, m.list.pending = true, nil
		m.details.open, m.details.scroll = m.pendingOpen, 0
	}
}

// StopRestoring stops waiting for the row of [Model.Restore].
func (m *Model[R]) StopRestoring() { m.list.stopRestoring() }

// Shift leaves the rows where they are on the screen when there are so many more lines above them, unless they follow the newest.
func (m *Model[R]) Shift(lines int) {
	if m.list.Held() {
		m.list.offset = max(0, m.list.offset+lines)
	}
}

// Top selects the first row, and follows it unless its details are open.
func (m *Model[R]) Top() tea.Cmd {
	cmd := m.move(-beyond, 0)
	m.list.held = m.details.open
	if m.config.Topped != nil {
		m.config.Topped()
	}
	return cmd
}

// bottom selects the last row.
func (m *Model[R]) bottom() tea.Cmd { return m.move(beyond, 0) }

// Choose holds and returns the row that the user saw as selected when the key was pressed, if any.
func (m *Model[R]) Choose() (row R, ok bool) {
	ok = m.list.choose()
	row, _ = m.list.Selected()
	return row, ok
}

// ChosenValues returns [Config.Values] of the row that [Model.Choose] returns, or nil.
func (m *Model[R]) ChosenValues() models.Fields {
	row, ok := m.Choose()
	if !ok || m.config.Values == nil {
		return nil
	}
	return m.config.Values(row)
}

// Unmark removes the marks of the rows with the keys, or all marks without any.
func (m *Model[R]) Unmark(keys ...Key) { m.list.unmark(keys...) }

// Editing reports whether keys are text for the filter.
func (m *Model[R]) Editing() bool { return m.filter.line.Focused() }

// Query is the filter as typed.
func (m *Model[R]) Query() string { return m.filter.line.Text() }

// MayMatch is [query.Query.MayMatch] of the filter in force.
func (m *Model[R]) MayMatch(row R, fields ...string) bool {
	return m.filter.query.MayMatch(row, m.list.now(), fields...)
}

// Uses is [query.Query.Uses] of the filter in force.
func (m *Model[R]) Uses(field string) bool { return m.filter.query.Uses(field) }

// UpperBound is [query.Query.UpperBound] of the filter in force.
func (m *Model[R]) UpperBound(field string, now moment.Now) (bound time.Duration, ok bool) {
	return m.filter.query.UpperBound(field, now)
}

// Opened reports whether the details are in the place of the table.
func (m *Model[R]) Opened() bool { return m.details.open }

// Draws reports whether the column with a name was drawn the last time.
func (m *Model[R]) Draws(name string) bool {
	i := slices.Index(m.ColumnNames(), name)
	return i >= 0 && i < len(m.drawn.wide) && m.drawn.wide[i] > 0
}

// Chosen returns the names of the columns that the user chose, or none.
func (m *Model[R]) Chosen() []string { return m.config.chosen() }

// ColumnNames returns the names by which users choose columns.
func (m *Model[R]) ColumnNames() (names []string) {
	for i := range m.config.Columns {
		names = append(names, m.config.nameOf(i))
	}
	return names
}

// ViewState returns the user's position in the table, or the one that is about to be restored.
func (m *Model[R]) ViewState() page.ViewState {
	key, restoring := m.list.Restoring()
	row, ok := m.list.Selected()
	if ok && !restoring {
		key = m.config.Source.Key(row)
	}
	return page.ViewState{Row: key, Query: m.Query(), Open: m.Opened()}
}

// SetQuery filters as if the user had typed it.
func (m *Model[R]) SetQuery(q string) tea.Cmd {
	m.details.open, m.filter.announced = false, ""
	m.filter.line.Set(q)
	return m.apply()
}

// apply filters by the typed text. While that is invalid, the last filter stays in force.
func (m *Model[R]) apply() tea.Cmd {
	if !m.filter.parse() {
		return nil
	}
	q := m.filter.query
	m.list.want.missing = q.MissingField
	if q.Empty() {
		m.list.filterBy(nil)
	} else {
		m.list.filterBy(q.Match)
	}
	return m.arrange()
}

// SortBy sorts by a column or [DefaultOrder], reversed or not.
func (m *Model[R]) SortBy(column int, reverse bool) tea.Cmd {
	m.list.want.column, m.list.want.reverse = column, reverse
	m.list.rearrange()
	return m.arrange()
}

// showView applies the filter, the order and the columns of a view, or the defaults for those that it has not.
func (m *Model[R]) showView(view *query.SavedView) tea.Cmd {
	name, reverse := strings.CutPrefix(view.Sort, "-")
	column := slices.Index(m.ColumnNames(), name) // without a name, the default order
	m.config.ofView = view.Columns
	return tea.Batch(m.SetQuery(view.Filter), m.SortBy(column, reverse))
}

// CheckFilter returns what is wrong with a text as a filter of the rows, or nil.
func (m *Model[R]) CheckFilter(text string) error {
	return m.filter.check(text)
}

// sort sorts by a column for the user: numbers with the largest first. If the rows are sorted by it already, the order is
// reversed. The first row is selected.
func (m *Model[R]) sort(column int) tea.Cmd {
	wish := &m.list.want
	reverse := column != DefaultOrder && m.config.Columns[column].Right
	if column == wish.column {
		reverse = !wish.reverse
	}
	m.list.held, wish.top = false, true
	return m.SortBy(column, reverse)
}

// beyond is a number of rows to move to the end of any list.
const beyond = math.MaxInt32

// move moves the selection by rows, and scrolls the screen by scroll.
func (m *Model[R]) move(rows, scroll int) tea.Cmd {
	list := &m.list
	list.choose()
	key, offset := list.key, list.offset
	previous, _ := list.Selected()
	list.offset += scroll
	list.step(list.cursor + rows)
	if list.key == key {
		return nil
	}
	m.details.scroll, m.details.raw = 0, nil
	return m.pane.passed(previous, offset)
}

// enter runs the action of Enter, which opens the details by default.
func (m *Model[R]) enter() tea.Cmd {
	a := m.config.Enter
	if a == nil || a.IsHidden() {
		return m.showMore()
	}
	if reason := a.Reason(); reason != "" {
		m.config.Session.Notify(style.Waiting, style.Sentence(a.Look().Title)+": "+reason)
		return nil
	}
	return a.Run()
}

// showMore opens a fold or the details. If the pane already shows all of the details, it shows their other tab instead.
func (m *Model[R]) showMore() tea.Cmd {
	switch row, ok := m.list.Selected(); {
	case m.openFold():
	case ok && m.hasAll() && m.config.hasRaw(row), ok && m.besideAsJSON():
		return m.turnTab()
	case !m.hasAll():
		m.openDetails()
	}
	return nil
}

// besideAsJSON reports whether the pane shows the selected row as JSON.
func (m *Model[R]) besideAsJSON() bool { return !m.details.open && m.details.rawOf(m.list.key) != nil }

func (m *Model[R]) openDetails() {
	if m.list.choose() {
		m.details.show(true)
	}
}

// turnTab shows the other tab of the details, and reads the row if necessary.
func (m *Model[R]) turnTab() tea.Cmd {
	row, ok := m.Choose()
	hadRaw := m.details.rawOf(m.list.key) != nil
	m.details.show(m.details.open)
	if !ok || hadRaw {
		return nil
	}
	m.details.raw = &raw{m.config.Session, m.list.key, []string{"◌ Reading…"}}
	return page.Call(m.config.Session, m.config.Page, m.config.Raw(row), m.details.raw.show)
}

// Update handles the mouse, and keys and pastes for the filter.
func (m *Model[R]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Click:
		return m.clicked(msg)
	case page.Drag:
		if m.pressed && m.Body != nil && !m.details.open {
			m.Body.Drag(msg)
		}
	case page.Wheel:
		m.wheel(msg)
	case page.ShowView:
		return m.showView(&msg.View)
	case tea.KeyPressMsg, tea.PasteMsg:
		if m.Editing() && m.filter.line.Update(msg) {
			return m.apply()
		}
	}
	return nil
}

func (m *Model[R]) wheel(wheel page.Wheel) {
	switch {
	case m.details.open, m.pane.covers(wheel.X, wheel.Y):
		m.details.scrollBy(wheel.By)
	case m.Body != nil && wheel.Zooms:
		m.Body.Zoom(wheel.By < 0)
	case m.Body != nil:
		m.Body.Step(wheel.By)
	default:
		m.list.choose()
		m.list.step(m.list.cursor + wheel.By)
		m.details.scroll = 0
	}
}

// clicked runs a link above the rows, or selects a row. A double click is Enter.
func (m *Model[R]) clicked(click page.Click) tea.Cmd {
	m.pressed = false
	for _, l := range m.drawn.links {
		if l.line == click.Y && click.X >= l.from && click.X < l.to {
			return l.run()
		}
	}
	line := click.Y - m.drawn.above
	switch {
	case m.details.open, m.pane.covers(click.X, click.Y), line < 0, line >= m.list.height:
		return nil
	case m.Body != nil:
		m.pressed = true
		click.Y = line
		return m.Body.Click(click)
	case m.list.offset+line >= m.list.Len(), !m.list.choose():
		return nil
	}
	m.list.step(m.list.offset + line)
	m.details.scroll = 0
	if click.Double {
		return m.enter()
	}
	return nil
}

// openFold opens the fold that the user saw as selected, and reports whether there was one.
func (m *Model[R]) openFold() bool {
	if !m.list.choose() || !m.list.onFold() {
		return false
	}
	m.list.unfold()
	return true
}

// hasAll reports whether the pane beside the rows has everything that open details have.
func (m *Model[R]) hasAll() bool {
	return m.pane.wide > 0 && !m.details.open && m.Body == nil && m.details.lines <= m.details.height
}

const announcedPriority = 3 // the highest priority of announced columns

// SayCells returns the cells of a row in words: the first as it is, the others with their titles.
func (m *Model[R]) SayCells(row R, now time.Time) string {
	var parts []string
	columns, _ := m.config.columnOrder(m.list.want.column)
	chosen := len(m.config.chosen()) > 0
	for _, i := range columns {
		c := &m.config.Columns[i]
		cell, _ := c.Cell(row, now)
		switch {
		case c.hidden(), c.Drawn, c.Priority > announcedPriority && !chosen, cell == "", cell == style.None:
		case i == 0:
			parts = append(parts, cell)
		default:
			parts = append(parts, strings.ToLower(c.Title)+" "+cell)
		}
	}
	return strings.Join(parts, ", ")
}

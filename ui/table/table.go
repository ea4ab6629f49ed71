// Package table is what the pages have in common: a live table below a line of numbers, the details of the selected row
// beside it or in its place, a filter, an order and marks.
//
// The table is virtual: it draws only the rows on the screen.
package table

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/page"
)

// Config is the page's part of a table. Functions may be nil unless stated otherwise.
type Config[R any] struct {
	Source   Source[R]
	Columns  []Column[R]
	Order    string                            // the name of the source's order, such as "time"
	Fields   []query.Field[R]                  // the fields of the filter
	Examples []string                          // filters to show while none is typed
	Detail   func(row R, now time.Time) Record // a row with all its fields; required
	Values   func(row R) models.Fields         // the API's fields of a row
	Say      func(row R, now time.Time) string // a row in words: [Model.SayCells] by default

	Lead  func() string // the name of the first column in the present view, or ""
	Fixed bool          // the user cannot choose the columns
	// OwnColumns returns the names of the columns that are used instead of those of the page's layout, if there are any.
	// KeepColumns changes them. Both may be nil.
	OwnColumns  func() []string
	KeepColumns func(names []string) tea.Cmd

	// Raw returns what reads a row as valid JSON, as the service sends it, or nil if that is impossible.
	Raw func(row R) func(context.Context) ([]byte, error)

	Enter     *action.Action   // the action of Enter and of a double click: opens the details if hidden or nil
	Markable  func(row R) bool // reports whether a row can be marked; nil if none can
	Follow    bool             // the selection stays at the top while rows arrive above it
	CanGoBack func() bool      // reports whether back finally leaves the page
	Leave     func() tea.Cmd   // leaves the page: the root does by default

	Body Body // shown in place of the rows, if not nil

	Session *page.Session
	Page    page.ID
}

// Body is another picture of the rows, with the same selection.
type Body interface {
	Draw(f page.Frame) []string  // draws exactly Height lines of Width cells
	Summary(f page.Frame) []Part // returns the line above, instead of the description's
	Step(by int)                 // selects what is below, or above if by is negative
	Zoom(in bool)
	Click(at page.Click) tea.Cmd // selects what was drawn at a cell
	Drag(at page.Drag)
}

// Model is a page's table with its filter and details.
type Model[R any] struct {
	list[R]

	actions declared

	line  input.Filter
	query query.Query[R] // the filter in force
	wrong *query.Error   // the error in the filter; the last valid one stays in force
	typed string         // what was announced of the filter since it was typed

	open                              bool // the details are in the place of the table
	scroll, detailLines, detailHeight int  // of the details, as they were last drawn
	raw                               *raw // their other tab, or nil
	pane                              pane[R]
	pressed                           bool // the mouse was last pressed on the [Body]

	// As they were last drawn:
	above int    // the number of lines above the rows
	wide  []int  // the widths of the columns, 0 for those without room
	links []link // what can be clicked above the rows
}

// New makes a table.
func New[R any](c Config[R]) *Model[R] {
	m := &Model[R]{
		list: newList(c), line: input.NewFilter("words that rows must have"),
		pane: pane[R]{session: c.Session, page: c.Page},
	}
	m.line.Complete = func(typed string) []string {
		return query.Complete(typed, m.Fields, each(m.Source.Freeze()))
	}
	if c.Session.Filters != nil {
		m.line.History = &c.Session.Filters[c.Page]
	}
	if m.Say == nil {
		m.Say = m.SayCells
	}
	m.declare()
	return m
}

// Refresh takes in a changed source.
func (m *Model[R]) Refresh() tea.Cmd {
	m.change(m.refresh)
	return m.arrange()
}

// change changes the rows. Open details stay with their row, or close.
func (m *Model[R]) change(rows func()) {
	was := m.key
	rows()
	if !m.some || m.key != was {
		m.open = false
	}
	m.restore()
}

// arrange filters and sorts the rows on another goroutine, if necessary.
func (m *Model[R]) arrange() tea.Cmd {
	job := m.begin()
	if job == nil {
		return nil
	}
	return m.Session.Do(m.Page, func(context.Context) tea.Msg {
		rows := job()
		return page.Result(func() tea.Cmd {
			m.change(func() { m.take(rows) })
			return m.arrange()
		})
	})
}

// Restore selects the row of a key as soon as it is there, unless the user moves before.
func (m *Model[R]) Restore(key Key, open bool) {
	m.wish, m.wishOpen = &key, open
	m.restore()
}

func (m *Model[R]) restore() {
	if m.wish == nil {
		return
	}
	if at, ok := m.find(*m.wish); ok {
		m.step(at)
		m.held, m.open, m.scroll, m.wish = true, m.wishOpen, 0, nil
	}
}

// Top selects the first row, and follows it unless its details are open.
func (m *Model[R]) Top() tea.Cmd {
	cmd := m.move(-beyond, 0)
	m.held = m.open
	return cmd
}

// Choose holds and returns the row that the user saw as selected when the key was pressed, if any.
func (m *Model[R]) Choose() (row R, ok bool) {
	ok = m.choose()
	row, _ = m.Selected()
	return row, ok
}

// ChosenValues returns [Config.Values] of the row that [Model.Choose] returns, or nil.
func (m *Model[R]) ChosenValues() models.Fields {
	row, ok := m.Choose()
	if !ok || m.Values == nil {
		return nil
	}
	return m.Values(row)
}

// Editing reports whether keys are text for the filter.
func (m *Model[R]) Editing() bool { return m.line.Focused() }

// Query is the filter as it was typed.
func (m *Model[R]) Query() string { return m.line.Text() }

// UpperBound is [query.Query.UpperBound] of the filter in force.
func (m *Model[R]) UpperBound(field string) (bound time.Duration, ok bool) {
	return m.query.UpperBound(field, m.now())
}

// Opened reports whether the details are in the place of the table.
func (m *Model[R]) Opened() bool { return m.open }

// SetQuery filters as if the user had typed it.
func (m *Model[R]) SetQuery(q string) tea.Cmd {
	m.open, m.typed = false, ""
	m.line.Set(q)
	return m.apply()
}

// apply filters by what was typed. While that is invalid, the last filter stays in force.
func (m *Model[R]) apply() tea.Cmd {
	q, err := query.Parse(m.line.Text(), m.Fields)
	m.wrong = err
	if err != nil {
		return nil
	}
	m.query, m.want.missing = q, q.MissingField
	if q.Empty() {
		m.filterBy(nil)
	} else {
		m.filterBy(q.Match)
	}
	return m.arrange()
}

// Update handles the mouse, and keys and pastes for the filter.
func (m *Model[R]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Click:
		return m.clicked(msg)
	case page.Drag:
		if m.pressed && m.Body != nil && !m.open {
			m.Body.Drag(msg)
		}
	case page.Wheel:
		m.wheel(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		if m.Editing() && m.line.Update(msg) {
			return m.apply()
		}
	}
	return nil
}

func (m *Model[R]) wheel(at page.Wheel) {
	switch {
	case m.open, m.pane.covers(at.X, at.Y):
		m.scrollBy(at.By)
	case m.Body != nil && at.Zooms:
		m.Body.Zoom(at.By < 0)
	case m.Body != nil:
		m.Body.Step(at.By)
	default:
		m.choose()
		m.step(m.cursor + at.By)
		m.scroll = 0
	}
}

// clicked runs what is above the rows, or selects one. A double click is Enter.
func (m *Model[R]) clicked(at page.Click) tea.Cmd {
	m.pressed = false
	for _, l := range m.links {
		if l.line == at.Y && at.X >= l.from && at.X < l.to {
			return l.run()
		}
	}
	line := at.Y - m.above
	switch {
	case m.open, m.pane.covers(at.X, at.Y), line < 0, line >= m.height:
		return nil
	case m.Body != nil:
		m.pressed = true
		at.Y = line
		return m.Body.Click(at)
	case m.offset+line >= m.Len(), !m.choose():
		return nil
	}
	m.step(m.offset + line)
	m.scroll = 0
	if at.Double {
		return m.enter()
	}
	return nil
}

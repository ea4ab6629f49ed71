// Package table is what the pages have in common: a line of numbers, a live table, the
// detail of the selected row beside it or in its place, a filter, an order and marks.
//
// The table is virtual: it draws the rows that are on the screen and no others.
package table

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/query"
)

// Config is what a page brings.
type Config[R any, K comparable] struct {
	Source   Source[R, K]
	Columns  []Column[R]
	Order    string                            // the name of the source's order, such as "time"
	Fields   []query.Field[R]                  // what the filter knows of a row
	Examples []string                          // of filters, shown while there is none
	Detail   func(row R, now time.Time) Record // a row with all its fields
	Values   func(row R) models.Fields         // what the API says of a row; nil for none
	Say      func(row R, now time.Time) string // a row in words: [Model.SayCells] if nil

	Lead  func() string // the column that stands first in the present view, or nothing; may be nil
	Fixed bool          // the user cannot choose the columns
	// OwnColumns returns where the names of the columns are that the user chose: in the layout of the page, if nil.
	OwnColumns func() *[]string

	Enter     func() action.Action // the page's own action of Enter and of a double click, if not hidden; or nil
	Markable  func(row R) bool     // reports whether a row can be marked, for what is done to many at once; nil for none
	Follow    bool                 // the selection stays at the top while it is there and rows arrive above it
	CanGoBack func() bool          // reports whether back leads out of the page in the end; nil is never
	Leave     func() tea.Cmd       // does what back then does; if nil, the root is asked to go back

	Body Body // is shown in the place of the rows, if it is not nil

	Session *page.Session
	Page    page.ID
}

// Body is another picture of the rows, with the same selection.
type Body interface {
	Draw(f page.Frame) []string  // draws exactly Height lines of Width cells
	Summary(f page.Frame) []Part // returns the line above what was drawn, in the place of the description's
	Step(by int)                 // selects what is below, or above if by is negative
	Zoom(in bool)
	Click(at page.Click) tea.Cmd // selects what is at a cell of what was drawn
	Drag(at page.Drag)
}

// Model is the state of a page's table, filter and detail.
type Model[R any, K comparable] struct {
	list[R, K]

	line   input.Filter
	force  query.Query[R] // the filter in force
	wrong  *query.Error   // what is wrong with the filter; the last good one stays in force
	typed  string         // what is heard of the filter since it was typed
	open   bool           // the detail is in the place of the table
	above  int            // lines above the rows, as they were last drawn
	wide   []int          // the columns as they were last drawn, 0 for those that left
	scroll int            // of the detail

	detailLines, detailHeight int // of the detail as it was last drawn
	pane                      pane[R]
}

// New makes a table.
func New[R any, K comparable](c Config[R, K]) *Model[R, K] {
	m := &Model[R, K]{list: newList(c), line: input.NewFilter("words that rows must have")}
	m.line.Complete = func(typed string) []string {
		return query.Complete(typed, m.Fields, each(m.Source.Freeze()))
	}
	if c.Session.Filters != nil {
		m.line.History = &c.Session.Filters[c.Page]
	}
	if m.Say == nil {
		m.Say = m.SayCells
	}
	return m
}

// Refresh takes in that the source has changed. An open detail stays with its row, or closes.
func (m *Model[R, K]) Refresh() tea.Cmd {
	m.settle(m.refresh)
	return m.arrange()
}

// settle lets the rows change under an open detail, and comes back to a row to be restored.
func (m *Model[R, K]) settle(change func()) {
	was := m.key
	change()
	if !m.some || m.key != was {
		m.open = false
	}
	m.restore()
}

func (m *Model[R, K]) arrange() tea.Cmd {
	job := m.begin()
	if job == nil {
		return nil
	}
	return m.Session.Do(m.Page, func(context.Context) tea.Msg { return job() })
}

// Restore selects the row of a key as soon as it is there, unless the user goes on before.
func (m *Model[R, K]) Restore(key K, open bool) {
	m.wish, m.wishOpen = &key, open
	m.restore()
}

func (m *Model[R, K]) restore() {
	if m.wish == nil {
		return
	}
	if at, ok := m.find(*m.wish); ok {
		m.step(at)
		m.held, m.open, m.scroll, m.wish = true, m.wishOpen, 0, nil
	}
}

// Top selects the first row, and follows it unless its detail is open.
func (m *Model[R, K]) Top() tea.Cmd {
	cmd := m.move(-m.Len(), 0)
	m.held = m.open
	return cmd
}

// Choose holds and returns the row that the user saw as selected when the key was pressed, if any.
func (m *Model[R, K]) Choose() (row R, ok bool) {
	ok = m.choose()
	row, _ = m.Selected()
	return row, ok
}

// ChosenValues is [Config.Values] of the row that [Model.Choose] returns, nil without one.
func (m *Model[R, K]) ChosenValues() models.Fields {
	row, ok := m.Choose()
	if !ok || m.Values == nil {
		return nil
	}
	return m.Values(row)
}

// Editing reports whether keys are text for the filter.
func (m *Model[R, K]) Editing() bool { return m.line.Focused() }

// Query is the filter as it was typed.
func (m *Model[R, K]) Query() string { return m.line.Text() }

// UpperBound is [query.Query.UpperBound] of the filter in force.
func (m *Model[R, K]) UpperBound(field string) (bound time.Duration, ok bool) {
	return m.force.UpperBound(field, m.now())
}

// Opened reports whether the detail is in the place of the table.
func (m *Model[R, K]) Opened() bool { return m.open }

// SetQuery filters as if the user had typed it.
func (m *Model[R, K]) SetQuery(q string) tea.Cmd {
	m.open, m.typed = false, ""
	m.line.Set(q)
	return m.apply()
}

// apply filters by what was typed. While that is not a filter, the last one stays in force.
func (m *Model[R, K]) apply() tea.Cmd {
	q, err := query.Parse(m.line.Text(), m.Fields)
	if m.wrong = err; err != nil {
		return nil
	}
	m.want.lacking = q.MissingField
	if m.force = q; q.Empty() {
		m.filterBy(nil)
	} else {
		m.filterBy(q.Match)
	}
	return m.arrange()
}

// Update does the bookkeeping of a message. What is another table's it ignores.
func (m *Model[R, K]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case arrangement[R, K]:
		if msg.of != &m.list {
			return nil
		}
		m.settle(func() { m.take(msg) })
		return m.arrange()
	case rested:
		if msg.of == any(&m.pane) {
			m.pane.moving, m.pane.held = false, false
		}
	case page.Click:
		return m.clicked(msg)
	case page.Drag:
		if m.pane.dragged {
			m.drag(msg)
		} else if m.Body != nil && !m.open && msg.By != 0 {
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

func (m *Model[R, K]) wheel(at page.Wheel) {
	if m.open || at.X >= m.pane.left && at.Y >= m.pane.top {
		m.scrollBy(at.By)
		return
	}
	switch {
	case m.Body != nil && at.Zooms:
		m.Body.Zoom(at.By < 0)
		return
	case m.Body != nil:
		m.Body.Step(at.By)
		return
	}
	m.choose()
	m.step(m.cursor + at.By)
	m.scroll = 0
}

// clicked does what is above the rows, or selects one. A double click is Enter.
func (m *Model[R, K]) clicked(at page.Click) tea.Cmd {
	for _, l := range m.links {
		if l.line == at.Y && at.X >= l.from && at.X < l.to {
			return l.run()
		}
	}
	line := at.Y - m.above
	if !m.open && line < m.height && m.pane.grab(at.X) {
		return nil
	}
	if m.Body != nil && !m.open && at.X < m.pane.left && line >= 0 && line < m.height {
		at.Y = line
		return m.Body.Click(at)
	}
	inside := m.Body == nil && at.X < m.pane.left && line >= 0 && line < m.height && m.offset+line < m.Len()
	if m.open || !inside || !m.choose() {
		return nil
	}
	m.step(m.offset + line)
	m.scroll = 0
	if at.Double {
		return m.enter()
	}
	return nil
}

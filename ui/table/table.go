// Package table is what the three pages have in common: a strip of numbers, a live
// table, the detail of the selected row beside it or in its place, a filter and an order.
package table

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/query"
)

// Config is what a page brings.
type Config[R any, K comparable] struct {
	Source  Source[R, K]
	Columns []Column[R]
	// Natural names the order of the source, such as "time".
	Natural string
	// Fields are what the filter knows of a row.
	Fields []query.Field[R]
	// Detail is the record of a row with all its fields.
	Detail func(row R, now time.Time) Record
	// Say is a row in words; without it, the columns that matter most are said.
	Say func(row R, now time.Time) string
	// PaneFrom is the width of the screen from which the detail stands beside the table.
	PaneFrom int
	// Open is the key that opens the detail, Enter and its kin if it is left out.
	Open action.Action
	// Markable lets rows be marked, for what is done to many at once.
	Markable bool
	// Follow keeps the selection at the top while it is there.
	Follow bool
	// Behind says whether back leads out of the page once nothing of it is left to leave. A
	// page without it has nothing behind it.
	Behind func() bool
	// Session is that of the page, and Page which one it is: work that is not for the UI's
	// goroutine is done in it, and comes back to [Model.Update].
	Session *page.Session
	Page    page.ID
}

// Model is the state of a page's table, filter and detail.
type Model[R any, K comparable] struct {
	Config[R, K]

	list   *List[R, K]
	filter input.Filter
	force  query.Query[R] // the filter in force
	wrong  *query.Error   // what is wrong with the filter; the last good one stays in force
	hint   *query.Error   // what the filter still needs, while it is being typed
	open   bool           // the detail is in the place of the table
	scroll int            // of the open detail
	pane   pane[R]
	// lines and height are of the open detail as it was last drawn: how far it can be
	// scrolled depends on nothing else.
	lines, height int
	typed         string // what is heard of the filter since it was typed
}

// New makes a browser.
func New[R any, K comparable](c Config[R, K]) *Model[R, K] {
	if len(c.Open.Keys()) == 0 {
		c.Open = openKey()
	}
	return &Model[R, K]{Config: c, list: NewList(c.Source, c.Columns, c.Follow), filter: input.NewFilter("words that rows must have")}
}

// List is the table.
func (m *Model[R, K]) List() *List[R, K] { return m.list }

// Refresh takes in that the source has changed. A detail that is open stays with its
// row, and closes if that is gone.
func (m *Model[R, K]) Refresh() tea.Cmd {
	m.settle(m.list.Refresh)
	return m.arrange()
}

// settle lets the rows change under an open detail.
func (m *Model[R, K]) settle(change func()) {
	was, _ := m.list.SelectedKey()
	change()
	if is, ok := m.list.SelectedKey(); !ok || is != was {
		m.open = false
	}
}

// Choose returns the row that an action is meant for, if there is one: see
// [List.Choose]. The selection then stays with it.
func (m *Model[R, K]) Choose() (row R, ok bool) {
	if !m.list.Choose(m.Session.ServiceNow()) {
		return row, false
	}
	return m.list.Selected()
}

// to makes a message that the root brings to the page, and that to [Model.Update].
func (m *Model[R, K]) to(msg tea.Msg) tea.Msg { return page.To{Page: m.Page, Msg: msg} }

// arrange has the rows filtered and sorted, if that is due.
func (m *Model[R, K]) arrange() tea.Cmd {
	job := m.list.Arrange(m.Session.ServiceNow())
	if job == nil {
		return nil
	}
	return m.Session.Do(m.Page, func(context.Context) tea.Msg { return job() })
}

// Editing says that keys are text for the filter.
func (m *Model[R, K]) Editing() bool { return m.filter.Editing() }

// Filtered says that a filter decides which rows are shown.
func (m *Model[R, K]) Filtered() bool { return m.list.Filtered() }

// Query is the filter as it was typed.
func (m *Model[R, K]) Query() string { return m.filter.Query() }

// Below returns a bound that a duration field does not exceed in any row that the filter in
// force shows: see [query.Query.Below].
func (m *Model[R, K]) Below(field string) (bound time.Duration, ok bool) { return m.force.Below(field) }

// Opened says that the detail is in the place of the table.
func (m *Model[R, K]) Opened() bool { return m.open }

// ComeBack selects the row of a key, with its detail open if it was, and says whether the
// row is there.
func (m *Model[R, K]) ComeBack(key K, open bool) bool {
	if !m.list.Select(key) {
		return false
	}
	m.list.Hold(true)
	m.open = open
	return true
}

// SetQuery filters as if the person had typed it.
func (m *Model[R, K]) SetQuery(q string) tea.Cmd {
	m.open, m.typed = false, ""
	m.filter.Set(q)
	return m.apply()
}

// Update does the bookkeeping of a message, and says whether it was for the table.
func (m *Model[R, K]) Update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	if done, ok := msg.(Filtered[R]); ok {
		m.settle(func() { m.list.Take(done) })
		return m.arrange(), true
	}
	if at, ok := msg.(page.Click); ok {
		return m.clicked(at), true
	}
	if w, ok := msg.(page.Wheel); ok {
		m.wheel(w.By)
		return nil, true
	}
	if by, ok := msg.(FilterBy); ok {
		return m.SetQuery(by.Query), true
	}
	if by, ok := msg.(sortBy); ok {
		m.list.Sort(by.column, by.reverse)
		return m.arrange(), true
	}
	if at, ok := msg.(rested); ok {
		m.tookRest(at)
		return nil, true
	}
	if m.filter.Editing() {
		if m.filter.Update(msg) {
			return m.apply(), true
		}
		return nil, true
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		return m.key(k)
	}
	return nil, false
}

func (m *Model[R, K]) key(k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	switch {
	case m.open && m.scrolled(k):
	case filterKey().Pressed(k):
		m.open = false
		m.filter.Open()
	case sortKey().Pressed(k):
		m.chooseOrder()
	case reverseKey().Pressed(k):
		column, reverse := m.list.Sorted()
		m.list.Sort(column, !reverse)
		return m.arrange(), true
	case m.Open.Pressed(k):
		if _, ok := m.Choose(); ok && !m.open {
			m.open, m.scroll = true, 0
		}
	case m.Markable && !m.open && m.marked(k):
	case backKey().Pressed(k):
		return m.back()
	default:
		return m.moved(k)
	}
	return nil, true
}

// moved selects another row. Its detail is read from the top.
func (m *Model[R, K]) moved(k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	key, _ := m.list.SelectedKey()
	was, _ := m.list.Selected()
	offset := m.list.Offset()
	if handled = m.list.Update(k, m.Session.ServiceNow()); handled && m.open {
		m.list.Hold(true)
	}
	if is, _ := m.list.SelectedKey(); is != key {
		m.scroll = 0
		return m.movedFrom(was, offset), handled
	}
	return nil, handled
}

// scrolled moves within a detail that is longer than the screen.
func (m *Model[R, K]) scrolled(k tea.KeyPressMsg) bool {
	by := 0
	switch {
	case scrollDownKey().Pressed(k):
		by = m.height - 1
	case scrollUpKey().Pressed(k):
		by = 1 - m.height
	default:
		return false
	}
	m.scroll = max(0, min(m.scroll+by, m.lines-m.height))
	return true
}

// apply filters by what was typed. While that is not a filter, the last one that was
// stays in force, and what is wrong is said below the line.
func (m *Model[R, K]) apply() tea.Cmd {
	q, err := query.Parse(m.filter.Query(), m.Fields)
	m.wrong, m.hint = err, q.Hint()
	switch {
	case err != nil:
		return nil
	case q.Empty():
		m.force = q
		m.list.Filter(nil)
	default:
		m.force = q
		m.list.Filter(q.Match)
	}
	return m.arrange()
}

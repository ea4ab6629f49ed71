package table

import "time"

// IsMarked says whether a row is marked.
func (m *List[R, K]) IsMarked(row R) bool {
	if len(m.marked) == 0 {
		return false
	}
	_, ok := m.marked[m.source.Key(row)]
	return ok
}

// CountMarked is how many rows are marked, whether or not they are shown.
func (m *List[R, K]) CountMarked() int { return len(m.marked) }

// HiddenMarks is how many of the marked rows are not shown.
func (m *List[R, K]) HiddenMarks() int { return m.hidden }

// Marked returns the rows that are marked, in the order of the source, whether or not
// they are shown.
func (m *List[R, K]) Marked() []R {
	if len(m.marked) == 0 {
		return nil
	}
	rows := make([]R, 0, len(m.marked))
	for i := range m.source.Len() {
		if row := m.source.Row(i); m.IsMarked(row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// MarkedHidden is how many of the marked rows the filter keeps from being shown, also
// while rows are still being arranged for it.
func (m *List[R, K]) MarkedHidden(now time.Time) (n int) {
	if m.want.matches == nil {
		return 0
	}
	for _, row := range m.Marked() {
		if !m.want.matches(row, now) {
			n++
		}
	}
	return n
}

// ToggleMark marks the selected row, or takes its mark away, and goes on to the next.
func (m *List[R, K]) ToggleMark() {
	row, ok := m.Selected()
	if !ok {
		return
	}
	if m.IsMarked(row) {
		delete(m.marked, m.key)
		m.pivot = nil
	} else {
		m.mark(row)
		pivot := m.key
		m.pivot = &pivot
	}
	m.step(m.cursor + 1)
}

// MarkRange marks every row from the one that was marked last to the selected one, or
// the selected one alone where there is none.
func (m *List[R, K]) MarkRange() {
	if !m.some {
		return
	}
	from := m.cursor
	if m.pivot != nil {
		if at, ok := m.find(*m.pivot); ok {
			from = at
		}
	}
	for i := min(from, m.cursor); i <= max(from, m.cursor); i++ {
		m.mark(m.Row(i))
	}
	pivot := m.key
	m.pivot = &pivot
}

// Settled says that the rows shown are those that were asked for.
func (m *List[R, K]) Settled() bool { return !m.stale && !m.working }

// MarkShown marks every row that is shown and matches, and takes no mark away. Unless the list is
// [List.Settled], that is not what the person has asked to be shown.
func (m *List[R, K]) MarkShown() {
	for row := range m.Matching() {
		m.mark(row)
	}
}

// Unmark takes the marks of the rows with the keys away, or all marks where none is given.
func (m *List[R, K]) Unmark(rows ...K) {
	if len(rows) == 0 {
		m.marked, m.pivot = nil, nil
	}
	for _, key := range rows {
		delete(m.marked, key)
	}
	m.recount()
}

// prune forgets the marks of rows that are no longer in the source.
func (m *List[R, K]) prune() {
	for key := range m.marked {
		if _, ok := m.source.Find(key); !ok {
			delete(m.marked, key)
		}
	}
	m.recount()
}

// recount counts the marked rows that are not shown. It is due when other rows are shown
// or marks are taken away: marking concerns rows that are shown.
func (m *List[R, K]) recount() {
	m.hidden = 0
	if len(m.marked) == 0 || !m.arranged {
		return
	}
	m.hidden = len(m.marked)
	for _, row := range m.rows {
		if m.IsMarked(row) {
			m.hidden--
		}
	}
}

func (m *List[R, K]) mark(row R) {
	if m.marked == nil {
		m.marked = map[K]struct{}{}
	}
	m.marked[m.source.Key(row)] = struct{}{}
}

package table

// CountMarked is how many rows are marked, shown or not.
func (m *list[R, K]) CountMarked() int { return len(m.marked) }

// Marked returns the rows that are marked, in the order of the source, shown or not.
func (m *list[R, K]) Marked() (rows []R) {
	for i := range m.Source.Len() {
		if row := m.Source.Row(i); m.marked[m.Source.Key(row)] {
			rows = append(rows, row)
		}
	}
	return rows
}

// MarkedHidden is how many of the marked rows the filter hides, also while it is at work.
func (m *list[R, K]) MarkedHidden() (n int) {
	for _, row := range m.Marked() {
		if !m.Wanted(row) {
			n++
		}
	}
	return n
}

// toggleMark marks the selected row, or takes its mark away, and goes on to the next.
func (m *list[R, K]) toggleMark() {
	switch {
	case !m.choose():
		return
	case m.marked[m.key]:
		delete(m.marked, m.key)
		m.pivot = nil
	default:
		m.marked[m.key], m.pivot = true, new(m.key)
	}
	m.step(m.cursor + 1)
}

// markRange marks every row from the one that was marked last, if any, to the selected one.
func (m *list[R, K]) markRange() {
	if !m.choose() {
		return
	}
	from := m.cursor
	if m.pivot != nil {
		if at, ok := m.find(*m.pivot); ok {
			from = at
		}
	}
	for i := min(from, m.cursor); i <= max(from, m.cursor); i++ {
		m.marked[m.Source.Key(m.row(i))] = true
	}
	m.pivot = new(m.key)
}

// markMatching marks every row that is shown and matches. Unless the list is [list.Settled],
// that is not what the user has asked to be shown.
func (m *list[R, K]) markMatching() {
	for row := range m.Matching() {
		m.marked[m.Source.Key(row)] = true
	}
}

// Unmark takes the marks of the rows with the keys away, or all marks where none is given.
func (m *list[R, K]) Unmark(keys ...K) {
	if len(keys) == 0 {
		clear(m.marked)
		m.pivot = nil
	}
	for _, key := range keys {
		delete(m.marked, key)
	}
	m.recount()
}

// recount counts the marked rows that are not shown. It is due when other rows are shown
// or marks are taken away: marking concerns rows that are shown.
func (m *list[R, K]) recount() {
	m.hidden = 0
	if !m.arranged || len(m.marked) == 0 {
		return
	}
	m.hidden = len(m.marked)
	for _, row := range m.lines.rows {
		if m.marked[m.Source.Key(row)] {
			m.hidden--
		}
	}
}

package rowlist

// IsMarked says whether a row is marked.
func (m *Model[R, K]) IsMarked(row R) bool {
	if len(m.marked) == 0 {
		return false
	}
	_, ok := m.marked[m.source.Key(row)]
	return ok
}

// CountMarked is how many rows are marked, whether or not they are shown.
func (m *Model[R, K]) CountMarked() int { return len(m.marked) }

// Marked returns the rows that are marked, in the order of the source, whether or not
// they are shown.
func (m *Model[R, K]) Marked() []R {
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

// MarkedShown is how many of the rows shown are marked.
func (m *Model[R, K]) MarkedShown() (n int) {
	if !m.Filtered() {
		return len(m.marked)
	}
	for i := range m.Len() {
		if m.IsMarked(m.Row(i)) {
			n++
		}
	}
	return n
}

// ToggleMark marks the selected row, or takes its mark away, and goes on to the next.
func (m *Model[R, K]) ToggleMark() {
	row, ok := m.Selected()
	if !ok {
		return
	}
	if m.IsMarked(row) {
		delete(m.marked, m.key)
	} else {
		m.mark(row)
	}
	m.pivot = m.key
	m.before = nil
	m.moveTo(m.cursor + 1)
}

// MarkRange marks every row from the one that was marked last to the selected one, or
// the selected one alone where that is not shown.
func (m *Model[R, K]) MarkRange() {
	if !m.some {
		return
	}
	from := m.cursor
	if len(m.marked) > 0 {
		if at, ok := m.find(m.pivot); ok {
			from = at
		}
	}
	for i := min(from, m.cursor); i <= max(from, m.cursor); i++ {
		m.mark(m.Row(i))
	}
	m.pivot = m.key
}

// MarkShown marks every row that is shown, and takes no mark away.
func (m *Model[R, K]) MarkShown() {
	for i := range m.Len() {
		m.mark(m.Row(i))
	}
}

// Unmark takes the marks of the rows with the keys away, or all marks where none is given.
func (m *Model[R, K]) Unmark(rows ...K) {
	if len(rows) == 0 {
		m.marked = nil
	}
	for _, key := range rows {
		delete(m.marked, key)
	}
}

// prune forgets the marks of rows that are no longer in the source.
func (m *Model[R, K]) prune() {
	for key := range m.marked {
		if _, ok := m.source.Find(key); !ok {
			delete(m.marked, key)
		}
	}
}

func (m *Model[R, K]) mark(row R) {
	if m.marked == nil {
		m.marked = map[K]struct{}{}
	}
	m.marked[m.source.Key(row)] = struct{}{}
}

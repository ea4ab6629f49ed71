package table

// CountMarked is the number of marked rows, shown or not.
func (m *list[R]) CountMarked() int { return len(m.marked) }

// IsMarked reports whether the row of a key is marked.
func (m *list[R]) IsMarked(key Key) bool { return m.marked[key] }

// Marked returns the marked rows in the order of the source, shown or not.
func (m *list[R]) Marked() (rows []R) {
	if len(m.marked) == 0 {
		return nil
	}
	for row := range each(m.Source.Freeze()) {
		if m.marked[m.Source.Key(row)] {
			rows = append(rows, row)
		}
	}
	return rows
}

// MarkedHidden is the number of marked rows that the filter hides, or will hide once it has been applied.
func (m *list[R]) MarkedHidden() (n int) {
	for _, row := range m.Marked() {
		if !m.MatchesFilter(row) {
			n++
		}
	}
	return n
}

func (m *list[R]) toggleMark() {
	if !m.choose() {
		return
	}
	if m.marked[m.key] {
		delete(m.marked, m.key)
		m.hidden = m.MarkedHidden() // a lapsed row counted
	} else {
		m.mark(m.row(m.cursor))
	}
	m.step(m.cursor + 1)
}

func (m *list[R]) mark(row R) {
	if m.Markable(row) {
		m.marked[m.Source.Key(row)] = true
	}
}

func (m *list[R]) markMatching() {
	for row := range m.Matching() {
		m.mark(row)
	}
}

// Unmark removes the marks of the rows with the keys, or all marks without any.
func (m *list[R]) Unmark(keys ...Key) {
	if len(keys) == 0 {
		clear(m.marked)
	}
	for _, key := range keys {
		delete(m.marked, key)
	}
	m.hidden = m.MarkedHidden()
}

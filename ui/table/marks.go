package table

// CountMarked is the number of marked rows, shown or not.
func (l *List[R]) CountMarked() int { return len(l.marked) }

// IsMarked reports whether the row of a key is marked.
func (l *List[R]) IsMarked(key Key) bool { return l.marked[key] }

// Marked returns the marked rows in the order of the source, shown or not.
func (l *List[R]) Marked() (rows []R) {
	if len(l.marked) == 0 {
		return nil
	}
	for row := range each(l.source.Freeze()) {
		if l.marked[l.source.Key(row)] {
			rows = append(rows, row)
		}
	}
	return rows
}

// MarkedHidden is the number of marked rows that the filter hides, or will hide once it has been applied.
func (l *List[R]) MarkedHidden() (n int) {
	for _, row := range l.Marked() {
		if !l.MatchesFilter(row) {
			n++
		}
	}
	return n
}

func (k *keeper[R]) toggleMark() {
	if !k.choose() {
		return
	}
	if k.marked[k.key] {
		delete(k.marked, k.key)
		k.hidden = k.MarkedHidden() // a lapsed row counted
	} else {
		k.mark(k.row(k.cursor))
	}
	k.step(k.cursor + 1)
}

func (k *keeper[R]) mark(row R) {
	if k.markable(row) {
		k.marked[k.source.Key(row)] = true
	}
}

func (k *keeper[R]) markMatching() {
	for row := range k.Matching() {
		k.mark(row)
	}
}

// unmark removes the marks of the rows with the keys, or all marks without any.
func (k *keeper[R]) unmark(keys ...Key) {
	if len(keys) == 0 {
		clear(k.marked)
	}
	for _, key := range keys {
		delete(k.marked, key)
	}
	k.hidden = k.MarkedHidden()
}

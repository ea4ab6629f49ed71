package table

func (l *List[R]) toggleMark() {
	if !l.choose() {
		return
	}
	rows := l.folded(l.cursor)
	if rows == nil {
		rows = []R{l.row(l.cursor)}
	}
	if l.marked[l.key] {
		for _, row := range rows {
			delete(l.marked, l.source.Key(row))
		}
		l.hidden = l.MarkedHidden() // a row that no longer matches counted
	} else {
		for _, row := range rows {
			l.mark(row)
		}
	}
	l.step(l.cursor + 1)
}

func (l *List[R]) mark(row R) {
	if l.markable(row) {
		l.marked[l.source.Key(row)] = true
	}
}

func (l *List[R]) markMatching() {
	for row := range l.Matching() {
		l.mark(row)
	}
}

// unmark removes the marks of the rows with the keys, or all marks without any.
func (l *List[R]) unmark(keys ...Key) {
	if len(keys) == 0 {
		clear(l.marked)
	}
	for _, key := range keys {
		delete(l.marked, key)
	}
	l.hidden = l.MarkedHidden()
}

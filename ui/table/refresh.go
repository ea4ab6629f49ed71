package table

import (
	"maps"
	"time"
)

// refresh follows a change of the source. Rows that are gone lose their marks.
func (l *List[R]) refresh() {
	maps.DeleteFunc(l.marked, func(key Key, _ bool) bool { return !l.source.Has(key) })
	l.hidden = l.MarkedHidden()
	l.stale = !l.want.plain()
	if !l.stale {
		l.keepLine(false)
	}
}

// keepLine finds the selected row again and keeps it on its line. Unless the rows were rearranged, new rows above it count as
// arrivals.
func (l *List[R]) keepLine(rearranged bool) {
	line, ok := l.find(l.key)
	switch {
	case l.Following(), rearranged && (l.want.top || !l.Held()):
		line = 0
		if l.divider == 0 && l.Len() > 1 {
			line = 1 // the first row, below the divider
		}
	case !ok || !l.hasSelection:
		line = l.cursor
	}
	if rearranged {
		l.previous, l.read = nil, nil
	} else {
		l.arrivals += max(0, line-l.cursor)
	}
	l.offset += line - l.cursor
	l.moveTo(line)
}

// filterBy shows the rows that match, or all if matches is nil. It runs matches on another goroutine.
func (l *List[R]) filterBy(matches func(row R, now time.Time) bool) {
	if l.want.matches == nil && matches != nil && l.hasSelection && l.cursor > 0 {
		l.unhidden = new(l.key)
	}
	l.want.matches, l.want.top = matches, false
	l.want.filter++
	if matches == nil && l.unhidden != nil {
		l.key, l.hasSelection, l.unhidden = *l.unhidden, true, nil
	}
	l.rearrange()
}

func (l *List[R]) rearrange() {
	l.stopRestoring()
	l.changes++
	l.want.number++
	clear(l.opened)
	l.stale = !l.want.plain()
	if !l.stale {
		l.arrangement = arrangement[R]{source: l.source, want: l.want, divider: -1}
		l.hidden = l.MarkedHidden()
		l.keepLine(true)
	}
}

// arranging returns a function that arranges the rows on another goroutine; or nil if they are up to date or it is running.
func (l *List[R]) arranging() func() arrangement[R] {
	if !l.stale || l.working {
		return nil
	}
	l.working, l.stale = true, false
	a := arrangement[R]{source: l.source, want: l.want, anchor: l.key, keep: l.keeps()}
	rows, divider := l.source.Freeze()
	a.opened = maps.Clone(l.opened)
	columns, alike, now := l.columns, l.foldBy(), l.now()
	return func() arrangement[R] { return a.arrange(rows, divider, columns, alike, now) }
}

// keeps reports whether the selected row stays even if it does not match.
func (l *List[R]) keeps() bool {
	return l.hasSelection && l.Held() && l.want.filter == l.arrangement.want.filter
}

// takeRows shows a finished arrangement, unless the filter or the order changed meanwhile.
func (l *List[R]) takeRows(a arrangement[R]) {
	l.working = false
	if a.want.number != l.want.number {
		return
	}
	if a.anchor != l.key || a.keep != l.keeps() { // the user moved the selection meanwhile
		if a.lapsed {
			a.dropLapsed()
		}
		a.anchor, a.anchorAt = l.key, index(a.rows, a.source, l.key)
		if a.anchorAt < 0 && l.keeps() {
			l.stale = true
			return
		}
	}
	if !maps.Equal(a.opened, l.opened) { // the user opened a fold meanwhile
		a.opened = maps.Clone(l.opened)
		a.fold(l.foldBy())
	}
	rearranged, alone := a.want.number != l.arrangement.want.number, l.hasSelection && l.Touched() && !l.onFold()
	l.arrangement = a
	if line, ok := l.find(l.key); ok && alone && l.folded(line) != nil {
		l.keepOpen(l.key) // a row that the user chose is never folded
	}
	l.changes++
	l.hidden = l.MarkedHidden()
	if rearranged && a.anchorAt < 0 && l.Held() {
		l.moveTo(l.lineOf(a.nearest))
		return
	}
	l.keepLine(rearranged)
}

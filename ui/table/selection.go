package table

import (
	"maps"
	"time"
)

// glance is how long a row must have been on the screen before a key press can be meant for it: nobody reacts faster, and no
// frame takes longer to reach a distant terminal.
const glance = 150 * time.Millisecond

// step moves the selection for the user. A row that stayed only because it was selected is removed.
func (l *List[R]) step(line int) {
	current := l.cursor
	if line == current {
		return
	}
	l.unhidden, l.want.top = nil, false
	if l.lapsed {
		row := l.first(max(0, min(line, l.Len()-1)))
		if row > l.anchorAt {
			row--
		}
		l.dropLapsed()
		l.fold(l.foldBy())
		l.changes++
		line = l.lineOf(max(0, min(row, l.size()-1)))
	}
	l.moveTo(line)
	l.held = l.hasSelection
}

// moveTo selects the row at an index, or the nearest one, and keeps it on the screen.
func (l *List[R]) moveTo(row int) {
	n := l.Len()
	l.cursor = max(0, min(row, n-1))
	l.hasSelection = n > 0
	if l.hasSelection {
		l.key = l.source.Key(l.row(l.cursor))
	}
	l.arrivals = min(l.arrivals, l.cursor)
	l.setHeight(l.height)
}

// setHeight sets the number of rows on the screen, and keeps the selected one among them.
func (l *List[R]) setHeight(rows int) {
	l.height = max(0, rows)
	if l.height > 0 {
		l.offset = max(min(l.offset, l.cursor), l.cursor-l.height+1)
		l.offset = max(0, min(l.offset, l.Len()-l.height))
	}
}

// seen records the selected row that a frame shows.
func (l *List[R]) seen() {
	row, ok := l.Selected()
	now := l.service()
	switch {
	case !ok || l.Held():
		l.previous, l.read = nil, nil
	case l.previous == nil || l.previous.key != l.key:
		if l.previous != nil && now.Sub(l.previous.since) >= glance {
			l.read = l.previous
		}
		l.previous = &sight[R]{row, l.key, now}
	}
}

// choose holds the row that the user sees as selected, and reports whether there is one. Another row may have come to the top
// since, or the row may no longer match. Call it before moving the selection or acting on its row.
func (l *List[R]) choose() bool {
	l.stopRestoring()
	target := l.previous
	if l.read != nil && l.service().Sub(target.since) < glance {
		target = l.read
	}
	if !l.Held() && target != nil && target.key != l.key {
		line, ok := l.find(target.key)
		switch {
		case ok:
			l.offset += line - l.cursor
			l.arrivals += max(0, line-l.cursor)
		case !l.Arranged(), !l.source.Has(target.key):
			return false // it is gone, and the user meant no other row
		default:
			line = l.cursor
			l.insert(line, target.row, target.key)
			l.fold(l.foldBy())
			line = l.lineOf(l.anchorAt)
			l.changes++
			l.stale = true
		}
		l.moveTo(line)
	}
	l.held = l.hasSelection
	return l.hasSelection
}

// remember records the selected row, if the user chose it, to select it again when the filter is removed.
func (l *List[R]) remember() {
	if l.Filtered() && l.unhidden == nil && l.hasSelection && l.Held() {
		l.unhidden = new(l.key)
	}
}

// stopRestoring stops waiting for the row of [Model.Restore].
func (l *List[R]) stopRestoring() { l.pending = nil }

// foldBy returns [Fold.By] if rows are folded in the present view, or nil.
func (l *List[R]) foldBy() func(row R) string {
	if l.folding == nil || !l.folding.When() {
		return nil
	}
	return l.folding.By
}

// keepOpen keeps the fold of a row open, as the user chose that row.
func (l *List[R]) keepOpen(key Key) {
	if l.opened == nil {
		l.opened = map[Key]bool{}
	}
	l.opened[key] = true
	l.arrangement.opened = maps.Clone(l.opened)
	l.fold(l.foldBy())
}

// unfold opens the fold of the selected line, and selects its first row.
func (l *List[R]) unfold() {
	l.keepOpen(l.key)
	l.held, l.changes = true, l.changes+1
	line, _ := l.find(l.key)
	l.moveTo(line)
}

// hidesInFold reports whether the row of a key at a line is folded, and not the first one.
func (l *List[R]) hidesInFold(line int, key Key) bool {
	rows := l.folded(line)
	return rows != nil && l.source.Key(rows[0]) != key
}

// onFold reports whether the selected line is a fold.
func (l *List[R]) onFold() bool { return l.folded(l.cursor) != nil }

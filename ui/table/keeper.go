package table

import (
	"maps"
	"time"
)

// keeper owns the list of a table: it arranges the rows and moves the selection. The selection is by key: rows that
// come, go or move never change it or its line on the screen. A selected row that no longer matches the filter stays
// until the user moves.
type keeper[R any] struct {
	List[R]

	columns  []Column[R]
	markable func(row R) bool
	service  func() time.Time // the time on the screen
	unhidden *Key             // what was selected before a filter hid it, until the user moves
	// previous is the selected row of the last frame, and read the one that was on the screen for a [glance] before.
	// Both are nil while the selection is held.
	previous, read *sight[R]
}

func newKeeper[R any](c *Config[R]) keeper[R] {
	s, shown := c.Session, c.Now
	if shown == nil {
		shown = s.ServiceNow
	}
	k := keeper[R]{columns: c.Columns, markable: c.Markable, service: s.ServiceNow, List: List[R]{
		arrangement: arrangement[R]{source: c.Source}, want: wanted[R]{column: DefaultOrder},
		marked: map[Key]bool{}, follow: c.Follow,
		now: func() time.Time { return s.Times.In(shown()) },
	}}
	k.rearrange()
	return k
}

// refresh takes in a changed source. Rows that are no longer in it lose their marks.
func (k *keeper[R]) refresh() {
	maps.DeleteFunc(k.marked, func(key Key, _ bool) bool { return !k.source.Has(key) })
	k.hidden = k.MarkedHidden()
	k.stale = !k.want.plain()
	if !k.stale {
		k.keepLine(false)
	}
}

// keepLine finds the selected row again and keeps it on its line. Rows above it have arrived, unless they were rearranged.
func (k *keeper[R]) keepLine(rearranged bool) {
	at, ok := k.find(k.key)
	switch {
	case k.Following(), rearranged && (k.want.top || !k.Held()):
		at = 0
		if k.divider == 0 && k.Len() > 1 {
			at = 1 // the first row, not what stands above it
		}
	case !ok || !k.hasSelection:
		at = k.cursor
	}
	if rearranged {
		k.previous, k.read = nil, nil
	} else {
		k.arrivals += max(0, at-k.cursor)
	}
	k.offset += at - k.cursor
	k.moveTo(at)
}

// step moves the selection for the user. A row that was shown only because it was selected goes away.
func (k *keeper[R]) step(to int) {
	at := k.cursor
	if to == at {
		return
	}
	k.unhidden, k.want.top = nil, false
	if k.lapsed {
		k.dropLapsed()
		k.changes++
		if to > at {
			to--
		}
	}
	k.moveTo(to)
	k.held = k.hasSelection
}

// moveTo selects the row at an index, or the nearest one, and keeps it on the screen.
func (k *keeper[R]) moveTo(row int) {
	n := k.Len()
	k.cursor = max(0, min(row, n-1))
	k.hasSelection = n > 0
	if k.hasSelection {
		k.key = k.source.Key(k.row(k.cursor))
	}
	k.arrivals = min(k.arrivals, k.cursor)
	k.setHeight(k.height)
}

// setHeight sets the number of rows on the screen, and keeps the selected one among them.
func (k *keeper[R]) setHeight(rows int) {
	k.height = max(0, rows)
	if k.height > 0 {
		k.offset = max(min(k.offset, k.cursor), k.cursor-k.height+1)
		k.offset = max(0, min(k.offset, k.Len()-k.height))
	}
}

// glance is how long a row must be on the screen for a key press to be meant for it: nobody reacts faster, and no frame
// takes longer to a distant terminal.
const glance = 150 * time.Millisecond

// sight is a row that frames showed as the selected one.
type sight[R any] struct {
	row   R
	key   Key
	since time.Time
}

// seen records what a frame shows as the selected row.
func (k *keeper[R]) seen() {
	row, ok := k.Selected()
	now := k.service()
	switch {
	case !ok || k.Held():
		k.previous, k.read = nil, nil
	case k.previous == nil || k.previous.key != k.key:
		if k.previous != nil && now.Sub(k.previous.since) >= glance {
			k.read = k.previous
		}
		k.previous = &sight[R]{row, k.key, now}
	}
}

// choose holds the row that the user sees as selected, even if another one has come to the top since or it no longer
// matches, and reports whether there is one. Call it before moving the selection or acting on its row.
func (k *keeper[R]) choose() bool {
	k.stopRestoring()
	t := k.previous
	if k.read != nil && k.service().Sub(t.since) < glance {
		t = k.read
	}
	if !k.Held() && t != nil && t.key != k.key {
		at, ok := k.find(t.key)
		switch {
		case ok:
			k.offset += at - k.cursor
			k.arrivals += max(0, at-k.cursor)
		case !k.Arranged(), !k.source.Has(t.key):
			return false // it is gone for good, and no other was meant
		default:
			at = k.cursor
			k.insert(at, t.row, t.key)
			k.changes++
			k.stale = true
		}
		k.moveTo(at)
	}
	k.held = k.hasSelection
	return k.hasSelection
}

// remember keeps the selected row for when the filter is removed, if the user chose it.
func (k *keeper[R]) remember() {
	if k.Filtered() && k.unhidden == nil && k.hasSelection && k.Held() {
		k.unhidden = new(k.key)
	}
}

// stopRestoring stops waiting for a row: the user has gone on.
func (k *keeper[R]) stopRestoring() { k.pending = nil }

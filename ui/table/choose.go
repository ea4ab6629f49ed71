package table

import "time"

// glance is how long a row has to be on the screen for a key to be meant for it, and not for
// the row before. Nobody reacts faster, and no frame takes longer to a distant terminal.
const glance = 150 * time.Millisecond

// sight is a row that frames showed as the selected one.
type sight[R any, K comparable] struct {
	row   R
	key   K
	since time.Time
}

// seen notes that the rows are on the screen as they are now.
func (m *list[R, K]) seen() {
	row, ok := m.Selected()
	switch now := m.Session.ServiceNow(); {
	case !ok || m.Chosen():
		m.last, m.read = nil, nil
	case m.last == nil || m.last.key != m.key:
		if m.last != nil && now.Sub(m.last.since) >= glance {
			m.read = m.last
		}
		m.last = &sight[R, K]{row, m.key, now}
	}
}

// choose holds the selection with the row that the user sees as selected, and reports whether
// there is one. At a top that is followed, that is the row that was there when the key was
// pressed, even if another one has come since, or if it has ceased to match. Whatever moves
// the selection or acts on its row begins with it.
func (m *list[R, K]) choose() bool {
	m.Forget()
	t := m.last
	if m.read != nil && m.Session.ServiceNow().Sub(t.since) < glance {
		t = m.read
	}
	if !m.Chosen() && t != nil && t.key != m.key {
		at, ok := m.find(t.key)
		switch {
		case ok:
			m.offset += at - m.cursor
			m.arrivals += max(0, at-m.cursor)
			m.moveTo(at)
		case !m.arranged:
			return false // it is gone for good, and no other was meant
		default:
			m.lines.insert(m.cursor, t.row)
			m.sought, m.found, m.lapsed, m.stale = t.key, m.cursor, true, true
			m.moveTo(m.cursor)
		}
	}
	m.held = m.some
	return m.some
}

// Restoring returns the key of the row that [Model.Restore] still waits for, if there is one.
func (m *list[R, K]) Restoring() (key K, ok bool) {
	if m.wish == nil {
		return key, false
	}
	return *m.wish, true
}

// Forget gives up waiting for a row: the user has gone on.
func (m *list[R, K]) Forget() { m.wish = nil }

// Chosen reports whether the selected row was chosen, as it is in every table that does
// not follow the top. One that was not gives way to the top of another order.
func (m *list[R, K]) Chosen() bool { return m.held || !m.Follow }

// Following reports whether the selection stays at the top while rows arrive above it.
func (m *list[R, K]) Following() bool {
	return !m.Chosen() && m.cursor == 0 && m.want.column == DefaultOrder && !m.want.reverse
}

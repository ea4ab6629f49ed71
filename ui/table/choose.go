package table

import "time"

// glance is how long a row has to be on the screen for a key to be meant for it: what is
// pressed sooner was meant for the row before. It is shorter than anybody reacts, and
// longer than a frame takes to a distant terminal and a key back.
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

// choose holds the selection with the row that the user sees as selected, and reports
// whether there is one. Where the selection follows the top, that is the row that was
// there when the key was pressed, even if another one has come since, or if it has ceased
// to match. Whatever moves the selection or acts on its row begins with it.
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
			m.slideTo(at)
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

// restoring is a row to select once it is there.
type restoring[K comparable] struct {
	wish *K   // its key, or nil
	open bool // its detail is to be opened
}

// Restoring returns the key of the row that [Model.Restore] still waits for, if there is one.
func (r *restoring[K]) Restoring() (key K, ok bool) {
	if r.wish == nil {
		return key, false
	}
	return *r.wish, true
}

// Forget gives up waiting for a row: the user has gone on.
func (r *restoring[K]) Forget() { r.wish = nil }

// Chosen reports whether the selected row was chosen, as it is in every table that does
// not follow the top. One that was not gives way to the top of another order.
func (m *list[R, K]) Chosen() bool { return m.held || !m.Follow }

// Following reports whether the selection stays at the top while rows arrive above it.
func (m *list[R, K]) Following() bool {
	return !m.Chosen() && m.cursor == 0 && m.want.column == DefaultOrder && !m.want.reverse
}

package feed

import (
	"cmp"
	"slices"
	"time"
)

// Older is a page to load next so that more rows can be shown.
type Older struct{ Project, Cursor string }

// ProjectGap is a place among the rows that are shown where operations of a project
// are missing.
type ProjectGap struct {
	Gap

	Project string
	// Row is where the operation stands that the gap is below.
	Row int
}

// Frontier is the time down to which the history of every project that was read is
// there, gaps apart; what is counted of earlier times is not all there was. It is not
// ok where nothing older is to come.
func (t *Timeline) Frontier() (at time.Time, ok bool) {
	if len(t.open.items) == 0 {
		return time.Time{}, false
	}
	return t.open.items[0].front.at, true
}

// Hold keeps the rows down to row i shown, and lets go of those kept before: call it
// with the last row on the screen when a person has moved away from the top. A
// negative row lets go and keeps none.
func (t *Timeline) Hold(i int) {
	t.held = nil
	if i = min(i, t.shown-1); i >= 0 {
		t.held = t.rows[i]
	}
	t.reveal()
}

// Older returns up to n pages to load next: those of the feeds that hold the frontier
// up, the newest first.
func (t *Timeline) Older(n int) []Older {
	var out []Older
	for _, m := range t.open.items[:min(max(n, 0), len(t.open.items))] {
		cursor, _ := m.Feed.Older()
		out = append(out, Older{m.Project, cursor})
	}
	return out
}

// Ended says that the oldest operations of all projects that were read are loaded.
func (t *Timeline) Ended() bool { return t.Read() > 0 && len(t.open.items) == 0 }

// Read is the number of projects whose head page has come, retired ones left out.
func (t *Timeline) Read() int { return len(t.polled.items) }

// Oldest returns the project that was asked for its head page longest ago, of those
// that were ever read, and when that was. The project is empty where none was.
func (t *Timeline) Oldest() (project string, asOf time.Time) {
	if len(t.polled.items) == 0 {
		return "", time.Time{}
	}
	m := t.polled.items[0]
	return m.Project, m.asOf
}

// Gaps returns the places among the shown rows where operations are missing, newest
// first.
func (t *Timeline) Gaps() []ProjectGap {
	var out []ProjectGap
	for m := range t.gapped {
		for _, g := range m.Feed.Gaps() {
			if row, ok := t.Find(m.Project, g.Below); ok {
				out = append(out, ProjectGap{g, m.Project, row})
			}
		}
	}
	// Where rows are held, feeds may stop above the last one.
	for _, m := range t.open.items {
		row := t.search(m.front)
		if row >= t.shown-1 {
			break
		}
		cursor, _ := m.Feed.Older()
		out = append(out, ProjectGap{Gap{m.front.op().ID, cursor}, m.Project, row})
	}
	slices.SortFunc(out, func(a, b ProjectGap) int { return cmp.Compare(a.Row, b.Row) })
	return out
}

// reveal works out how many rows may be shown.
func (t *Timeline) reveal() {
	t.shown = len(t.rows)
	if len(t.open.items) == 0 {
		return
	}
	last := t.open.items[0].front
	if t.held != nil && compare(t.held, last) > 0 {
		last = t.held
	}
	t.shown = t.search(last) + 1
}

// rank puts a member where it belongs after its feed has changed.
func (t *Timeline) rank(m *member) {
	var front *entry
	read, gaps := m.Feed.loaded && !m.retired, false
	if read {
		front = m.Feed.front()
		gaps = len(m.Feed.edges) > 1 || len(m.Feed.edges) == 1 && front == nil
	}
	if front != m.front {
		if m.front != nil {
			t.open.remove(m)
		}
		if m.front = front; front != nil {
			t.open.insert(m)
		}
	}
	if read != m.read || !m.asOf.Equal(m.Feed.head) {
		if m.read {
			t.polled.remove(m)
		}
		if m.read, m.asOf = read, m.Feed.head; read {
			t.polled.insert(m)
		}
	}
	if gaps {
		t.gapped[m] = struct{}{}
	} else {
		delete(t.gapped, m)
	}
}

// ranking keeps members in order. The order must not change while they are in it.
type ranking struct {
	items   []*member
	compare func(a, b *member) int
	filling bool // in no order yet: many are ordered faster at once
}

func (r *ranking) fill() { r.filling = true }

func (r *ranking) filled() {
	r.filling = false
	slices.SortFunc(r.items, r.compare)
}

func (r *ranking) insert(m *member) {
	if r.filling {
		r.items = append(r.items, m)
		return
	}
	i, _ := slices.BinarySearchFunc(r.items, m, r.compare)
	r.items = slices.Insert(r.items, i, m)
}

func (r *ranking) remove(m *member) {
	if i, ok := slices.BinarySearchFunc(r.items, m, r.compare); ok {
		r.items = slices.Delete(r.items, i, i+1)
	}
}

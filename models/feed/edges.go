package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// mostStrays is how many pages in a row may stay in the second of their edge.
const mostStrays = 50

// span is the position of a page among the known rows.
type span struct {
	origin *edge  // the edge with the page's cursor, or nil for a head page
	from   *entry // the edge's row, or the newest operation of a head page
	last   *entry // the last row in the page: the oldest operation, or nil if the page is empty
	tail   *entry // the operation that the page lists last, or nil
	sorted bool
	onward bool // the page has an operation that belongs below the edge
	news   bool // the page has an unknown operation
	late   bool // a newer head page was merged before, by the clock
	// among reports whether last was known, or lies among known rows without a gap. joined reports whether nothing is missing
	// below it either: it began in an older second than the newest of those rows. In that newest second, the service may list
	// later operations anywhere.
	among, joined bool
	top           time.Time // the newest second of those rows
}

// ledBack reports whether a cursor led from an edge back to known operations: what follows them is not the end of
// history, whether that page has a cursor or not.
func (s *span) ledBack() bool {
	return s.origin != nil && s.last != nil && !s.news && s.last.second().After(s.origin.above.second())
}

// measure returns the position of a page before it is merged.
func (f *Feed) measure(page rows, origin *edge) span {
	s := span{origin: origin, onward: origin == nil}
	s.sorted = slices.IsSortedFunc(page, func(a, b *entry) int { return b.at.Compare(a.at) })
	if len(page) == 0 {
		return s
	}
	s.from, s.last = slices.MinFunc(page, compare), slices.MaxFunc(page, compare)
	s.tail = page[len(page)-1]
	if origin != nil {
		s.from, s.onward = origin.above, compare(s.last, origin.above) > 0
	}
	i := f.search(s.last)
	s.among = f.byID[s.last.op().ID] != nil || f.forgotten.has(s.last) ||
		i > 0 && i < len(f.rows) && f.edgeBelow(f.rows[i-1]) == nil
	if s.among && len(f.rows) > 0 {
		top := f.top(i)
		switch {
		case top < len(f.rows):
			s.top = f.rows[top].second()
		case f.forgotten.boundary != nil: // only forgotten operations are around it
			s.top = f.forgotten.boundary.second()
		}
		if origin != nil && !origin.top.IsZero() && top == f.search(origin.above)+1 {
			s.top = origin.top
		}
	}
	s.joined = s.last.second().Before(s.top)
	return s
}

// moveEdges updates the edges after a merge, and returns the gap that the page left, or nil.
func (f *Feed) moveEdges(p models.Page[models.Operation], s span) *Gap {
	resumed, found := f.closeEdges(s, p.AsOf)
	origin := s.origin
	if s.last == nil || p.Last() && p.Damage == "" {
		if s.ledBack() {
			f.addEdge(origin.stuck(origin.last))
		}
		return nil
	}
	last := f.lastOf(s)
	if last == nil { // it was forgotten, and so was everything below it
		return nil
	}
	next := edge{above: last, last: last, cursor: p.Next, back: p.Cursor, top: s.top, run: len(p.Items), found: found}
	if origin != nil {
		next.run += origin.run
	}
	switch {
	case origin != nil && !s.onward:
		next = f.stray(next, s)
	case s.joined && resumed == nil:
		return nil
	case resumed != nil && resumed.top.Before(next.top): // the page does not tell more of the rows below
		next.top = resumed.top
	}
	if p.Damage != "" {
		next.cursor, next.broken = p.Cursor, true
	}
	f.addEdge(next)
	if next.broken || f.isLast(next.above) {
		return nil
	}
	gap := next.gap()
	return &gap
}

// closeEdges removes the edges that a page covers, and the edge of its cursor. If the page ends at an edge where paging had
// broken, it returns that edge: the page's cursor leads on from there. It also returns since when the operations below the
// page are missing: a gap that moves is as old as before.
func (f *Feed) closeEdges(s span, asOf time.Time) (resumed *edge, found time.Time) {
	found = asOf
	for i := range f.edges {
		e := &f.edges[i]
		if !s.closes(*e) {
			continue
		}
		found = earlier(found, e.found)
		if !s.beganAt(*e) && e.above == s.last {
			resumed = new(*e)
		}
	}
	f.edges = slices.DeleteFunc(f.edges, s.closes)
	return resumed, found
}

// closes reports whether a page closes an edge: nothing is missing below the edge any more, except below the page.
func (s *span) closes(e edge) bool {
	switch {
	case s.beganAt(e):
		return true
	case !s.sorted, s.last == nil, compare(s.from, e.above) > 0:
		return false
	case s.late && !e.above.second().Before(s.from.second()):
		return false
	}
	below := compare(e.above, s.last)
	return below < 0 || e.broken && below == 0
}

func (s *span) beganAt(e edge) bool { return s.origin != nil && e == *s.origin }

// stray returns the edge below a page without an operation below its origin. Its cursor breaks the paging, but does not
// mean the end of history. New operations above the origin break nothing if they lie among known rows: the origin may
// be below a row with a wrong time. If paging was already broken, the previous page was requested again, and its cursor
// is followed as long as each page goes further down. Within a second, it is followed for a while: the order of
// operations that were never on one page is a guess.
func (f *Feed) stray(next edge, s span) edge {
	origin := s.origin
	stuck := origin.stuck(next.last)
	sameSecond := next.last.second().Equal(origin.above.second()) && s.tail != origin.above
	switch {
	case origin.again && compare(next.last, origin.last) > 0:
		next.above, next.top, next.again = origin.above, origin.top, true
		return next
	case sameSecond && origin.strayed < mostJoined:
		next.above, next.top = origin.above, origin.top
		next.strayed = origin.strayed + max(next.run-origin.run, mostJoined/mostStrays)
		return next
	case s.news && !s.among:
		f.addEdge(stuck)
		return next
	case !s.news && !origin.broken && compare(next.last, origin.last) <= 0:
		return stuck
	}
	// The rows above it claim nothing of those below. Pages that stay in the second and others may take turns.
	next.above, next.top, next.strayed = origin.above, origin.top, origin.strayed
	return next
}

// addEdge adds an edge. If its row has an edge already, the new one replaces it, and claims no more of the rows below than
// that.
func (f *Feed) addEdge(e edge) {
	index, found := slices.BinarySearchFunc(f.edges, e.above, againstRow)
	if !found {
		f.edges = slices.Insert(f.edges, index, e)
		return
	}
	e.top = earlier(e.top, f.edges[index].top)
	f.edges[index] = e
}

// edgeBelow returns the edge below a row, or nil.
func (f *Feed) edgeBelow(row *entry) *edge {
	index, found := slices.BinarySearchFunc(f.edges, row, againstRow)
	if !found {
		return nil
	}
	return &f.edges[index]
}

func againstRow(e edge, row *entry) int { return compare(e.above, row) }

// stuck returns an edge where paging broke: its cursor is the one that led to it.
func (e *edge) stuck(last *entry) edge {
	return edge{above: e.above, last: last, cursor: e.back, back: e.back, broken: true}
}

// lastOf returns the known row of a page's last operation, or nil.
func (f *Feed) lastOf(s span) *entry {
	if s.last == nil {
		return nil
	}
	return f.byID[s.last.op().ID]
}

// closestOrigin returns the lowest edge with the cursor of another one that is above the end of a page, or else that other one.
// Two edges can have one cursor where operations were given back: what the cursor leads to may lie between them, and the upper
// edge must move with it.
func (f *Feed) closestOrigin(lowest *edge, page rows) *edge {
	if len(page) == 0 {
		return lowest
	}
	end := slices.MaxFunc(page, compare)
	for _, e := range slices.Backward(f.edges) {
		if e.cursor == lowest.cursor && e.broken == lowest.broken && compare(e.above, end) < 0 {
			return &e
		}
	}
	return lowest
}

// origin returns the edge above a page with this cursor, or nil for the head. If a service gave several edges the same
// cursor, it is the lowest one at which paging is not broken: a broken one stays, and would hide the others for ever.
func (f *Feed) origin(cursor string) (origin *edge, ok bool) {
	if cursor == "" {
		return nil, true
	}
	for _, e := range slices.Backward(f.edges) {
		if e.cursor == cursor && (origin == nil || origin.broken && !e.broken) {
			origin = &e
		}
	}
	return origin, origin != nil
}

package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// seamRows is the least number of rows between two seams.
const seamRows = 250

// note notes the end of a page unless another one is near.
func (f *Feed) note(m seam) {
	index, _ := slices.BinarySearchFunc(f.seams, m.above, seam.compareRow)
	row := f.search(m.above)
	for _, i := range []int{index - 1, index} {
		if i < 0 || i >= len(f.seams) {
			continue
		}
		if apart := row - f.search(f.seams[i].above); max(apart, -apart) < seamRows {
			return
		}
	}
	f.seams = slices.Insert(f.seams, index, m)
}

func (m seam) compareRow(row *entry) int { return compare(m.above, row) }

// end returns how many rows stay if a feed is cut at a seam: those down to the end of the seam's second, because the order
// within a second is a guess. All older rows come after the seam's cursor.
func (m seam) end(f *Feed) int { return f.since(m.above.second()) }

// giveBack drops rows below the newest keep ones, and leaves edges that load them again. The rows between two seams are
// dropped together: if one of them has to stay, all stay. It returns when the newest row with such an edge began, or zero.
func (f *Feed) giveBack(keep int, stays func(*entry) bool) (cut time.Time) {
	var below []seam
	for i, m := range f.seams {
		from, end := m.end(f), len(f.rows)
		if i+1 < len(f.seams) {
			end = f.seams[i+1].end(f)
		}
		if from < max(1, keep) || from == end || slices.ContainsFunc(f.rows[from:end], stays) {
			continue
		}
		for _, e := range f.rows[from:end] {
			e.dropped = true
		}
		if f.lost != nil && from <= f.search(f.lost) && f.search(f.lost) <= end {
			f.lost = nil // it is below the new edge
		}
		below = append(below, m)
	}
	for _, m := range below {
		above := f.rows[m.end(f)-1]
		if above.dropped {
			continue
		}
		if cut.IsZero() {
			cut = above.at
			f.unheard(above)
		}
		if f.edgeBelow(above) == nil {
			f.addEdge(edge{above: above, cursor: m.cursor, back: m.back, last: m.above})
		}
	}
	f.drop()
	return cut
}

// cut drops all rows below the newest keep ones. It returns a time after which none was dropped, or zero if none was. If an
// edge loads them again, that is when the last kept row began, and else when the first dropped one did.
func (f *Feed) cut(keep int) (end time.Time) {
	if keep = max(1, keep); keep >= len(f.rows) {
		return time.Time{}
	}
	above, first := f.rows[keep-1], f.rows[keep]
	if f.lost != nil && compare(f.lost, above) > 0 {
		f.lost = nil // it is below the new edge
	}
	m, whole := f.seamAbove(keep)
	if !whole && f.lost == nil {
		f.lost = first
	}
	for _, e := range f.rows[keep:] {
		e.dropped = true
	}
	f.unheard(above)
	if end = first.at; m != nil {
		end = above.at
		if f.edgeBelow(above) == nil {
			f.addEdge(edge{above: above, cursor: m.cursor, back: m.back, last: m.above, again: true})
		}
	}
	f.drop()
	return end
}

// seamAbove returns the last seam with a cursor that leads to all rows below the newest keep ones, and true. If there is
// none, it returns false, and a seam of the same second or nil. The cursor of that seam may not lead to all of them.
func (f *Feed) seamAbove(keep int) (m *seam, whole bool) {
	for i := range f.seams {
		switch candidate := &f.seams[i]; {
		case candidate.end(f) <= keep:
			m, whole = candidate, true
		case !whole && f.search(candidate.above) < keep:
			m = candidate
		}
	}
	return m, whole
}

// unheard makes sure that what is older than a row is not news when it is loaded again.
func (f *Feed) unheard(above *entry) {
	if f.start == nil || compare(above, f.start) < 0 {
		f.start = above
	}
	if f.given == nil || compare(above, f.given) < 0 {
		f.given = above
	}
}

// gaveBack reports whether a row lies below the newest cut: it may be one that was given back.
func (f *Feed) gaveBack(id string) bool {
	e := f.byID[id]
	return f.given != nil && e != nil && compare(e, f.given) > 0
}

// drop removes the rows that are marked as dropped, with their edges and seams.
func (f *Feed) drop() {
	var dropped rows
	for _, e := range f.rows {
		if !e.dropped {
			continue
		}
		dropped = append(dropped, e)
		id := e.op().ID
		delete(f.byID, id)
		delete(f.active, id)
		f.failed.remove(id)
		f.weigh(-1, -weight(e.op()))
	}
	if len(dropped) == 0 {
		return
	}
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return e.above.dropped })
	f.seams = slices.DeleteFunc(f.seams, func(m seam) bool { return m.above.dropped })
	f.rows = f.without(dropped[0])
	f.weighMarks()
	if f.timeline != nil {
		f.timeline.forget(f, dropped)
	}
	if f.fleet != nil {
		f.fleet.forget(f.project, dropped)
	}
}

// regain ends the loss of rows if a page has all of their newest second, and leads on from there, or is the last.
func (f *Feed) regain(p models.Page[models.Operation], s span) {
	if s.origin == nil && p.Limit >= mostAtOnce { // a longer one cannot be had
		f.sought = false
	}
	if f.lost == nil || !s.sorted || s.last == nil {
		return
	}
	second := f.lost.second()
	above := s.origin == nil && !s.late || second.Before(s.from.second())
	ended := p.Last() && p.Damage == ""
	if above && (ended || s.last.second().Before(second)) {
		f.lost = nil
	}
}

// seek makes the next newest page as long as possible if rows after a time were lost: the page may have them.
func (f *Feed) seek(since time.Time) { f.sought = f.lost != nil && f.lost.at.After(since) }

// recent returns the operations that began or ended within a time, without those that may have been given back.
func (f *Feed) recent(operations []*models.Operation, within func(time.Time) bool) (recent []*models.Operation) {
	for _, op := range operations {
		if !f.gaveBack(op.ID) && (within(op.CreatedAt) || within(op.EndedAt())) {
			recent = append(recent, op)
		}
	}
	return recent
}

package feed

import (
	"slices"
	"time"
)

// mostWithGaps is how many operations are kept to close gaps.
const mostWithGaps = 2 * mostJoined

// forget drops the finished operations below the newest keep rows, so that a feed followed for weeks keeps a constant size.
// They do not come back.
//
// Rows above failed operations that a page may read together stay: without these rows, each of them is read by id. Up to
// mostWithGaps operations, nothing is dropped while pages after since are missing, because closing the gap needs the rows
// below. The newest second stays whole up to the same number: every page is compared with all of it.
func (f *Feed) forget(keep int, since time.Time) {
	if len(f.rows) <= 2*keep {
		return
	}
	keep = max(keep, f.failedTogether())
	limit := 2 * keep
	for _, e := range f.edges {
		olderHistory := f.isLast(e.above) && !e.above.at.After(since) // it was not requested
		if !olderHistory {
			limit = max(limit, mostWithGaps)
		}
	}
	n := len(f.rows)
	if n <= limit || n <= mostWithGaps && f.rows[keep].second().Equal(f.rows[0].second()) {
		return
	}
	f.forgetBelow(keep, mostWithGaps, n)
}

// forgetBelow drops the rows below the newest keep ones for good. Of the open ones among them, it keeps the newest, as many
// as open says, and returns the others. If it would have to remember more than limit ids, it forgets the boundary's second as
// a whole, also what was not read of it.
func (f *Feed) forgetBelow(keep, limit, open int) (lost rows) {
	g := &f.forgotten
	if g.boundary == nil || f.rows[keep].second().After(g.boundary.second()) {
		g.ids = map[string]struct{}{}
	}
	if g.boundary == nil || compare(f.rows[keep], g.boundary) < 0 {
		g.boundary = f.rows[keep]
	}
	near := true // it may come again in the boundary's second: without a readable time, it is placed by the rows beside it
	for _, e := range f.rows[keep:] {
		near = near && (e.second().Equal(g.boundary.second()) || !e.at.Equal(e.op().CreatedAt))
		if f.isOpen(e) {
			if open--; open >= 0 {
				continue
			}
			lost = append(lost, e)
		}
		e.dropped = true
		if near {
			g.ids[e.op().ID] = struct{}{}
		}
	}
	edges, _ := slices.BinarySearchFunc(f.edges, f.rows[keep-1], againstRow)
	seams, _ := slices.BinarySearchFunc(f.seams, f.rows[keep-1], seam.compareRow)
	f.edges, f.seams = slices.Delete(f.edges, edges, len(f.edges)), slices.Delete(f.seams, seams, len(f.seams))
	if len(g.ids) > limit {
		g.endSecond(f)
	}
	f.drop()
	if f.timeline != nil {
		f.timeline.compact()
	}
	return lost
}

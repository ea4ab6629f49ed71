package feed

import (
	"slices"
	"time"
)

// mostWithGaps is how many operations are kept to close gaps.
const mostWithGaps = 2 * mostJoined

// forget drops the finished operations below the newest keep rows, so that a feed followed for weeks keeps a constant
// size. They do not come back. Up to mostWithGaps operations, nothing is dropped while pages after since are missing,
// because closing the gap needs the rows below, nor of the newest second, which is compared in full with every page. Nor is
// what lies above failed operations that a page may read together: without it, each of them is read by id.
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
	f.forgetBelow(keep, mostWithGaps, f.isOpen)
}

// forgetBelow drops the rows below the newest keep ones for good, but for those that stay. If more than limit of them are of
// one second, the rest of that is not waited for.
func (f *Feed) forgetBelow(keep, limit int, stays func(*entry) bool) {
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
		if !stays(e) {
			e.dropped = true
			if near {
				g.ids[e.op().ID] = struct{}{}
			}
		}
	}
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return f.search(e.above) >= keep-1 })
	f.seams = slices.DeleteFunc(f.seams, func(m seam) bool { return f.search(m.above) >= keep-1 })
	if len(g.ids) > limit {
		g.endSecond(f)
	}
	f.drop()
	if f.timeline != nil {
		f.timeline.compact()
	}
}

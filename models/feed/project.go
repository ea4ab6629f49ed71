package feed

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models"
)

// Project is the part of the project list that the poller needs.
type Project struct {
	ID string
	// ChangedAt is when the project last changed, by the list. A later time than before suggests new operations; the
	// same time proves nothing.
	ChangedAt time.Time
	Pinned    bool // polls the project in every cycle, see [Options.MaxPinned]
}

// project is the state of polling one project, besides its feed.
type project struct {
	Project
	*conditions
	requests

	feed   *Feed
	late   time.Duration // how long after its cycle had begun its newest page was asked for
	anew   bool          // its newest page does not wait for the next cycle
	seen   time.Time     // ChangedAt when the head page that was read last was requested
	lively bool          // the last newest page had news
	wanted bool          // the user wants to see it now
	chosen bool          // see [Poller.Choose]
	gone   bool          // the service returns 404 for it
	absent bool          // the complete project list does not contain it
	ranged bool          // its next page of the range is handed over
}

// lastChanged orders projects by when they changed, the last one first.
func lastChanged(a, b *project) int {
	return cmp.Or(b.ChangedAt.Compare(a.ChangedAt), cmp.Compare(a.ID, b.ID))
}

// hinted reports whether the project list shows a change since the project was read.
func (pr *project) hinted() bool { return pr.feed.Loaded() && !pr.ChangedAt.Equal(pr.seen) }

// headPage returns the request for the newest page. Its cursor leads to the operations below.
func (pr *project) headPage(size, longest int, now time.Time) request {
	return request{
		Project: pr.ID, changed: pr.ChangedAt,
		PageRequest: models.PageRequest{Limit: pr.feed.headLimit(size, longest, now)},
	}
}

func (pr *project) inScope() bool { return pr.scope == "" || pr.scope == pr.ID }

// err returns why a project cannot be read, or nil.
func (pr *project) err() error { return pr.failing[pr] }

// readBelow queues what is to be read below a newest page, or a page that joins others: the page of the gap that it left or,
// without a gap, the pages with unfinished operations.
func (pr *project) readBelow(a Answer, gap *Gap) {
	if gap == nil {
		gap = pr.feed.gapSince(pr.first)
	}
	switch {
	case gap != nil && a.pages > 0 && !pr.absent && !pr.gone:
		join := pr.page(gap.Cursor, Join, a.pages-1)
		join.Limit = min(pr.longestPage(), max(join.Limit, 2*a.Limit))
		pr.join(join)
	case !pr.has(Reread):
		pr.rereadPages(a.Page)
	}
}

// join adds a page that joins others. If another one waits for the same gap, or for one that has moved, the new one takes its
// place, and is at least as long.
func (pr *project) join(join request) {
	moved := slices.IndexFunc(pr.waiting, func(r request) bool { return pr.astray(r) || join.isSame(r) })
	if moved < 0 {
		pr.waiting = append(pr.waiting, join)
		return
	}
	join.Limit = max(join.Limit, pr.waiting[moved].Limit)
	pr.waiting[moved] = join
}

// astray matches joins of the project whose gap is no longer there: other pages have moved it, or closed it.
func (pr *project) astray(r request) bool {
	if r.Purpose != Join || r.Project != pr.ID {
		return false
	}
	_, found := pr.feed.origin(r.Cursor)
	return !found
}

// page returns the request for a page of a project below the newest one.
func (pr *project) page(cursor string, purpose Purpose, pages int) request {
	return request{
		Project: pr.ID, Purpose: purpose, pages: pages,
		PageRequest: models.PageRequest{Cursor: cursor, Limit: pr.pageSize()},
	}
}

// rereadPages requests the pages below a head page that contain unfinished operations, as far as they take fewer
// requests than single operations would. What they do not contain is read by id, see [project.unfinishedRequest].
func (pr *project) rereadPages(head models.Page[models.Operation]) {
	late := pr.feed.overdue()
	if len(late) == 0 || head.Last() {
		return
	}
	top, _ := pr.feed.Find(head.Items[len(head.Items)-1].ID)
	end := pr.feed.contiguous(top) // the number of operations below it is unknown
	longest := pr.longestPage()
	pages, rows, best := 0, 0, len(late)
	for i, e := range late {
		row := pr.feed.search(e)
		if row > end {
			break
		}
		n := (row - top + longest - 1) / longest
		if cost := n + len(late) - i - 1; n > 0 && cost < best {
			best, pages, rows = cost, n, row-top
		}
	}
	if pages > 0 {
		r := pr.page(head.Next, Reread, pages-1)
		r.Limit = min(longest, max(r.Limit, rows))
		pr.waiting = append(pr.waiting, r)
	}
}

// again asks for something once more that was not answered.
func (pr *project) again(r request) {
	switch {
	case r.Purpose == Head:
		pr.anew = true
	case pr.gone, pr.astray(r):
	case r.Purpose != Older && r.ID == "": // the others are asked for anyway
		pr.waiting = slices.Insert(pr.waiting, 0, r)
	}
}

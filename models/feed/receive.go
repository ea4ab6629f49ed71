package feed

import (
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

const (
	// maxJoins is the number of pages requested to join a head page with known rows, each twice as long as the one before.
	// After that, a gap remains, which the user can open.
	maxJoins = 5
	// maxBackoff is the longest delay between retries, unless the interval is longer: it limits how long a recovered
	// service looks down.
	maxBackoff = 30 * time.Second
)

// Receive is of [poll.Reader]. An answer that was lost is not told.
func (p *Poller) Receive(turn poll.Answer, now time.Time) {
	p.cached = nil
	p.beginCycle(now)
	pr := p.projects[turn.Of]
	a, came := turn.Value.(Answer)
	if !came {
		a = Answer{request: pr.flights[turn.Subject], Err: turn.Err}
	}
	if !turn.Late {
		delete(pr.flights, turn.Subject)
	}
	if a.Err != nil {
		a.Change = p.fail(pr, a, turn.Own)
	} else {
		a.Change = p.merge(pr, a)
	}
	p.put(pr)
	p.putRange()
	if came {
		p.told(a, now)
	}
}

// merge merges a good answer.
func (p *Poller) merge(pr *project, a Answer) Change {
	if a.ID != "" {
		a.Operation.ID = a.ID // however the service spells it
		return pr.feed.Update(a.Operation, a.AsOf)
	}
	p.noteFirst(a.Page)
	var revived []Revision
	if a.Purpose == Head && pr.gone {
		revived = pr.feed.Revive().Changed
	}
	c := pr.feed.Merge(a.Page)
	c.Changed = append(revived, c.Changed...)
	c.News = append(slices.Clip(c.News), p.recent(pr.feed, c.Added[len(c.News):])...)
	switch a.Purpose {
	case Head:
		pr.gone, pr.seen, a.pages = false, a.changed, maxJoins
		pr.lively = len(c.Added)+len(c.Changed) > 0
		pr.feed.SetRetired(pr.absent)
		p.readBelow(pr, a, c.Gap)
	case Join:
		p.readBelow(pr, a, c.Gap)
	case Reread:
		if a.pages > 0 && !a.Page.Last() {
			next := a.request
			next.Cursor, next.pages = a.Page.Next, a.pages-1
			p.again(pr, next)
		}
	case Gapped, Older:
		delete(p.olderErrs, pr)
	}
	pr.drop(pr.astray)
	p.giveBack()
	return c
}

// noteFirst notes when the service first answered, by its clock.
func (p *Poller) noteFirst(page models.Page[models.Operation]) {
	if !p.first.IsZero() {
		return
	}
	p.first = page.AsOf
	if !page.ServiceTime.IsZero() {
		p.first = page.ServiceTime
	}
}

// recent returns the operations of a feed that began or ended since the service first answered. The same second counts as
// later. What may have been given back is left out.
func (p *Poller) recent(f *Feed, operations []*models.Operation) (recent []*models.Operation) {
	for _, op := range operations {
		if !f.gaveBack(op.ID) && (p.since(op.CreatedAt) || p.since(op.EndedAt())) {
			recent = append(recent, op)
		}
	}
	return recent
}

// since reports whether a time is known and is not before the service's first answer, as far as whole seconds tell.
func (p *Poller) since(at time.Time) bool {
	return !at.IsZero() && !p.first.IsZero() && !at.Before(p.first.Truncate(time.Second))
}

// readBelow queues what is to be read below a newest page, or a page that joins others: the page of the gap that it left,
// and else the pages with unfinished operations.
func (p *Poller) readBelow(pr *project, a Answer, gap *Gap) {
	if gap == nil {
		gap = pr.feed.gapSince(p.first)
	}
	switch {
	case gap != nil && a.pages > 0 && !pr.absent && !pr.gone:
		join := p.page(pr, gap.Cursor, Join, a.pages-1)
		join.Limit = min(p.longestPage(), max(join.Limit, 2*a.Limit))
		pr.join(join)
	case !pr.has(Reread):
		p.rereadPages(pr, a.Page)
	}
}

// astray matches joins of the project whose gap is no longer there: other pages have moved it, or closed it.
func (pr *project) astray(r request) bool {
	if r.Purpose != Join || r.Project != pr.ID {
		return false
	}
	_, found := pr.feed.origin(r.Cursor)
	return !found
}

// join adds a page that joins others. If another one waits for the same gap, or for one that was moved, it takes its place
// and its length.
func (pr *project) join(join request) {
	moved := slices.IndexFunc(pr.waiting, func(r request) bool {
		return pr.astray(r) || r.Purpose == Join && r.target() == join.target()
	})
	if moved < 0 {
		pr.waiting = append(pr.waiting, join)
		return
	}
	join.Limit = max(join.Limit, pr.waiting[moved].Limit)
	pr.waiting[moved] = join
}

func (pr *project) drop(which func(request) bool) { pr.waiting = slices.DeleteFunc(pr.waiting, which) }

// page returns the request for a page of a project below the newest one.
func (p *Poller) page(pr *project, cursor string, purpose Purpose, pages int) request {
	return request{
		Project: pr.ID, Purpose: purpose, pages: pages,
		PageRequest: models.PageRequest{Cursor: cursor, Limit: p.options.pageSize(len(p.order))},
	}
}

// rereadPages requests the pages below a head page that contain unfinished operations, as far as they take fewer
// requests than single operations would. What they do not contain is read by id, see [Poller.unfinishedRequest].
func (p *Poller) rereadPages(pr *project, head models.Page[models.Operation]) {
	late := pr.feed.overdue()
	if len(late) == 0 || head.Last() {
		return
	}
	top, _ := pr.feed.Find(head.Items[len(head.Items)-1].ID)
	end := pr.feed.contiguous(top) // the number of operations below it is unknown
	longest := p.longestPage()
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
		r := p.page(pr, head.Next, Reread, pages-1)
		r.Limit = min(longest, max(r.Limit, rows))
		pr.waiting = append(pr.waiting, r)
	}
}

// again asks for something once more that was not answered.
func (p *Poller) again(pr *project, r request) {
	switch {
	case r.Purpose == Head:
		pr.anew = true
	case pr.gone, pr.astray(r):
	case r.Purpose != Older && r.ID == "": // the others are asked for anyway
		pr.waiting = slices.Insert(pr.waiting, 0, r)
	}
}

// fail handles a failure. One that concerns the whole service does not affect the project: it is asked again.
func (p *Poller) fail(pr *project, a Answer, own bool) Change {
	switch {
	case a.tooLong(p.options):
		p.longest = p.options.PageSize // the service has shorter pages than others
		a.Limit = p.longest
		p.again(pr, a.request)
	case a.ID != "" && models.KindOf(a.Err) == models.KindNotFound:
		return pr.feed.Vanish(a.ID, a.AsOf)
	case !own:
		p.again(pr, a.request)
	case a.Purpose == Head:
		return p.failHead(pr, a)
	case a.Purpose == Gapped, a.Purpose == Older:
		p.olderErrs[pr] = a.Err
		pr.drop(is(Gapped))
	case a.Purpose == Join && a.pages > 0:
		a.pages--
		a.failed = true
		p.again(pr, a.request)
	}
	return Change{}
}

// failHead marks a project as unreadable. After a 404, its unfinished operations are gone.
func (p *Poller) failHead(pr *project, a Answer) (c Change) {
	pr.anew = true
	pr.feed.changed(Change{}, nil) // the error is part of its health
	if models.KindOf(a.Err) == models.KindNotFound {
		pr.gone = true
		p.forget(pr)
		for _, e := range pr.feed.unfinished() {
			c.Changed = append(c.Changed, pr.feed.Vanish(e.op().ID, a.AsOf).Changed...)
		}
		pr.feed.SetRetired(true)
	}
	return c
}

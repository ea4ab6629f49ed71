package feed

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"pgtower/models"
)

const (
	// maxJoins is the number of pages requested to join a head page with known rows, each twice as long as the one before.
	// After that, a gap remains, which the user can open.
	maxJoins = 5
	// maxBackoff is the longest delay between retries, unless the interval is longer: it limits how long a recovered
	// service looks down.
	maxBackoff = 30 * time.Second
)

// Receive merges an answer and returns what it changed.
func (p *Poller) Receive(a Answer, now time.Time) Change {
	p.cached = nil
	delete(p.traffic.sent, a.target())
	p.budgets.all.Spend(a.attempts-1, now)
	if a.limited {
		p.budgets.limited(a.AsOf, now)
	}
	pr := p.projects[a.Project]
	if pr == nil {
		return Change{}
	}
	if a.Purpose == Head {
		pr.inFlight = false
	}
	if a.Err != nil {
		return p.fail(pr, a, now)
	}
	p.health.responded(now)
	if a.ID != "" {
		c := pr.feed.Update(a.Operation, a.AsOf)
		p.noteLate(pr)
		return c
	}
	p.noteFirst(a.Page)
	var revived []Revision
	if a.Purpose == Head && pr.gone {
		revived = pr.feed.Revive().Changed
	}
	c := pr.feed.Merge(a.Page)
	c.Changed = append(revived, c.Changed...)
	c.News = append(slices.Clip(c.News), p.recent(c.Added[len(c.News):])...)
	switch a.Purpose {
	case Head:
		pr.fails, pr.err, pr.hold, pr.gone = 0, nil, hold{}, false
		pr.seen, a.pages, a.due = a.changed, maxJoins, p.enqueued()
		pr.feed.SetRetired(pr.absent)
		p.readBelow(pr, a, c.Gap)
	case Join:
		p.readBelow(pr, a, c.Gap)
	case Reread:
		if a.pages > 0 && !a.Page.Last() {
			next := a.Request
			next.Cursor, next.pages = a.Page.Next, a.pages-1
			p.again(pr, next)
		}
	case Gapped, Older:
		pr.older, pr.olderErr = hold{}, nil
	}
	p.traffic.drop(pr.astray)
	p.noteLate(pr)
	p.grown += len(c.Added)
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

// recent returns the operations that began or ended since the service first answered. The same second counts as later.
func (p *Poller) recent(operations []*models.Operation) (recent []*models.Operation) {
	for _, op := range operations {
		if p.since(op.CreatedAt) || p.since(op.EndedAt()) {
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
		join := p.page(pr, gap.Cursor, Join, a.pages-1, a.due)
		join.Limit = min(p.longestPage(), max(join.Limit, 2*a.Limit))
		p.join(pr, join)
	case !p.traffic.has(of(pr.ID, Reread)):
		p.rereadPages(pr, a.Page)
	}
}

// noteLate gives the unfinished operations that the newest page of a project did not contain a place in the queue.
func (p *Poller) noteLate(pr *project) {
	switch late := pr.feed.late(); {
	case !late:
		pr.late = 0
	case pr.late == 0:
		pr.late = p.enqueued()
	}
}

// enqueued returns the next place in the queue of requests. It is no time, because clocks are set back.
func (p *Poller) enqueued() int {
	p.queued++
	return p.queued
}

// astray matches joins of the project whose gap is no longer there: other pages have moved it, or closed it.
func (pr *project) astray(r Request) bool {
	if r.Purpose != Join || r.Project != pr.ID {
		return false
	}
	_, found := pr.feed.origin(r.Cursor)
	return !found
}

// join queues a page that joins others. If another one waits for the same gap, or for one that was moved, it takes its place
// and its length: where joins wait for longer than head pages take to come, which move the gap, none would ever be read
// otherwise.
func (p *Poller) join(pr *project, join Request) {
	waiting := p.traffic.waiting
	moved := slices.IndexFunc(waiting, func(r Request) bool {
		return pr.astray(r) || r.Purpose == Join && r.target() == join.target()
	})
	if moved < 0 {
		p.traffic.wait(join)
		return
	}
	before := waiting[moved]
	join.Limit, join.hold, join.due = max(join.Limit, before.Limit), before.hold, before.due
	waiting[moved] = join
}

// page returns the request for a page of a project below the newest one, with its place in the queue.
func (p *Poller) page(pr *project, cursor string, purpose Purpose, pages, place int) Request {
	return Request{
		Project: pr.ID, Purpose: purpose, pages: pages, due: place,
		PageRequest: models.PageRequest{Cursor: cursor, Limit: p.options.pageSize(len(p.order))},
	}
}

// rereadPages requests the pages below a head page that contain unfinished operations, as far as they take fewer
// requests than single operations would. What they do not contain is read by id, see [Poller.overdue].
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
		r := p.page(pr, head.Next, Reread, pages-1, p.enqueued())
		r.Limit = min(longest, max(r.Limit, rows))
		p.traffic.wait(r)
	}
}

// overdue returns the requests for unfinished operations that no page contained, the longest unread first. It waits for
// the pages that may contain them, but for those that join others no longer than a current project may be old.
func (p *Poller) overdue(pr *project, now time.Time) (out []Request) {
	if pr.late == 0 || !p.rereads(pr, now) {
		return nil
	}
	coming := func(r Request) bool {
		if r.Project != pr.ID {
			return false
		}
		page := r.Purpose == Reread && r.ID == "" || r.Purpose == Join && !pr.feed.isOld(r.Cursor, now, p.options.Bound())
		// The answer may have gone to a session that is over.
		lost := !r.AsOf.IsZero() && now.Sub(r.AsOf) > maxBackoff
		return page && r.hold.left(now) == 0 && !lost
	}
	if p.traffic.has(coming) {
		return nil
	}
	late := pr.feed.overdue()
	slices.SortFunc(late, longestUnread)
	return p.traffic.alone(pr, late)
}

// failed returns the requests for failed operations that may have been tried again, the longest unread first, unless the
// next head page contains them.
func (p *Poller) failed(pr *project, now time.Time) []Request {
	if len(pr.feed.failed) == 0 || !p.rereads(pr, now) {
		return nil
	}
	return p.traffic.alone(pr, pr.feed.retried(now))
}

// rereads reports whether operations of a project may be read by id.
func (p *Poller) rereads(pr *project, now time.Time) bool {
	held := pr.hold.left(now) > 0 || pr.rereads.left(now) > 0
	return !held && !p.paused && !pr.gone && !pr.inFlight
}

// again requests something once more: a queued request in its place.
func (p *Poller) again(pr *project, r Request) {
	switch {
	case r.Purpose == Head:
		pr.cycle = p.cycle - 1
	case pr.gone, pr.astray(r):
	case r.Purpose != Older && r.ID == "": // the others are requested anyway
		p.traffic.wait(r)
	}
}

// unanswered reports whether there was no response at all.
func unanswered(err error) bool {
	e, ok := errors.AsType[*models.Error](err)
	if !ok || e.Status != 0 {
		return false
	}
	switch e.Kind {
	case models.KindUnreachable, models.KindTLS, models.KindTimeout:
		return true
	default:
		return false
	}
}

// fail handles a failure. One that concerns the whole service does not affect the project: the request is repeated, a
// head page at the latest in the next cycle.
func (p *Poller) fail(pr *project, a Answer, now time.Time) Change {
	kind, silent := models.KindOf(a.Err), unanswered(a.Err)
	again := a.Purpose != Head
	switch {
	case kind == models.KindCanceled, models.Unsent(a.Err) && models.RetryAfterOf(a.Err) == 0:
		again = true
	case kind == models.KindUnauthorized: // the session ends, or continues with another key
		p.health.responded(now)
	case kind == models.KindRateLimited:
		if !models.Unsent(a.Err) {
			p.health.responded(now)
			p.budgets.limited(a.AsOf, now)
		}
		wait := cmp.Or(models.RetryAfterOf(a.Err), p.options.Interval)
		p.health.limited = hold{now, max(wait, p.health.limited.left(now))}
		again = true
	case silent && !p.health.lastResponse.After(a.AsOf): // another project is requested next
		p.health.noResponse(a, now, p.options)
	default:
		if !silent {
			p.health.responded(now)
		}
		return p.failProject(pr, a, now)
	}
	if again {
		p.again(pr, a.Request)
	}
	return Change{}
}

// failProject handles a failure of one project. If its head page fails, the project is unreadable. Any other page is
// just missing: the gap stays, or the project's history ends there.
func (p *Poller) failProject(pr *project, a Answer, now time.Time) Change {
	retry := models.RetryAfterOf(a.Err)
	switch {
	case a.Limit > p.options.PageSize && models.KindOf(a.Err) == models.KindInvalid:
		p.longest = p.options.PageSize // the service has shorter pages than others
		a.Limit = p.longest
		p.again(pr, a.Request)
	case a.Purpose == Head:
		return p.failHead(pr, a, now)
	case a.Purpose == Gapped, a.Purpose == Older:
		pr.older, pr.olderErr = hold{now, max(retry, maxBackoff)}, a.Err
		p.traffic.drop(of(pr.ID, Gapped))
	case a.ID != "" && models.KindOf(a.Err) == models.KindNotFound:
		return pr.feed.Vanish(a.ID, a.AsOf)
	case a.Purpose == Reread:
		pr.rereads = hold{now, max(retry, p.options.Interval, pr.rereads.left(now))}
	case a.pages > 0: // of a page that joins others
		a.pages--
		a.hold = hold{now, cmp.Or(retry, p.options.backoff(maxJoins-a.pages))}
		p.again(pr, a.Request)
	}
	return Change{}
}

// failHead marks a project as unreadable. It is retried after the delay that the service requests, or one that grows
// with each failure. After a 404, its unfinished operations are gone.
func (p *Poller) failHead(pr *project, a Answer, now time.Time) (c Change) {
	pr.fails++
	pr.err = a.Err
	pr.hold = hold{now, cmp.Or(models.RetryAfterOf(a.Err), p.options.backoff(pr.fails))}
	pr.cycle = p.cycle - 1
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

package feed

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Take takes an answer in, and returns what it changed.
func (p *Poller) Take(a Answer, now time.Time) Change {
	p.known = nil
	delete(p.flights, a.flight())
	pr := p.projects[a.Project]
	if pr == nil {
		return Change{}
	}
	if a.Purpose == Head {
		pr.flying = false
	}
	if a.Err != nil {
		return p.fail(pr, a, now)
	}
	p.answered(now)
	if a.ID != "" {
		return p.change(pr).Update(pr.ID, a.Operation, a.AsOf)
	}
	var revived []Revision
	if a.Purpose == Head && pr.gone {
		revived = p.change(pr).Revive(pr.ID).Changed
	}
	c := p.change(pr).Merge(pr.ID, a.Page)
	c.Changed = append(revived, c.Changed...)
	joins := a.pages
	switch a.Purpose {
	case Head:
		p.recover(pr)
		pr.seen, joins = a.changed, maxJoins
		fallthrough
	case Join:
		if c.Gap != nil && joins > 0 && !pr.absent && !pr.gone {
			p.joins = append(p.joins, Request{
				Project: pr.ID, Purpose: Join, pages: joins - 1,
				PageRequest: models.PageRequest{Cursor: c.Gap.Cursor, Limit: p.pageSize()},
			})
		} else if !p.rereading(pr) {
			p.reread(pr, a.Page)
		}
	case Reread:
		if a.pages > 0 && !a.Page.Last() {
			next := a.Request
			next.Cursor, next.pages = a.Page.Next, a.pages-1
			p.again(pr, next)
		}
	case History, Backfill:
	}
	p.settle()
	return c
}

// answered notes that the service answers, whatever it says.
func (p *Poller) answered(now time.Time) { p.heard, p.silence = now, silence{} }

// recover notes that a project can be read.
func (p *Poller) recover(pr *project) {
	pr.fails, pr.err, pr.hold, pr.gone = 0, nil, hold{}, false
	p.unname(pr)
	if pr.absent {
		p.timeline.Retire(pr.ID)
	}
}

// unname no longer counts a project among those that cannot be read.
func (p *Poller) unname(pr *project) {
	if at, is := p.findFailing(pr.ID); is {
		p.failing = slices.Delete(p.failing, at, at+1)
	}
}

// findFailing returns where a project that cannot be read is, or would be.
func (p *Poller) findFailing(id string) (at int, is bool) {
	return slices.BinarySearchFunc(p.failing, id, func(pr *project, id string) int { return strings.Compare(pr.ID, id) })
}

// change returns what changes a project's feed: the timeline, where the project is in it,
// since a feed is changed through its timeline only.
func (p *Poller) change(pr *project) interface {
	Merge(project string, page models.OperationPage) Change
	Update(project string, op models.Operation, asOf time.Time) Change
	Vanish(project, id string, asOf time.Time) Change
	Revive(project string) Change
} {
	if p.timeline.Has(pr.ID) {
		return p.timeline
	}
	return alone{pr.feed}
}

// alone is a feed outside of a timeline.
type alone struct{ *Feed }

func (a alone) Merge(_ string, page models.OperationPage) Change { return a.Feed.Merge(page) }

func (a alone) Update(_ string, op models.Operation, asOf time.Time) Change {
	return a.Feed.Update(op, asOf)
}

func (a alone) Vanish(_, id string, asOf time.Time) Change { return a.Feed.Vanish(id, asOf) }

func (a alone) Revive(string) Change { return a.Feed.Revive() }

// maxJoins is how many pages are followed to join a head page with what was known, before
// a gap remains that can be opened.
const maxJoins = 5

// again puts a request before the others of its purpose.
func (p *Poller) again(pr *project, r Request) {
	switch {
	case r.Purpose == Head:
		pr.cycle = p.cycle - 1
	case pr.gone:
	case r.Purpose == Join:
		p.joins = slices.Insert(p.joins, 0, r)
	case r.Purpose == Reread:
		p.rereads = slices.Insert(p.rereads, 0, r)
	case r.Purpose == Backfill: // it is missing still
	default:
		p.history.opened = append(p.history.opened, r)
	}
}

// unanswered reports whether no answer came at all.
func unanswered(err error) bool {
	e, ok := errors.AsType[*models.Error](err)
	if !ok || e.Status != 0 {
		return false
	}
	return e.Kind == models.KindUnreachable || e.Kind == models.KindTLS || e.Kind == models.KindTimeout
}

// fail notes that a request was not answered well. A limit is the account's, and silence
// the service's: nobody asks for a while, and then the request is made again. A head page
// that fails for another reason is the trouble of its project. Any other page is missing,
// and that is known: the gap stays, or the history of its project ends there.
func (p *Poller) fail(pr *project, a Answer, now time.Time) Change {
	kind := models.KindOf(a.Err)
	switch {
	case kind == models.KindCanceled, models.Unsent(a.Err) && models.RetryAfterOf(a.Err) == 0:
		p.again(pr, a.Request)
		return Change{}
	case kind == models.KindUnauthorized: // the session's trouble: it ends, or goes on with another key
		p.answered(now)
		if a.Purpose != Head { // that is due again in the next cycle
			p.again(pr, a.Request)
		}
		return Change{}
	case kind == models.KindRateLimited:
		if !models.Unsent(a.Err) {
			p.answered(now)
		}
		p.again(pr, a.Request)
		wait := cmp.Or(models.RetryAfterOf(a.Err), p.options.Interval)
		p.limited = hold{now, max(wait, p.limited.left(now))}
		return Change{}
	case unanswered(a.Err) && !p.heard.After(a.AsOf):
		if a.Purpose != Head { // another project's is the next to find out
			p.again(pr, a.Request)
		}
		if p.silence.times == 0 || a.AsOf.After(p.silence.hold.from) {
			p.silence.times++ // those that were under way together count once
			p.silence.hold = hold{now, p.backoff(p.silence.times)}
		}
		p.silence.err = a.Err
		return Change{}
	case !unanswered(a.Err):
		p.answered(now)
	}
	switch {
	case a.Purpose == Head:
		return p.trouble(pr, a, now)
	case a.Purpose == History || a.Purpose == Backfill:
		p.failOlder(pr, a, now)
	case a.ID != "" && kind == models.KindNotFound:
		return p.change(pr).Vanish(pr.ID, a.ID, a.AsOf)
	case a.Purpose == Reread: // the next head page leads there again
		pr.hold = hold{now, max(models.RetryAfterOf(a.Err), pr.hold.left(now))}
		if a.ID == "" {
			p.rereadEach(pr, pr.feed.overdueIDs())
		}
	case a.pages > 0: // of a page that joins others
		a.pages--
		a.hold = hold{now, cmp.Or(models.RetryAfterOf(a.Err), p.backoff(maxJoins-a.pages))}
		p.again(pr, a.Request)
	}
	return Change{}
}

// trouble notes that a project could not be read. It is asked again after the wait that
// the service wants, or one that grows with each failure. Of a project that is not found,
// what was unfinished is gone.
func (p *Poller) trouble(pr *project, a Answer, now time.Time) (c Change) {
	pr.fails++
	pr.err = a.Err
	if at, is := p.findFailing(pr.ID); !is && !pr.absent {
		p.failing = slices.Insert(p.failing, at, pr)
	}
	pr.hold = hold{now, cmp.Or(models.RetryAfterOf(a.Err), p.backoff(pr.fails))}
	pr.cycle = p.cycle - 1
	if models.KindOf(a.Err) == models.KindNotFound {
		pr.gone = true
		p.drop(pr)
		for _, id := range pr.feed.unfinished() {
			c.Changed = append(c.Changed, p.change(pr).Vanish(pr.ID, id, a.AsOf).Changed...)
		}
		p.timeline.Retire(pr.ID)
	}
	return c
}

// drop forgets the pages and operations that wait to be asked for, of a project that is no
// more.
func (p *Poller) drop(pr *project) {
	of := func(r Request) bool { return r.Project == pr.ID }
	p.joins, p.rereads = slices.DeleteFunc(p.joins, of), slices.DeleteFunc(p.rereads, of)
	p.history.opened = slices.DeleteFunc(p.history.opened, of)
	delete(p.history.failed, pr.ID)
}

// maxBackoff is the longest wait between requests that fail one after the other, unless
// they are made less often anyway: nobody waits for long once a service is back.
const maxBackoff = 30 * time.Second

// backoff is how long to wait after so many failures in a row.
func (p *Poller) backoff(fails int) time.Duration {
	every := p.options.Interval
	return min(every<<min(fails-1, 6), max(maxBackoff, every))
}

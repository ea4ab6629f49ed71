package feed

import (
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// maxJoins is the number of pages requested to join a head page with known rows, each twice as long as the one before. After
// that, a gap remains, which the user can open.
const maxJoins = 5

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
	leftOut := (turn.Err == nil || turn.Own) && pr.leavesOut(turn.Subject, a.request)
	switch {
	case leftOut:
		pr.again(a.request)
	case a.Err != nil:
		a.Change = p.fail(pr, a, turn.Own)
	default:
		a.Change = p.merge(pr, a)
	}
	if !leftOut && turn.Subject == Newest(pr.ID) {
		pr.noteFailure()
	}
	p.put(pr)
	p.putRange()
	if came && !leftOut && p.told != nil {
		p.told(a, now)
	}
}

// noteFailure notes whether the newest page could be read last. To ask that of all projects after each answer takes longer the more
// there are.
func (pr *project) noteFailure() {
	if err := pr.poll.Freshness(Newest(pr.ID)).Err; err != nil {
		pr.failing[pr] = err
	} else {
		delete(pr.failing, pr)
	}
}

// leavesOut reports whether an answer of the project is left out, as if it was not asked for: the user paused since, and wants to
// see what the screen showed then. It is asked for again after the pause. Kept is what is also asked for while paused, and what
// the user could not see yet.
func (pr *project) leavesOut(s poll.Subject, r request) bool {
	stale := !pr.feed.current().After(pr.poll.Now().Add(-pr.options.Bound()))
	if !pr.paused || r.pauses == pr.pauses || !pr.feed.Loaded() || pr.ID == pr.scope && stale {
		return false
	}
	switch s.Kind {
	case openedGap, lookedFor:
		return false
	case olderPage:
		return !pr.reach.Asked
	case unfinished:
		return !slices.Contains(pr.watched, Key{pr.ID, r.ID})
	}
	return true
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
	c.News = append(slices.Clip(c.News), pr.feed.recent(c.Added[len(c.News):], p.since)...)
	switch a.Purpose {
	case Head:
		pr.gone, pr.seen, a.pages = false, a.changed, maxJoins
		pr.lively = len(c.Added)+len(c.Changed) > 0
		pr.feed.SetRetired(pr.absent)
		pr.readBelow(a, c.Gap)
	case Join:
		pr.readBelow(a, c.Gap)
	case Reread:
		if a.pages > 0 && !a.Page.Last() {
			next := a.request
			next.Cursor, next.pages = a.Page.Next, a.pages-1
			pr.again(next)
		}
	case Gapped, Older:
		delete(p.olderErrs, pr)
	}
	pr.drop(pr.astray)
	p.giveBack()
	return c
}

// fail handles a failure. One that concerns the whole service does not affect the project: it is asked again.
func (p *Poller) fail(pr *project, a Answer, alone bool) Change {
	switch {
	case a.tooLong(p.options.PageSize):
		p.longest = p.options.PageSize // the service has shorter pages than others
		a.Limit = p.longest
		pr.again(a.request)
	case a.ID != "" && models.KindOf(a.Err) == models.KindNotFound:
		return pr.feed.Vanish(a.ID, a.AsOf)
	case !alone:
		pr.again(a.request)
	case a.Purpose == Head:
		return p.failHead(pr, a)
	case a.Purpose == Gapped, a.Purpose == Older:
		p.olderErrs[pr] = a.Err
		pr.drop(is(Gapped))
	case a.Purpose == Join && a.pages > 0:
		a.pages--
		a.failed = true
		pr.again(a.request)
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

package feed

import (
	"slices"
	"time"

	"pgtower/models/poll"
)

// pagesAtOnce is for how many projects pages of the range are requested at the same time.
const pagesAtOnce = 4

// SetRange changes the range. The operations that it no longer covers stay.
func (p *Poller) SetRange(r Range) {
	if r == p.reach {
		return
	}
	wider := r.Since.Before(p.reach.Since) || r.Most > p.reach.Most || r.Most == 0 && p.reach.Most > 0
	p.reach, p.cached = r, nil
	if wider {
		p.loadAgain()
	}
	p.putRange()
	for _, pr := range p.ranged {
		p.put(pr) // in the lane of those that the user waits for, or not
	}
}

// loadAgain lets operations of the range that were given back be loaded again.
func (p *Poller) loadAgain() {
	p.givenBack = time.Time{}
	for _, pr := range p.order {
		pr.feed.seek(p.reach.Since)
	}
}

// Range returns the range in force.
func (p *Poller) Range() Range { return p.reach }

// Loading reports whether operations of the range are being loaded, or those of a gap that the user opened.
func (p *Poller) Loading() bool {
	return len(p.ranged) > 0 || slices.ContainsFunc(p.order, func(pr *project) bool { return pr.has(Gapped) })
}

// RangeErr returns the number of projects with a page of the range that could not be loaded, the first of them by id, and
// why it failed. They are retried.
func (p *Poller) RangeErr() (project string, n int, err error) {
	for pr, why := range p.olderErrs {
		if !p.timeline.Has(pr.ID) || pr.absent {
			continue
		}
		n++
		if err == nil || pr.ID < project {
			project, err = pr.ID, why
		}
	}
	return project, n, err
}

// RetryOlder requests the pages of the range that could not be loaded, and those where the service's paging broke.
func (p *Poller) RetryOlder() {
	for pr := range p.olderErrs {
		p.poll.Retry(older(pr.ID))
	}
	for m := range p.timeline.gapped {
		for _, e := range m.feed.edges {
			if e.broken {
				p.LoadGap(ProjectGap{Gap: e.gap(), Project: m.feed.project})
			}
		}
	}
	p.putRange()
}

// LoadGap requests the next page of a gap.
func (p *Poller) LoadGap(g ProjectGap) {
	pr := p.projects[g.Project]
	r := pr.page(g.Cursor, Gapped, 0)
	if row, ok := pr.feed.Find(g.Below); ok && g.Cursor == "" {
		r.Limit = min(r.Limit+row+1, p.longestPage()) // the newest page must reach below the row
	}
	pr.waiting = append(pr.waiting, r)
	p.poll.Retry(poll.Subject{Kind: openedGap, Of: pr.ID})
	p.put(pr)
}

// full reports whether as many operations of the range are loaded as it allows.
func (p *Poller) full() bool { return p.reach.Most > 0 && p.inRange() >= p.reach.Most }

// inRange returns the number of loaded operations of the range.
func (p *Poller) inRange() int { return p.timeline.notBefore(p.reach.Since, 0) }

// putRange hands over the next page of the range of each of the projects that limit it most. Those that failed keep their turn.
func (p *Poller) putRange() {
	previous, now := p.ranged, p.poll.Now()
	p.ranged = nil
	for _, pr := range previous {
		if pr.inFlight(is(Older)) {
			p.ranged = append(p.ranged, pr)
		}
	}
	if p.loads() {
		for f := range p.timeline.missing(p.rangeBegin()) {
			if len(p.ranged) >= pagesAtOnce {
				break
			}
			if pr := p.projects[f.project]; pr.mayLoad(now) {
				p.count(pr)
			}
		}
	}
	for _, pr := range previous {
		if !slices.Contains(p.ranged, pr) && !p.rests(older(pr.ID), now) {
			p.setRanged(pr, false)
		}
	}
	for _, pr := range p.ranged {
		p.setRanged(pr, true)
	}
}

// setRanged sets whether the next page of the range of a project is handed over.
func (p *Poller) setRanged(pr *project, ranged bool) {
	if pr.ranged != ranged {
		pr.ranged = ranged
		p.put(pr)
	}
}

// unrange takes a project from those whose next page of the range is handed over.
func (p *Poller) unrange(pr *project) {
	pr.ranged = false
	p.ranged = slices.DeleteFunc(p.ranged, func(member *project) bool { return member == pr })
}

// count adds a project to those with a page of the range that is asked for.
func (p *Poller) count(pr *project) {
	if !slices.Contains(p.ranged, pr) {
		p.ranged = append(p.ranged, pr)
	}
}

// loads reports whether pages of the range are loaded now: not before all projects in scope were read.
func (p *Poller) loads() bool {
	return !p.rangeBegin().IsZero() && (!p.paused || p.reach.Asked) && !p.unread() && p.room() > 0
}

// room returns how many more operations a page of the range may have.
func (p *Poller) room() int {
	if p.reach.Most == 0 {
		return mostAtOnce
	}
	room := p.reach.Most - p.inRange()
	for _, pr := range p.ranged {
		room -= pr.flights[older(pr.ID)].Limit
	}
	return room
}

// olderRequest returns the request for the next page of the range of a project, or nil.
func (p *Poller) olderRequest(pr *project) *request {
	e := pr.nextOlder()
	if e == nil || !p.loads() || !p.timeline.Has(pr.ID) {
		p.unrange(pr)
		return nil
	}
	r := pr.page(e.cursor, Older, 0)
	r.Limit = min(pr.olderLimit(e), p.room())
	return &r
}

// olderSources returns the source of the next page of the range of a project, if it is handed over.
func (pr *project) olderSources() []poll.Source {
	if !pr.ranged {
		return nil
	}
	lane := poll.Range
	if pr.reach.Asked {
		lane = poll.User
	}
	return []poll.Source{{Subject: older(pr.ID), Lane: lane, Rank: poll.Rest}}
}

// mayLoad reports whether a page of the range of a project may be requested now.
func (pr *project) mayLoad(now time.Time) bool {
	return !pr.rests(Newest(pr.ID), now) && !pr.rests(older(pr.ID), now) && !pr.inFlight(is(Older)) && pr.nextOlder() != nil
}

// nextOlder returns the first edge of a project with a page of the range that may be requested, or nil. That page is neither
// in flight nor queued to join others. If nothing bounds the range, it leaves out gaps without an end, see [Feed.endless].
func (pr *project) nextOlder() *edge {
	since := pr.rangeBegin()
	bounded := pr.reach != Range{Since: since}
	for i := range pr.feed.edges {
		e := &pr.feed.edges[i]
		join := pr.page(e.cursor, Join, 0)
		switch {
		case !e.above.at.After(since), e.broken, !bounded && pr.feed.endless(e):
		case !pr.asks(join.target()) && !slices.ContainsFunc(pr.waiting, join.isSame):
			return e
		}
	}
	return nil
}

// olderLimit returns how long a page of the range should be to have all that is missing. It expects as many operations in a
// time as there were in the time that is loaded.
func (pr *project) olderLimit(e *edge) int {
	f, size, longest := pr.feed, pr.pageSize(), pr.longestPage()
	rows, loaded := f.search(e.above)+1, f.rows[0].at.Sub(e.above.at)
	expected := float64(longest)
	if loaded > 0 {
		expected = 1.25*float64(rows)*float64(e.above.at.Sub(pr.rangeBegin()))/float64(loaded) + 10
	}
	return min(longest, max(size, int(min(expected, float64(longest)))))
}

// unread reports whether a project in scope that was never read is due.
func (p *Poller) unread() bool {
	if p.scope != "" {
		return !p.projects[p.scope].feed.Loaded() && p.poll.Due(Newest(p.scope))
	}
	return p.poll.FirstRound()
}

package feed

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models/poll"
)

const (
	// MostLoaded is how many operations of a range are loaded without being asked for.
	MostLoaded = 100_000
	// MostAsked is how many are loaded if the user asks for them.
	MostAsked = 1_000_000

	mostAtOnce = 1000 // the maximum page size of the service
)

// Range is the operations that the poller loads by itself, besides the newest ones: those of the scope since a time. It
// starts after all projects in scope were read. A project whose page failed is retried after half a minute, or when the
// service allows it.
type Range struct {
	Since time.Time // by the service's clock; zero: none are loaded
	Most  int       // how many of them are loaded at most; 0: all
	// Asked reports whether the user waits for it: it may use all of the budget that is left, not half, and is loaded
	// while polling is paused.
	Asked bool
}

// SetRange changes the range. The operations that it no longer covers stay.
func (p *Poller) SetRange(r Range) {
	if r == p.reach {
		return
	}
	more := r.Since.Before(p.reach.Since) || r.Most > p.reach.Most || r.Most == 0 && p.reach.Most > 0
	p.reach, p.cached = r, nil
	if more {
		p.loadAgain()
	}
	p.putRange()
}

// loadAgain has what was given back loaded again, as far as it is in the range.
func (p *Poller) loadAgain() {
	p.givenBack = time.Time{}
	for _, pr := range p.order {
		pr.feed.seek(p.reach.Since)
	}
}

// Range returns the range in force.
func (p *Poller) Range() Range { return p.reach }

// Loading reports whether operations of the range are being loaded, or those of a gap that the user opened.
func (p *Poller) Loading(now time.Time) bool {
	pages, _ := p.olderInFlight()
	opened := slices.ContainsFunc(p.order, func(pr *project) bool { return pr.waits(Gapped) })
	for _, r := range p.flying {
		opened = opened || r.Purpose == Gapped
	}
	return opened || pages > 0 || len(p.older(1, now)) > 0
}

// RangeErr returns the number of projects with a page of the range that could not be loaded, the first of them by id, and
// why it failed. They are retried.
func (p *Poller) RangeErr() (project string, n int, err error) {
	for _, pr := range p.order {
		if pr.olderErr == nil || !p.timeline.Has(pr.ID) || pr.absent {
			continue
		}
		n++
		if err == nil || pr.ID < project {
			project, err = pr.ID, pr.olderErr
		}
	}
	return project, n, err
}

// RetryOlder requests the pages of the range that could not be loaded, and those where the service's paging broke.
func (p *Poller) RetryOlder() {
	for pr := range p.olderFails {
		pr.older = hold{}
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
	r := p.page(pr, g.Cursor, Gapped, 0)
	if row, ok := pr.feed.Find(g.Below); ok && g.Cursor == "" {
		r.Limit = min(r.Limit+row+1, p.longestPage()) // the newest page must reach below the row
	}
	pr.older = hold{}
	pr.waiting = append(pr.waiting, r)
	p.poll.Retry(poll.Subject{Kind: openedGap, Of: pr.ID})
	p.put(pr)
}

// setOlder sets why a page of the range of a project could not be read, and until when it is not tried again.
func (p *Poller) setOlder(pr *project, until hold, err error) {
	pr.older, pr.olderErr = until, err
	if err == nil {
		delete(p.olderFails, pr)
	} else {
		p.olderFails[pr] = struct{}{}
	}
}

// full reports whether as many operations of the range are loaded as it allows.
func (p *Poller) full() bool { return p.reach.Most > 0 && p.inRange() >= p.reach.Most }

// inRange returns the number of loaded operations of the range.
func (p *Poller) inRange() int { return p.timeline.notBefore(p.reach.Since, 0) }

// rangeBegin returns since when operations are loaded: those that were given back are not, until the range changes.
func (p *Poller) rangeBegin() time.Time {
	if p.givenBack.After(p.reach.Since) {
		return p.givenBack
	}
	return p.reach.Since
}

// older returns up to n pages of the range that may be requested.
func (p *Poller) older(n int, now time.Time) (out []request) {
	since := p.rangeBegin()
	if since.IsZero() || p.paused && !p.reach.Asked {
		return nil
	}
	pages, operations := p.olderInFlight()
	room, bounded := mostAtOnce, p.reach.Most > 0
	if bounded {
		room = p.reach.Most - p.inRange() - operations
	}
	mayLoad := func(o target) bool { return p.mayLoad(o, now) }
	for _, o := range p.timeline.missing(min(n, pagesAtOnce-pages), since, mayLoad) {
		r := p.page(p.projects[o.Project], o.Cursor, Older, 0)
		r.Limit = min(p.olderLimit(o, since), room)
		if r.Limit <= 0 {
			break
		}
		if bounded {
			room -= r.Limit
		}
		out = append(out, r)
	}
	return out
}

// mayLoad reports whether a page of the range may be requested: it is neither in flight nor queued to join others, and
// where nothing bounds the range, those before it had an end.
func (p *Poller) mayLoad(o target, now time.Time) bool {
	pr := p.projects[o.Project]
	joins := func(r request) bool { return r.Purpose == Join && r.target() == o }
	if p.poll.Freshness(Newest(pr.ID)).Next.After(now) || pr.older.left(now) > 0 {
		return false
	}
	if p.sent[o] || slices.ContainsFunc(pr.waiting, joins) {
		return false
	}
	e, found := pr.feed.origin(o.Cursor)
	bounded := p.reach != Range{Since: p.rangeBegin()}
	return bounded || !found || e == nil || !pr.feed.endless(e)
}

// longestPage returns how many operations a page may have.
func (p *Poller) longestPage() int { return cmp.Or(p.longest, mostAtOnce) }

// olderLimit returns how long a page of the range should be: as long as what is missing, by how many operations the
// project had in the time that is loaded.
func (p *Poller) olderLimit(o target, since time.Time) int {
	f, size := p.projects[o.Project].feed, p.options.pageSize(len(p.order))
	most := p.longestPage()
	for _, e := range f.edges {
		if e.cursor != o.Cursor {
			continue
		}
		rows, loaded := f.search(e.above)+1, f.rows[0].at.Sub(e.above.at)
		expected := float64(most)
		if loaded > 0 {
			expected = 1.25*float64(rows)*float64(e.above.at.Sub(since))/float64(loaded) + 10
		}
		return min(most, max(size, int(min(expected, float64(most)))))
	}
	return size
}

package feed

import (
	"cmp"
	"time"
)

const (
	// MostLoaded is how many operations of a range are loaded without being asked for.
	MostLoaded = 100_000
	// MostAsked is how many are loaded if the user asks for them.
	MostAsked = 1_000_000

	pagesAtOnce = 4    // how many pages of the range are in flight at once
	mostAtOnce  = 1000 // the maximum page size of the service
	// rangeShare is the part of the budget for a range that was not asked for.
	rangeShare = 0.5
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
	if r.Since.Before(p.reach.Since) || r.Most > p.reach.Most {
		p.givenBack = time.Time{}
	}
	p.reach, p.cached, p.grown = r, nil, r.Most
}

// Range returns the range in force.
func (p *Poller) Range() Range { return p.reach }

// Loading reports whether operations of the range are being loaded, or those of a gap that the user opened.
func (p *Poller) Loading(now time.Time) bool {
	return p.traffic.has(is(Gapped)) || p.traffic.inFlight(is(Older)) > 0 || len(p.older(1, now)) > 0
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
	for _, pr := range p.order {
		pr.older = hold{}
	}
	for m := range p.timeline.gapped {
		for _, e := range m.feed.edges {
			if e.broken {
				p.LoadGap(ProjectGap{Gap: e.gap(), Project: m.feed.project})
			}
		}
	}
}

// LoadGap requests the next page of a gap.
func (p *Poller) LoadGap(g ProjectGap) {
	pr := p.projects[g.Project]
	r := p.page(pr, g.Cursor, Gapped, 0, p.enqueued())
	if row, ok := pr.feed.Find(g.Below); ok && g.Cursor == "" {
		r.Limit = min(r.Limit+row+1, p.longestPage()) // the newest page must reach below the row
	}
	pr.older = hold{}
	p.traffic.wait(r)
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
func (p *Poller) older(n int, now time.Time) (out []Request) {
	since := p.rangeBegin()
	if since.IsZero() || p.paused && !p.reach.Asked {
		return nil
	}
	pages, operations := p.traffic.older()
	room, bounded := mostAtOnce, p.reach.Most > 0
	if bounded {
		room = p.reach.Most - p.inRange() - operations
	}
	mayLoad := func(o target) bool { return p.mayLoad(o, now) }
	for _, o := range p.timeline.missing(min(n, pagesAtOnce-pages), since, mayLoad) {
		r := p.page(p.projects[o.Project], o.Cursor, Older, 0, 0)
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
	if pr.hold.left(now) > 0 || pr.older.left(now) > 0 || !p.traffic.idle(o) || p.traffic.joins(o) {
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

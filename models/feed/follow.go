package feed

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pgtower/models"
)

// EventKind is the kind of an [Event].
type EventKind int

// The kinds.
const (
	// Added is a new operation.
	Added EventKind = iota
	// Changed is an operation that changed after its last event.
	Changed
	// Missing is a span of time in which operations of a project could not be read. If they can be read later, they are
	// added then.
	Missing
	// Filled is a Missing span in which nothing is missing any more.
	Filled
)

// Event is a change that a [Follower] reports.
type Event struct {
	Kind    EventKind
	Project string
	// Operation is nil for Missing and Filled, which have a span instead.
	Operation    *models.Operation
	Since, Until time.Time
}

// Follower turns what a [Poller] reads from some time on into events: one when an operation is added, then one for
// each change that the service shows. It forgets finished operations far below the newest page, so that it can run for
// months.
//
// An operation is new if it began after the Follower, by the service's clock, or is above all operations that the
// project had when it was first read, so that a wrong clock loses nothing.
type Follower struct {
	poller    *Poller
	from      *entry                       // the oldest new operation
	before    map[string]before            // by project
	gaps      map[string]map[time.Time]gap // reported and not filled yet, by project and beginning
	abandoned map[string]time.Time         // until when gaps were reported that are never filled, by project
}

// before is what a project had when it was first read that is not new.
type before struct {
	newest *entry          // the newest of these operations, or nil if all of its operations are new
	ids    map[string]bool // those of its second, in which operations are listed in any order
}

// gap is what is missing from a time on: the reported ends of the Missing spans, and the last request. There are several
// if more are missing above operations of that second.
type gap struct {
	untils    []time.Time
	requested time.Time
}

// covers reports whether a span up to a time was reported.
func (g gap) covers(until time.Time) bool {
	return slices.ContainsFunc(g.untils, func(told time.Time) bool { return !told.Before(until) })
}

// Follow returns a follower of what begins at a time or later, by the service's clock. The newest rows of the timeline,
// as many as written, have no events.
func Follow(p *Poller, since time.Time, written int) *Follower {
	from := &entry{at: since.Truncate(time.Second), rank: math.Inf(-1), feed: New("")}
	from.current.Store(&models.Operation{})
	if written > 0 {
		from = p.timeline.rows[written-1]
	}
	f := &Follower{
		poller: p, from: from,
		before: map[string]before{}, gaps: map[string]map[time.Time]gap{}, abandoned: map[string]time.Time{},
	}
	for _, pr := range p.order {
		f.meet(pr)
	}
	p.SetRange(Range{Since: from.at})
	return f
}

// meet notes the operations that a project had when it was first read.
func (f *Follower) meet(pr *project) {
	if _, met := f.before[pr.ID]; met || !pr.feed.Loaded() {
		return
	}
	b := before{ids: map[string]bool{}}
	for _, e := range pr.feed.rows {
		if compare(e, f.from) > 0 {
			b.newest = cmp.Or(b.newest, e)
			if e.second().Equal(b.newest.second()) {
				b.ids[e.op().ID] = true
			}
		}
	}
	if b.newest == nil && len(pr.feed.edges) > 0 {
		b.newest = f.from
	}
	f.before[pr.ID] = b
}

// isNew reports whether an operation is new.
func (f *Follower) isNew(e *entry) bool {
	if compare(e, f.from) <= 0 {
		return true
	}
	b, met := f.before[e.feed.project]
	switch {
	case !met:
		return false
	case b.newest == nil, e.second().After(b.newest.second()):
		return true
	}
	older := e.feed.start != nil && compare(e, e.feed.start) > 0
	return e.second().Equal(b.newest.second()) && !b.ids[e.op().ID] && !older
}

// Take takes an answer in and returns its events, ordered by the beginning of the operations. Those of an operation are
// in the order of the service's times.
func (f *Follower) Take(a Answer, now time.Time) (events []*Event) {
	c := f.poller.Take(a, now)
	pr := f.poller.projects[a.Project]
	if pr == nil {
		return nil
	}
	f.meet(pr)
	add := func(kind EventKind, op *models.Operation) {
		if f.isNew(pr.feed.byID[op.ID]) {
			events = append(events, &Event{Kind: kind, Project: pr.ID, Operation: op})
		}
	}
	for _, op := range c.Added {
		add(Added, op)
	}
	for _, r := range c.Changed {
		add(Changed, r.After)
	}
	slices.SortStableFunc(events, func(a, b *Event) int {
		return compare(pr.feed.byID[b.Operation.ID], pr.feed.byID[a.Operation.ID])
	})
	isComing := func(r Request) bool { return r.Project == pr.ID && r.Purpose == Join && r.hold.length == 0 }
	if pr.feed.Len() <= mostWithGaps && f.poller.traffic.has(isComing) {
		return events
	}
	events = append(events, f.missing(pr, a, now)...)
	pr.feed.forget(max(1, f.poller.options.pageSize(len(f.poller.order))), f.poller.reach.Since)
	f.abandon(pr)
	return events
}

// abandon drops the gaps whose rows were forgotten: they are never filled.
func (f *Follower) abandon(pr *project) {
	open := map[time.Time]bool{}
	for _, e := range pr.feed.edges {
		open[f.below(pr, e.above)] = true
	}
	for since, g := range f.gaps[pr.ID] {
		if open[since] {
			continue
		}
		delete(f.gaps[pr.ID], since)
		for _, until := range g.untils {
			if until.After(f.abandoned[pr.ID]) {
				f.abandoned[pr.ID] = until
			}
		}
	}
}

// missing returns the events of a project's gaps. One is reported where paging broke, which is retried twice a minute,
// where no other request will fill it, where that request failed, or where a join has no end.
func (f *Follower) missing(pr *project, a Answer, now time.Time) (events []*Event) {
	open, before := map[time.Time]gap{}, f.gaps[pr.ID]
	for _, e := range pr.feed.edges {
		if pr.feed.isLast(e.above) && !e.above.at.After(f.poller.reach.Since) {
			continue // older history, also where it begins with the follower
		}
		since := f.below(pr, e.above)
		g, found := open[since]
		if !found {
			g = before[since]
		}
		told := g.covers(e.above.at)
		failed := a.Err != nil && (a.Purpose == Join || a.Purpose == Older) && a.Cursor == e.cursor
		endless := pr.feed.endless(&e) || pr.feed.Len() > mostWithGaps
		coming := !e.broken && !failed && !endless && (pr.feed.isLast(e.above) || e.above.at.After(f.poller.reach.Since))
		switch {
		case coming && !told, !f.isNew(e.above), !told && f.toldOf(pr, e.above):
			continue
		case !told:
			g = gap{append(g.untils, e.above.at), now}
			events = append(events, &Event{Kind: Missing, Project: pr.ID, Since: since, Until: e.above.at})
		case e.broken && now.Sub(before[since].requested) >= maxBackoff:
			g.requested = now
			f.poller.LoadGap(ProjectGap{Gap: e.gap(), Project: pr.ID})
		}
		open[since] = g
	}
	f.gaps[pr.ID] = open
	return append(filled(pr, before, open), events...)
}

// toldOf reports whether everything that began before an operation was reported, if only as missing: what is older than
// the forgotten operations was complete, or lacks what was reported as missing for good.
func (f *Follower) toldOf(pr *project, e *entry) bool {
	return pr.feed.forgotten.allOf(e.second()) || !e.at.After(f.abandoned[pr.ID])
}

// filled returns the events of the gaps of a project that are no longer open.
func filled(pr *project, before, open map[time.Time]gap) (events []*Event) {
	for since, g := range before {
		_, still := open[since]
		if still {
			continue
		}
		for _, until := range g.untils {
			events = append(events, &Event{Kind: Filled, Project: pr.ID, Since: since, Until: until})
		}
	}
	return events
}

// below returns when the next older known operation began, or when following began.
func (f *Follower) below(pr *project, e *entry) time.Time {
	if next := pr.feed.search(e) + 1; next < len(pr.feed.rows) {
		return pr.feed.rows[next].at
	}
	return f.from.at
}

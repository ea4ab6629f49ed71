package feed

import (
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
	*Poller

	from   *entry                       // the oldest new operation
	before map[string]*entry            // by project: the newest operation that is not new, or nil
	gaps   map[string]map[time.Time]gap // reported and not filled yet, by project and beginning
}

// gap is a Missing span.
type gap struct{ until, requested time.Time } // its reported end, and its last request

// Follow returns a follower of what begins at a time or later, by the service's clock. The newest rows of the timeline,
// as many as written, have no events.
func Follow(p *Poller, since time.Time, written int) *Follower {
	from := &entry{at: since, feed: New("")}
	from.current.Store(&models.Operation{})
	if written > 0 {
		from = p.timeline.rows[written-1]
	}
	f := &Follower{p, from, map[string]*entry{}, map[string]map[time.Time]gap{}}
	for _, pr := range p.order {
		f.meet(pr)
	}
	p.Keep(from.at)
	return f
}

// meet notes the operations that a project had when it was first read.
func (f *Follower) meet(pr *project) {
	if _, met := f.before[pr.ID]; met || !pr.feed.Loaded() {
		return
	}
	all := pr.feed.rows
	switch old := slices.IndexFunc(all, func(e *entry) bool { return compare(e, f.from) > 0 }); {
	case old >= 0:
		f.before[pr.ID] = all[old]
	case len(pr.feed.edges) > 0:
		f.before[pr.ID] = f.from
	default:
		f.before[pr.ID] = nil // all of its operations are new
	}
}

// isNew reports whether an operation is new.
func (f *Follower) isNew(e *entry) bool {
	before, met := f.before[e.feed.project]
	return compare(e, f.from) <= 0 || met && (before == nil || compare(e, before) < 0)
}

// Take takes an answer in and returns its events, ordered by the beginning of the operations. Those of an operation are
// in the order of the service's times.
func (f *Follower) Take(a Answer, now time.Time) (events []*Event) {
	c := f.Poller.Take(a, now)
	pr := f.projects[a.Project]
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
	if f.traffic.has(isComing) {
		return events
	}
	events = append(events, f.missing(pr, a, now)...)
	pr.feed.forget(max(1, f.options.pageSize(len(f.order))), f.keep)
	return events
}

// missing returns the events of a project's gaps. One is reported where paging broke, which is retried twice a minute,
// where no other request will fill it, or where that request failed.
func (f *Follower) missing(pr *project, a Answer, now time.Time) (events []*Event) {
	open, before := map[time.Time]gap{}, f.gaps[pr.ID]
	for _, e := range pr.feed.edges {
		if pr.feed.isLast(e.above) && !e.above.at.After(f.keep) {
			continue // older history, also where it begins with the follower
		}
		since := f.below(pr, e.above)
		g, known := before[since]
		failed := a.Err != nil && (a.Purpose == Join || a.Purpose == Backfill) && a.Cursor == e.cursor
		coming := !e.broken && !failed && (pr.feed.isLast(e.above) || e.above.at.After(f.keep))
		switch {
		case coming && !known, !f.isNew(e.above):
			continue
		case !known:
			g = gap{e.above.at, now}
			events = append(events, &Event{Kind: Missing, Project: pr.ID, Since: since, Until: g.until})
		case e.broken && now.Sub(g.requested) >= maxBackoff:
			g.requested = now
			f.LoadGap(ProjectGap{Gap: e.gap(), Project: pr.ID})
		}
		open[since] = g
	}
	f.gaps[pr.ID] = open
	for since, g := range before {
		if _, still := open[since]; !still && since.After(pr.feed.forgotten) { // what was forgotten was not filled
			events = slices.Insert(events, 0, &Event{Kind: Filled, Project: pr.ID, Since: since, Until: g.until})
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

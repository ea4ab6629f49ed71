package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// EventKind is what an [Event] is about.
type EventKind int

// The kinds.
const (
	// Added is an operation that was not told before.
	Added EventKind = iota
	// Changed is an operation that was told before, and is different now.
	Changed
	// Missing is a span of time in which operations of a project began that could not be read. If they can be read
	// later, they are added then.
	Missing
	// Filled is a span that was Missing in which nothing is missing any more.
	Filled
)

// Event is one thing that a [Follower] tells.
type Event struct {
	Kind    EventKind
	Project string
	// Operation is nil for what is Missing or Filled, which is the time from Since to Until.
	Operation    *models.Operation
	Since, Until time.Time
}

// Follower tells what a [Poller] reads as events, from some time on: each operation is added once, and each change of
// it that the service shows is told once after that. It forgets operations that are finished and far below the newest
// page, so that it can go on for months.
//
// An operation counts as new if it began since the Follower did, by the service's clock, or is above all that the
// project had when it was read first, so that a clock that is wrong loses nothing.
type Follower struct {
	*Poller

	from   *entry                       // the oldest operation that counts as new
	before map[string]*entry            // by project: the newest one that does not, nil where there is none
	gaps   map[string]map[time.Time]gap // that were told and are still there, by project and beginning
}

// gap is a span that is missing.
type gap struct{ until, asked time.Time } // its end as it was told, and when it was last asked for

// Follow returns a follower that tells what began at a time or later, by the service's clock. If operations were told
// already, these are the newest rows of the timeline: told is how many.
func Follow(p *Poller, since time.Time, told int) *Follower {
	from := &entry{at: since, feed: New("")}
	from.current.Store(&models.Operation{})
	if told > 0 {
		from = p.timeline.rows[told-1]
	}
	f := &Follower{p, from, map[string]*entry{}, map[string]map[time.Time]gap{}}
	for _, pr := range p.order {
		f.meet(pr)
	}
	p.Keep(from.at)
	return f
}

// meet notes what a project had when it was read first.
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
		f.before[pr.ID] = nil // it had nothing else
	}
}

// tells reports whether an operation counts as new.
func (f *Follower) tells(e *entry) bool {
	before, met := f.before[e.feed.project]
	return compare(e, f.from) <= 0 || met && (before == nil || compare(e, before) < 0)
}

// Take takes an answer in, and returns what there is to tell, the operation that began first at the top. The events of
// an operation are in the order of the service's times.
func (f *Follower) Take(a Answer, now time.Time) (events []Event) {
	c := f.Poller.Take(a, now)
	pr := f.projects[a.Project]
	if pr == nil {
		return nil
	}
	f.meet(pr)
	tell := func(kind EventKind, op *models.Operation) {
		if f.tells(pr.feed.byID[op.ID]) {
			events = append(events, Event{Kind: kind, Project: pr.ID, Operation: op})
		}
	}
	for _, op := range c.Added {
		tell(Added, op)
	}
	for _, r := range c.Changed {
		tell(Changed, r.After)
	}
	slices.SortStableFunc(events, func(a, b Event) int {
		return compare(pr.feed.byID[b.Operation.ID], pr.feed.byID[a.Operation.ID])
	})
	if f.traffic.has(of(pr.ID, Join)) {
		return events
	}
	events = append(events, f.missing(pr, a, now)...)
	pr.feed.forget(max(1, f.options.pageSize(len(f.order))), f.keep)
	return events
}

// missing returns the gaps to tell of a project: where paging broke, which is tried again twice a minute, and where
// nothing else closes the gap, or the page that would could not be read. Those that were told and are closed are told.
func (f *Follower) missing(pr *project, a Answer, now time.Time) (events []Event) {
	told, before := map[time.Time]gap{}, f.gaps[pr.ID]
	for _, e := range pr.feed.edges {
		since := f.below(pr, e.above)
		g, known := before[since]
		failed := a.Err != nil && a.Purpose == Backfill && a.Cursor == e.cursor
		coming := !e.broken && !failed && (pr.feed.isLast(e.above) || e.above.at.After(f.keep))
		switch {
		case coming && !known, !f.tells(e.above):
			continue
		case !known:
			g = gap{e.above.at, now}
			events = append(events, Event{Kind: Missing, Project: pr.ID, Since: since, Until: g.until})
		case e.broken && now.Sub(g.asked) >= maxBackoff:
			g.asked = now
			f.LoadGap(ProjectGap{Gap: e.gap(), Project: pr.ID})
		}
		told[since] = g
	}
	f.gaps[pr.ID] = told
	for since, g := range before {
		if _, still := told[since]; !still && since.After(pr.feed.forgotten) { // what is forgotten was not filled
			events = slices.Insert(events, 0, Event{Kind: Filled, Project: pr.ID, Since: since, Until: g.until})
		}
	}
	return events
}

// below is when the operation began that is known below another one, or when following did.
func (f *Follower) below(pr *project, e *entry) time.Time {
	if next := pr.feed.search(e) + 1; next < len(pr.feed.rows) {
		return pr.feed.rows[next].at
	}
	return f.from.at
}

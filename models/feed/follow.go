package feed

import (
	"cmp"
	"maps"
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
// months, and others if there are too many, see [Follower.abridge].
//
// An operation is new if it began after the Follower, by the service's clock, or is above all operations that the
// project had when it was first read, so that a wrong clock loses nothing. An older one is added when it ends, unless that
// was before the service first answered.
type Follower struct {
	poller   *Poller
	bound    int                  // how many operations are kept, see [Follower.most]
	from     *entry               // the oldest new operation
	projects map[string]*followed // those that were read
}

// followed is what a follower knows of a project.
type followed struct {
	feed      *Feed
	from      *entry            // the oldest new operation
	newest    *entry            // the newest operation of the first read that is not new, or nil if all are
	ids       map[string]bool   // the operations of its second, which are listed in any order
	ended     map[string]bool   // the older operations whose end was reported
	gaps      map[time.Time]gap // reported and not filled yet, by beginning
	abandoned time.Time         // gaps up to this time were reported and are never filled
	abridged  bool              // no gap waits to be joined: what it needs is forgotten now
	left      stretch           // the last stretch that was reported because nothing in it is told any more
}

// gap is what is missing from a time on: the ends of the Missing spans that were reported, and the last request. There are
// several ends if operations are missing above more than one row of that second.
type gap struct {
	untils    []time.Time
	requested time.Time
}

// covers reports whether a span up to a time was reported.
func (g gap) covers(until time.Time) bool {
	return slices.ContainsFunc(g.untils, func(end time.Time) bool { return !end.Before(until) })
}

// mostFollowed is how many operations a follower keeps of all projects, besides a few for each project. This includes those
// for gaps, and those that run or may be tried again.
const mostFollowed = 50_000

// stillRuns is how far back a follower reads to find operations that still run. It reports their end.
const stillRuns = time.Hour

// Follow returns a follower of what begins at a time or later, by the service's clock. The newest rows of the timeline, as
// many as written, have no events: the caller has written them.
func Follow(p *Poller, since time.Time, written int) *Follower {
	from := &entry{at: since.Truncate(time.Second), rank: math.Inf(-1), feed: New("")}
	from.current.Store(&models.Operation{})
	if written > 0 {
		from = p.timeline.rows[written-1]
	}
	f := &Follower{poller: p, bound: mostFollowed, from: from, projects: map[string]*followed{}}
	for _, pr := range p.order {
		f.project(pr.feed)
	}
	p.SetRange(Range{Since: from.at.Add(-stillRuns)})
	return f
}

// project returns what is known of the project of a feed, or nil if it was never read. The first call after it was read
// notes the operations that it had.
func (f *Follower) project(feed *Feed) *followed {
	o := f.projects[feed.project]
	if o != nil || !feed.Loaded() {
		return o
	}
	o = &followed{feed: feed, from: f.from, ids: map[string]bool{}, ended: map[string]bool{}, gaps: map[time.Time]gap{}}
	f.projects[feed.project] = o
	for _, e := range feed.rows {
		if compare(e, f.from) > 0 {
			o.newest = cmp.Or(o.newest, e)
			if e.second().Equal(o.newest.second()) {
				o.ids[e.op().ID] = true
			}
		}
	}
	if o.newest == nil && len(feed.edges) > 0 {
		o.newest = f.from
	}
	return o
}

// isNew reports whether an operation is new.
func (o *followed) isNew(e *entry) bool {
	if compare(e, o.from) <= 0 || o.newest == nil || e.second().After(o.newest.second()) {
		return true
	}
	older := o.feed.start != nil && compare(e, o.feed.start) > 0
	return e.second().Equal(o.newest.second()) && !o.ids[e.op().ID] && !older
}

// Receive returns the events of an answer, ordered by the beginning of the operations. Those of an operation are
// in the order of the service's times.
func (f *Follower) Receive(a Answer, now time.Time) []*Event {
	feed := f.poller.Feed(a.Project)
	if feed == nil {
		return nil
	}
	o := f.project(feed)
	if o == nil {
		return nil
	}
	events := append(f.events(o, a.Change), f.missing(o, a, now)...)
	if feed.Len() > mostWithGaps || !f.poller.projects[a.Project].has(Join) { // a join needs the rows below
		feed.forget(f.keep(), f.poller.reach.Since)
		o.forget()
	}
	return append(events, f.abridge(now)...)
}

// forget forgets what is known about rows that the feed has forgotten.
func (o *followed) forget() {
	o.abandon()
	maps.DeleteFunc(o.ended, func(id string, _ bool) bool { return o.feed.byID[id] == nil })
}

// events returns the events of a change.
func (f *Follower) events(o *followed, c Change) (events []*Event) {
	for _, op := range c.Added {
		events = f.report(events, o, Added, op)
	}
	for _, r := range c.Changed {
		events = f.report(events, o, Changed, r.After)
	}
	slices.SortStableFunc(events, o.oldestFirst)
	return events
}

// report appends the event of an operation, unless it is an older one that has not ended since the service first answered.
func (f *Follower) report(events []*Event, o *followed, kind EventKind, op *models.Operation) []*Event {
	switch {
	case o.isNew(o.feed.byID[op.ID]):
	case o.ended[op.ID]:
		kind = Changed
	case f.poller.since(op.EndedAt()):
		kind, o.ended[op.ID] = Added, true
	default:
		return events
	}
	return append(events, &Event{Kind: kind, Project: o.feed.project, Operation: op})
}

func (o *followed) oldestFirst(a, b *Event) int {
	return compare(o.feed.byID[b.Operation.ID], o.feed.byID[a.Operation.ID])
}

// brokenAgain is how long after its last request a gap is tried again where paging broke.
const brokenAgain = 30 * time.Second

// missing returns the events of a project's gaps. A gap is reported if it is older than two intervals, if no request will
// fill it, if that request failed, or if its join has no end. It is also reported if paging broke there, and is then retried
// twice a minute.
func (f *Follower) missing(o *followed, a Answer, now time.Time) (events []*Event) {
	open, previous := map[time.Time]gap{}, o.gaps
	for _, e := range o.feed.edges {
		inRange := e.above.at.After(f.poller.reach.Since)
		if o.feed.isLast(e.above) && !inRange {
			continue // older history, also where it begins with the follower
		}
		since := o.below(e.above)
		g, found := open[since]
		if !found {
			g = previous[since]
		}
		covered := g.covers(e.above.at)
		failed := a.Err != nil && (a.Purpose == Join || a.Purpose == Older) && a.Cursor == e.cursor
		endless := o.abridged || o.feed.endless(&e) || o.feed.Len() > mostWithGaps
		requested := inRange || o.feed.isLast(e.above) || f.joins(o.feed.project, e.cursor)
		coming := requested && !e.broken && !failed && !endless && !e.isOld(now, f.poller.options.Bound())
		switch {
		case coming && !covered, !o.isNew(e.above), !covered && o.toldBefore(e.above):
			continue
		case !covered:
			g = gap{append(g.untils, e.above.at), now}
			events = append(events, o.event(Missing, since, e.above.at))
		case e.broken && now.Sub(previous[since].requested) >= brokenAgain:
			g.requested = now
			f.poller.LoadGap(ProjectGap{Gap: e.gap(), Project: o.feed.project})
		}
		open[since] = g
	}
	o.gaps = open
	return append(o.filled(previous), events...)
}

// Missing returns the events of the gaps that became older than two intervals. Call it now and then, whether or not anything
// was answered.
func (f *Follower) Missing(now time.Time) (events []*Event) {
	for m := range f.poller.timeline.gapped {
		if o := f.projects[m.feed.project]; o != nil {
			events = append(events, f.missing(o, Answer{}, now)...)
		}
	}
	slices.SortStableFunc(events, func(a, b *Event) int { return cmp.Compare(a.Project, b.Project) })
	return events
}

// joins reports whether the page of a gap will be requested to close it, and has not failed.
func (f *Follower) joins(project, cursor string) bool {
	closes := func(r request) bool { return r.Cursor == cursor && r.Purpose == Join && !r.failed }
	pr := f.poller.projects[project]
	return slices.ContainsFunc(pr.waiting, closes) || pr.inFlight(closes)
}

// filled returns the events of the gaps that are no longer open.
func (o *followed) filled(previous map[time.Time]gap) (events []*Event) {
	for since, g := range previous {
		_, still := o.gaps[since]
		if still {
			continue
		}
		for _, until := range g.untils {
			events = append(events, o.event(Filled, since, until))
		}
	}
	return events
}

// event returns the event of a span.
func (o *followed) event(kind EventKind, since, until time.Time) *Event {
	return &Event{Kind: kind, Project: o.feed.project, Since: since, Until: until}
}

// abandon drops the gaps whose rows were forgotten: they are never filled.
func (o *followed) abandon() {
	open := map[time.Time]bool{}
	for _, e := range o.feed.edges {
		open[o.below(e.above)] = true
	}
	for since, g := range o.gaps {
		if open[since] {
			continue
		}
		delete(o.gaps, since)
		for _, until := range g.untils {
			o.abandoned = later(o.abandoned, until)
		}
	}
}

// toldBefore reports whether everything that began before an operation was reported, if only as missing: what is older
// than the forgotten operations was complete, or is missing for good.
func (o *followed) toldBefore(e *entry) bool {
	return o.feed.forgotten.allOf(e.second()) || !e.at.After(o.abandoned)
}

// below returns when the next older known operation began, or when following began.
func (o *followed) below(e *entry) time.Time {
	next := o.feed.search(e) + 1
	if next < len(o.feed.rows) {
		return o.feed.rows[next].at
	}
	return o.from.at
}

// stretch is a time in which operations are not told, or not followed until they end.
type stretch struct{ since, until time.Time }

func (s *stretch) add(since, until time.Time) {
	if s.until.IsZero() || since.Before(s.since) {
		s.since = since
	}
	s.until = later(s.until, until)
}

func (s *stretch) covers(second stretch) bool {
	return !second.since.Before(s.since) && !second.until.After(s.until)
}

// keep returns how many rows of a project are kept at least, if there is room: a fifth of the bound is for these rows.
func (f *Follower) keep() int {
	projects := max(1, len(f.poller.order))
	return max(1, min(f.poller.options.pageSize(projects), f.bound/5/projects))
}

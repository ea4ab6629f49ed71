package feed

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"pgtower/models/poll"
)

// State is the freshness of the operations in scope.
type State int

// The states. The first that applies counts.
const (
	Limited State = iota // the service asked clients to wait
	Offline              // several requests in a row got no response
	Silent               // the last request got no response
	Failing              // no project in scope can be read, each for its own reason
	Loading              // a readable project in scope was never read
	Late                 // a project in scope was last read more than two intervals ago
	Live                 // all readable projects in scope were read within two intervals
)

// Span is what can be claimed of the operations in scope: of the projects that can be read, nothing is missing that began
// after Since, and all is shown as it was at AsOf or later. What else there may be is counted or named.
type Span struct {
	// Since is the time after which nothing is missing of the projects that were read, or zero if all of their history
	// is loaded.
	Since   time.Time
	Lacking string // the project with operations missing from Since on, or empty
	// AsOf is when the stalest project was read, by the caller's clock, or zero. Those in Without count only if there are
	// no others.
	AsOf time.Time
	Late bool // AsOf is older than a current project may be, see [Options.Bound]
	// Without are the ids of the projects in scope that cannot be read, sorted; read only. Nothing is claimed of them.
	Without []string
	Err     error // why there are no responses, or why a project cannot be read, or nil

	// Projects is the number of polled projects, Read how many of them ever responded, Fresh how many did so within two
	// intervals, and Unread how many can be read and never were.
	Projects, Read, Fresh, Unread int
	Gaps                          int // the number of projects with operations missing among those that are loaded

	// Range is since when the operations are wanted, or zero, and Ranged how many of the projects that were read lack
	// nothing after it.
	Range  time.Time
	Ranged int
	// Capped is how many operations of the range are loaded if it allows no more, or 0: older ones are not loaded, or were
	// given back. GivenBack reports whether some were.
	Capped    int
	GivenBack bool

	State        State
	Next         time.Time // when a rate limit ends, or else when the next cycle begins
	LastResponse time.Time // when the last response arrived, good or bad, or zero
	Unanswered   int       // the number of requests in a row without a response
	// Budget is how many requests a second are in force, and Configured how many are configured. After a rate limit, it is
	// less.
	Budget, Configured int
}

// Complete reports whether nothing that began after t is missing, of the projects that can be read.
func (s *Span) Complete(t time.Time) bool { return s.Unread == 0 && t.After(s.Since) }

// offlineAfter is how many requests in a row must fail before the service counts as offline. If nothing ever responded,
// one is enough.
const offlineAfter = 3

// summary caches the part of the span that does not depend on the time, until something changes: its cost grows with the
// number of projects.
type summary struct {
	Span

	stale    []*project // the projects that cannot be read but were read before, the stalest first
	existing int        // how many of those that cannot be read exist
	asked    time.Time  // when the project of Err was requested: the last one that exists, or a deleted one if none does
	retry    time.Time  // when the first of those that exist is retried
}

func (p *Poller) summary() *summary {
	if p.cached != nil {
		return p.cached
	}
	s := &summary{Span: p.timeline.span()}
	p.cached = s
	s.addRange(p)
	for _, pr := range slices.SortedFunc(maps.Keys(p.failing), byID) {
		if !pr.absent && p.timeline.Has(pr.ID) {
			s.addUnreadable(pr, p.poll.Freshness(Newest(pr.ID)))
		}
	}
	slices.Sort(s.Without)
	for _, m := range p.timeline.polled.items {
		_, failing := slices.BinarySearch(s.Without, m.feed.project)
		if !failing {
			s.AsOf = m.asOf
			break
		}
	}
	if s.AsOf.IsZero() && s.Read > 0 {
		s.AsOf = p.timeline.polled.items[0].asOf
	}
	slices.SortFunc(s.stale, stalestFirst)
	return s
}

func byID(a, b *project) int { return cmp.Compare(a.ID, b.ID) }

func stalestFirst(a, b *project) int { return a.feed.current().Compare(b.feed.current()) }

// addUnreadable adds a project that cannot be read.
func (s *summary) addUnreadable(pr *project, f poll.Freshness) {
	s.Without = append(s.Without, pr.ID)
	exists := !pr.gone && s.existing == 0 // the first one that exists replaces deleted ones
	if s.Err == nil || exists || !pr.gone && f.Next.Before(s.retry) {
		s.retry = f.Next
	}
	if s.Err == nil || exists || !pr.gone && f.Tried.After(s.asked) {
		s.Err, s.asked = pr.err(), f.Tried
	}
	switch {
	case pr.gone:
		return
	case pr.feed.Loaded():
		s.stale = append(s.stale, pr)
	default:
		s.Unread--
	}
	s.existing++
}

// addRange adds how much of the range is loaded.
func (s *summary) addRange(p *Poller) {
	if p.reach.Since.IsZero() {
		return
	}
	s.Range, s.Ranged = p.reach.Since, p.timeline.completeSince(p.reach.Since)
	if s.Since.After(s.Range) && (p.full() || !p.givenBack.IsZero()) {
		s.Capped, s.GivenBack = p.inRange(), !p.givenBack.IsZero()
	}
}

// span returns what can be claimed of the operations of the projects that were read, and still exist.
func (t *Timeline) span() Span {
	s := Span{
		Projects: len(t.members) - len(t.retired), Read: t.Read(),
		Unread: len(t.members) - len(t.polled.items) - len(t.retired), Gaps: len(t.gapped),
	}
	if e := t.stop(); e != nil {
		s.Since, s.Lacking = e.at, e.feed.project
		if e.at.IsZero() { // no operation of the project has a readable time: nothing tells since when they are complete
			s.Since = e.feed.AsOf().Add(e.feed.skew)
		}
	}
	return s
}

// CompleteSince returns, by project, the time after which nothing is missing, see [Feed.CompleteSince]. It has the projects
// that were read, and those that cannot be read: nothing is known of these, so their time is far in the future.
func (p *Poller) CompleteSince() map[string]time.Time {
	unknown := time.Unix(1<<40, 0)
	out := make(map[string]time.Time, len(p.timeline.members))
	for id, m := range p.timeline.members {
		if m.feed.Loaded() {
			out[id] = m.feed.CompleteSince()
		}
	}
	for _, id := range p.summary().Without {
		out[id] = unknown
	}
	return out
}

// Stale returns the ids of the projects that can be read and are not current at a time, the stalest first.
func (p *Poller) Stale(now time.Time) (ids []string) {
	without, current := p.summary().Without, now.Add(-p.options.Bound())
	for _, m := range p.timeline.polled.items {
		_, failing := slices.BinarySearch(without, m.feed.project)
		switch {
		case m.asOf.After(current):
			return ids
		case !failing:
			ids = append(ids, m.feed.project)
		}
	}
	return ids
}

// Span returns what can be claimed of the operations in scope at a time.
func (p *Poller) Span(now time.Time) Span {
	cached, health := p.summary(), p.poll.Health(now)
	s, current := cached.Span, now.Add(-p.options.Bound())
	s.Next, s.LastResponse, s.Unanswered = p.began.Add(p.options.Interval), health.Last, health.Silent
	s.Fresh, s.Late = p.timeline.freshSince(current), s.Read > 0 && !s.AsOf.After(current)
	s.Budget, s.Configured = health.Budget, health.Configured
	// Projects that cannot be read are named: only the others make the feed late.
	named := sort.Search(len(cached.stale), func(i int) bool { return cached.stale[i].feed.current().After(current) })
	switch {
	case !health.Limited.IsZero():
		s.State, s.Next = Limited, health.Limited
	case health.Silent > 0:
		s.State, s.Next, s.Err = Silent, later(health.Retry, now), health.Err
		if health.Silent >= offlineAfter || health.Last.IsZero() {
			s.State = Offline
		}
	case len(s.Without) > 0 && cached.existing >= s.Projects:
		s.State, s.Next = Failing, later(cached.retry, now)
	case s.Unread > 0, s.Projects == 0:
		s.State = Loading
	case s.Read-s.Fresh > named:
		s.State = Late
	default:
		s.State = Live
	}
	return s
}

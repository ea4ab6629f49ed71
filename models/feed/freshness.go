package feed

import (
	"slices"
	"sort"
	"time"
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

// Freshness is how current the operations in scope are, and when that changes.
type Freshness struct {
	State State
	// Next is when a rate limit ends, or else when the next cycle begins.
	Next time.Time
	// Projects is the number of polled projects, Read how many of them ever responded, and Fresh how many did within
	// two intervals.
	Projects, Read, Fresh int
	// Oldest is when the stalest project was requested, or zero. Unreadable projects count only if there are no
	// readable ones.
	Oldest       time.Time
	LastResponse time.Time // when the last response arrived, good or bad, or zero
	Unanswered   int       // the number of requests in a row without a response
	Err          error     // why there are no responses, or why a project cannot be read, or nil
	// Budget is how many requests a second are in force, and Full how many are configured. After a rate limit, it is less.
	Budget, Full int
	Unreadable   []string // the ids of the projects in scope that cannot be read, sorted; read only
}

// offlineAfter is how many requests in a row must fail before the service counts as offline. If nothing ever responded,
// one is enough.
const offlineAfter = 3

// summary caches the part of the freshness that does not depend on the time, until something changes: its cost grows
// with the number of projects.
type summary struct {
	coverage   Coverage
	unreadable []string   // ids of the projects that cannot be read, sorted
	stale      []*project // those that were read before, the stalest first
	existing   int        // how many of them exist
	err        error      // of the project requested last; that of a deleted one if all are
	asked      time.Time  // when that project was requested
	retry      time.Time  // when the first of those that exist is retried
	oldest     time.Time  // when the stalest readable project was requested, or zero
}

func (p *Poller) summary() *summary {
	if p.cached != nil {
		return p.cached
	}
	s := &summary{coverage: p.coverage()}
	p.cached = s
	for _, pr := range p.order {
		if pr.err != nil && !pr.absent && p.timeline.Has(pr.ID) {
			s.addUnreadable(pr)
		}
	}
	slices.Sort(s.unreadable)
	for _, m := range p.timeline.polled.items {
		_, failing := slices.BinarySearch(s.unreadable, m.feed.project)
		if !failing {
			s.oldest = m.asOf
			break
		}
	}
	slices.SortFunc(s.stale, func(a, b *project) int {
		return a.feed.AsOf().Compare(b.feed.AsOf())
	})
	return s
}

// addUnreadable adds a project that cannot be read.
func (s *summary) addUnreadable(pr *project) {
	s.unreadable = append(s.unreadable, pr.ID)
	exists := !pr.gone && s.existing == 0 // the first that does counts instead of those before
	again := pr.hold.from.Add(pr.hold.length)
	if s.err == nil || exists || !pr.gone && again.Before(s.retry) {
		s.retry = again
	}
	if s.err == nil || exists || !pr.gone && pr.hold.from.After(s.asked) {
		s.err, s.asked = pr.err, pr.hold.from
	}
	switch {
	case pr.gone:
		return
	case pr.feed.Loaded():
		s.stale = append(s.stale, pr)
	default:
		s.coverage.Unread--
	}
	s.existing++
}

// coverage returns how far back the operations in scope are complete, and how much of the range is.
func (p *Poller) coverage() Coverage {
	c := p.timeline.Coverage()
	if p.reach.Since.IsZero() {
		return c
	}
	c.Range, c.Projects = p.reach.Since, p.timeline.completeSince(p.reach.Since)
	if c.Since.After(c.Range) && (p.full() || !p.givenBack.IsZero()) {
		c.Full = p.inRange()
	}
	return c
}

// Coverage returns how far back the operations in scope are complete. It ignores projects that cannot be read:
// [Freshness] names them.
func (p *Poller) Coverage() Coverage { return p.summary().coverage }

// Unreadable returns the sorted ids of the projects in scope that cannot be read. Do not modify the result.
func (p *Poller) Unreadable() []string { return p.summary().unreadable }

// Freshness returns how current the operations in scope are.
func (p *Poller) Freshness(now time.Time) Freshness {
	t, s, v := p.timeline, p.summary(), &p.health
	current := now.Add(-p.options.Bound())
	f := Freshness{
		Next: p.began.Add(p.options.Interval), LastResponse: v.lastResponse, Unanswered: v.silent,
		Projects: len(t.members) - len(t.retired), Read: t.Read(), Fresh: t.freshSince(current),
		Err: s.err, Unreadable: s.unreadable,
	}
	f.Budget, f.Full = p.budgets.all.InForce(now)
	f.Oldest = s.oldest
	if f.Oldest.IsZero() && f.Read > 0 {
		f.Oldest = t.polled.items[0].asOf
	}
	// Unreadable projects are named: only the others make the feed late.
	named := sort.Search(len(s.stale), func(i int) bool { return s.stale[i].feed.AsOf().After(current) })
	switch {
	case v.limited.left(now) > 0:
		f.State, f.Next = Limited, now.Add(v.limited.left(now))
	case v.silent > 0:
		f.State, f.Next, f.Err = Silent, now.Add(v.retry.left(now)), v.err
		if v.silent >= offlineAfter || v.lastResponse.IsZero() {
			f.State = Offline
		}
	case len(s.unreadable) > 0 && s.existing >= f.Projects:
		f.State, f.Next = Failing, s.retry
		if now.After(f.Next) {
			f.Next = now
		}
	case s.coverage.Unread > 0, f.Projects == 0:
		f.State = Loading
	case f.Read-f.Fresh > named:
		f.State = Late
	default:
		f.State = Live
	}
	return f
}

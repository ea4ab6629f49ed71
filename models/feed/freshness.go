package feed

import (
	"slices"
	"sort"
	"time"
)

// State is how current the operations in scope are.
type State int

// The states, the first that applies.
const (
	// Limited is while the service wants to be left alone.
	Limited State = iota
	// Offline is while nothing answers, several times in a row.
	Offline
	// Silent is where the last request got no answer.
	Silent
	// Failing is where no project in scope can be read, each for a reason of its own.
	Failing
	// Loading is before every project in scope was read, or could not be.
	Loading
	// Late is where a project in scope was not read for longer than two intervals.
	Late
	// Live is where all projects in scope were read within two intervals, those apart
	// that cannot be read.
	Live
)

// Freshness is how current the operations in scope are, and when that changes.
type Freshness struct {
	State State
	// Next is when the service is asked again, where it is being left alone, and else
	// when the next cycle begins.
	Next time.Time
	// Projects is how many are asked for their operations, Read of how many there was
	// ever an answer, and Fresh of how many within two intervals.
	Projects, Read, Fresh int
	// Oldest is when the project was asked that was read longest ago, zero for none.
	Oldest time.Time
	// Heard is when the last answer came, good or bad, zero for none.
	Heard time.Time
	// Err is why nothing answers, or why a project cannot be read, or nil.
	Err error
	// Unreadable are the projects in scope that cannot be read, by their ids. It must not
	// be changed.
	Unreadable []string
}

// offlineAfter is how often in a row nothing must have answered for the service to be
// offline; where nothing ever answered, once is enough.
const offlineAfter = 3

// Bound is how old the last answer of a project may be for it to be current.
func (p *Poller) Bound() time.Duration { return 2 * p.options.Interval }

// summary is what is known of the projects in scope apart from the time. It holds until
// something changes, since it costs more the more projects there are that cannot be read.
type summary struct {
	coverage   Coverage
	unreadable []string    // projects that cannot be read, by their ids
	asOf       []time.Time // when those were asked that were read before, oldest first
	existing   int         // how many of them the service has
	unknown    int         // how many operations of them are not done, as far as is known
	err        error
	tries      time.Time // when the first of them is asked again
}

func (p *Poller) summary() *summary {
	if p.known != nil {
		return p.known
	}
	s := &summary{coverage: p.timeline.Coverage()}
	p.known = s
	for _, pr := range p.failing {
		if !p.timeline.Has(pr.ID) {
			continue
		}
		if at := pr.hold.from.Add(pr.hold.length); s.err == nil || at.Before(s.tries) {
			s.tries = at
		}
		s.unreadable, s.err = append(s.unreadable, pr.ID), pr.err
		s.unknown += pr.feed.Unfinished()
		switch {
		case pr.gone: // it is no project any more
			continue
		case pr.feed.Loaded():
			s.asOf = append(s.asOf, pr.feed.AsOf())
		default:
			s.coverage.Unread--
		}
		s.existing++
	}
	slices.SortFunc(s.asOf, time.Time.Compare)
	return s
}

// Coverage returns how far back the operations in scope are all there. Projects that cannot
// be read are left out: [Freshness] names them.
func (p *Poller) Coverage() Coverage { return p.summary().coverage }

// Unreadable returns the projects in scope that cannot be read, by their ids. The result
// must not be changed.
func (p *Poller) Unreadable() []string { return p.summary().unreadable }

// Running is how many operations in scope are not done, of the projects that can be read.
func (p *Poller) Running() int { return p.timeline.Unfinished() - p.summary().unknown }

// Freshness returns how current the operations in scope are.
func (p *Poller) Freshness(now time.Time) Freshness {
	t, s := p.timeline, p.summary()
	_, oldest := t.Oldest()
	f := Freshness{
		Next: p.began.Add(p.options.Interval), Oldest: oldest, Heard: p.heard, Err: s.err, Unreadable: s.unreadable,
		Projects: len(t.members) - t.retired, Read: t.Read(), Fresh: t.FreshSince(now.Add(-p.Bound())),
	}
	// Those that cannot be read are named by themselves.
	named := sort.Search(len(s.asOf), func(i int) bool { return s.asOf[i].After(now.Add(-p.Bound())) })
	switch held := p.silence.hold.left(now); {
	case p.limited.left(now) > 0:
		f.State, f.Next = Limited, now.Add(p.limited.left(now))
	case p.silence.times >= offlineAfter, p.silence.times > 0 && p.heard.IsZero():
		f.State, f.Next, f.Err = Offline, now.Add(held), p.silence.err
	case p.silence.times > 0:
		f.State, f.Next, f.Err = Silent, now.Add(held), p.silence.err
	case len(s.unreadable) > 0 && s.existing >= f.Projects:
		f.State, f.Next = Failing, later(now, s.tries)
	case s.coverage.Unread > 0, f.Projects == 0:
		f.State = Loading
	case f.Read-f.Fresh > named:
		f.State = Late
	default:
		f.State = Live
	}
	return f
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

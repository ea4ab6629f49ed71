package feed

import "time"

// State is how current the operations in scope are.
type State int

// The states, the first that applies.
const (
	// Limited is while the service wants to be left alone.
	Limited State = iota
	// Offline is while nothing answers, several times in a row.
	Offline
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
	// Err is why nothing answers, or why a project cannot be read, or nil.
	Err error
	// Unreadable are the projects in scope that cannot be read, by their ids.
	Unreadable []string
}

// offlineAfter is how often in a row nothing must have answered for the service to be
// offline; where nothing ever answered, once is enough.
const offlineAfter = 3

// Bound is how old the last answer of a project may be for it to be current.
func (p *Poller) Bound() time.Duration { return 2 * p.options.Interval }

// Freshness returns how current the operations in scope are.
func (p *Poller) Freshness(now time.Time) Freshness {
	t := p.timeline
	_, oldest := t.Oldest()
	f := Freshness{
		Next: p.began.Add(p.options.Interval), Oldest: oldest,
		Projects: len(t.members) - t.retired, Read: t.Read(), Fresh: t.FreshSince(now.Add(-p.Bound())),
	}
	stale, failing := f.Read-f.Fresh, 0
	var tries time.Duration
	for _, pr := range p.failing {
		if !t.Has(pr.ID) {
			continue
		}
		f.Unreadable = append(f.Unreadable, pr.ID)
		f.Err = pr.err
		if left := pr.hold.left(now); len(f.Unreadable) == 1 || left < tries {
			tries = left
		}
		if pr.gone {
			continue // it is no project any more
		}
		failing++
		if pr.feed.Loaded() && !pr.feed.AsOf().After(now.Add(-p.Bound())) {
			stale-- // it is named by itself
		}
	}
	switch held := p.silence.hold.left(now); {
	case p.limited.left(now) > 0:
		f.State, f.Next = Limited, now.Add(p.limited.left(now))
	case p.silence.times >= offlineAfter, p.silence.times > 0 && p.heard.IsZero():
		f.State, f.Next, f.Err = Offline, now.Add(held), p.silence.err
	case len(f.Unreadable) > 0 && failing >= f.Projects:
		f.State, f.Next = Failing, now.Add(tries)
	case p.Coverage().Unread > 0, f.Projects == 0:
		f.State = Loading
	case p.silence.times > 0:
		f.State, f.Next, f.Err = Late, now.Add(held), p.silence.err
	case stale > 0:
		f.State = Late
	default:
		f.State = Live
	}
	return f
}

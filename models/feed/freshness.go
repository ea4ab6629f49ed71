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
	Limited State = iota // the service wants to be left alone
	Offline              // nothing answered several times in a row
	Silent               // the last request got no answer
	Failing              // no project in scope can be read, each for a reason of its own
	Loading              // some project in scope was never read, although it can be
	Late                 // a project in scope was not read for longer than two intervals
	Live                 // all projects in scope that can be read were read within two intervals
)

// Freshness is how current the operations in scope are, and when that changes.
type Freshness struct {
	State State
	// Next is when the service is asked again, if it is being left alone, and else when the next cycle begins.
	Next time.Time
	// Projects is how many are asked for their operations, Read how many of them ever answered, and Fresh how many did
	// within two intervals.
	Projects, Read, Fresh int
	// Oldest is when the project that was read longest ago was asked, or zero. Projects that cannot be read count only
	// where none can.
	Oldest     time.Time
	Heard      time.Time // when the last answer came, good or bad, or zero
	Unanswered int       // how many times in a row nothing answered
	Err        error     // why nothing answers, or why a project cannot be read, or nil
	Unreadable []string  // the ids of the projects in scope that cannot be read, sorted; do not change it
}

// offlineAfter is how many requests in a row get no answer before the service counts as offline. If nothing ever
// answered, one is enough.
const offlineAfter = 3

// summary is what is known of the projects in scope, whatever the time. It is kept until something changes, because its
// cost grows with the projects.
type summary struct {
	coverage   Coverage
	unreadable []string    // ids of the projects that cannot be read, sorted
	asOf       []time.Time // when those of them that were read before were asked, oldest first
	existing   int         // how many of them the service has
	unfinished int         // how many operations of them were not done when they were last read
	err        error       // of the one that was asked last, one that is gone only where all are
	retry      time.Time   // when the first of those that exist is asked again
	oldest     time.Time   // when the project that can be read and was read longest ago was asked, or zero
}

func (p *Poller) summary() *summary {
	if p.known != nil {
		return p.known
	}
	s := &summary{coverage: p.timeline.Coverage()}
	p.known = s
	var asked time.Time
	for _, pr := range p.order {
		if pr.err == nil || pr.absent || !p.timeline.Has(pr.ID) {
			continue
		}
		if at := pr.hold.from.Add(pr.hold.length); s.err == nil || !pr.gone && (s.existing == 0 || at.Before(s.retry)) {
			s.retry = at
		}
		if s.err == nil || !pr.gone && (s.existing == 0 || pr.hold.from.After(asked)) {
			s.err, asked = pr.err, pr.hold.from
		}
		s.unreadable = append(s.unreadable, pr.ID)
		s.unfinished += pr.feed.Unfinished()
		switch {
		case pr.gone:
			continue
		case pr.feed.Loaded():
			s.asOf = append(s.asOf, pr.feed.AsOf())
		default:
			s.coverage.Unread--
		}
		s.existing++
	}
	slices.Sort(s.unreadable)
	for _, m := range p.timeline.polled.items {
		if _, failing := slices.BinarySearch(s.unreadable, m.project); !failing {
			s.oldest = m.asOf
			break
		}
	}
	slices.SortFunc(s.asOf, time.Time.Compare)
	return s
}

// Coverage returns how far back the operations in scope are complete. It leaves out projects that cannot be read:
// [Freshness] names them.
func (p *Poller) Coverage() Coverage { return p.summary().coverage }

// Unreadable returns the ids of the projects in scope that cannot be read, sorted. Do not change the result.
func (p *Poller) Unreadable() []string { return p.summary().unreadable }

// Running is how many operations in scope are not done, of the projects that can be read.
func (p *Poller) Running() int { return p.timeline.Unfinished() - p.summary().unfinished }

// Freshness returns how current the operations in scope are.
func (p *Poller) Freshness(now time.Time) Freshness {
	t, s, v := p.timeline, p.summary(), &p.health
	f := Freshness{
		Next: p.began.Add(p.options.Interval), Heard: v.heard, Unanswered: v.silent, Err: s.err, Unreadable: s.unreadable,
		Projects: len(t.members) - len(t.retired), Read: t.Read(), Fresh: t.freshSince(now.Add(-p.options.Bound())),
	}
	if f.Oldest = s.oldest; f.Oldest.IsZero() && f.Read > 0 {
		f.Oldest = t.polled.items[0].asOf
	}
	// The projects that cannot be read are named: only others make the feed late.
	named := sort.Search(len(s.asOf), func(i int) bool { return s.asOf[i].After(now.Add(-p.options.Bound())) })
	switch {
	case v.limited.left(now) > 0:
		f.State, f.Next = Limited, now.Add(v.limited.left(now))
	case v.silent > 0:
		f.State, f.Next, f.Err = Silent, now.Add(v.retry.left(now)), v.err
		if v.silent >= offlineAfter || v.heard.IsZero() {
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

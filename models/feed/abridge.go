package feed

import (
	"maps"
	"slices"
	"time"
)

const (
	// followedEach is how many bytes they have on average: 40 MB of all.
	followedEach = 800
	// mostForgotten is how many ids of one second are remembered of a project where there is too much.
	mostForgotten = 1000
)

// abridge forgets, if more is kept than the follower may, also what gaps, unfinished and failed operations need, the largest
// projects first. It returns the events of the gaps that this leaves: the times in which operations are not told any more.
func (f *Follower) abridge(now time.Time) (events []*Event) {
	kept, limit := &f.poller.kept, f.most()
	if kept.rows <= limit.rows && kept.bytes <= limit.bytes {
		return nil
	}
	few := holding{limit.rows / 4 * 3, limit.bytes / 4 * 3} // so that few answers have this cost
	projects := slices.SortedFunc(slices.Values(f.poller.order), largestFirst)
	for keep := f.keep(); keep > 0; keep /= 2 {
		for _, pr := range projects {
			if kept.rows <= few.rows && kept.bytes <= few.bytes {
				return events
			}
			if o := f.projects[pr.ID]; o != nil && pr.feed.Len() > keep {
				events = append(events, f.abridgeOne(o, keep, now)...)
			}
		}
	}
	return events
}

func largestFirst(a, b *project) int { return b.feed.Len() - a.feed.Len() }

// most returns how much is kept at most.
func (f *Follower) most() holding {
	rows := f.bound + 4*len(f.poller.order)
	return holding{rows, rows * followedEach}
}

// abridgeOne forgets what is below the newest keep operations of a project, but for as many that have not ended. It returns
// the events of the gaps of that.
func (f *Follower) abridgeOne(o *followed, keep int, now time.Time) (events []*Event) {
	o.abridged = true
	events = f.missing(o, Answer{}, now)
	o.abridged = false
	feed, lost := o.feed, f.unread(o)
	second := feed.rows[keep].second()
	for _, e := range feed.forgetBelow(keep, mostForgotten, keep) {
		lost.add(e.at, e.at)
	}
	if feed.forgotten.boundary.second().After(second) { // the rest of that second is not told
		lost.add(second, second)
	}
	gaps := maps.Clone(o.gaps)
	o.forget()
	for since, g := range gaps {
		if _, open := o.gaps[since]; !open && g.covers(lost.until) && !lost.since.Before(since) {
			return events // it lies in a gap that is never filled
		}
	}
	if !lost.until.IsZero() && !o.left.covers(lost) {
		o.left = lost
		events = append(events, o.event(Missing, lost.since, lost.until))
	}
	return events
}

// unread returns the time before following began in which operations that still run were to be found and will not be.
func (f *Follower) unread(o *followed) (lost stretch) {
	e := o.feed.end()
	if e == nil || e.broken || !e.above.at.After(f.poller.reach.Since) {
		return lost
	}
	lost.add(f.poller.reach.Since, earlier(e.above.at, o.from.at))
	return lost
}

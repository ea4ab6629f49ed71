package feed

import (
	"maps"
	"slices"
	"time"
)

const (
	// followedEach is how many bytes a followed operation may have on average: 40 MB for [mostFollowed].
	followedEach = 800
	// mostForgotten is how many forgotten ids abridge remembers for a project. If there are more, it gives up their second.
	mostForgotten = 1000
)

// abridge makes room if the follower keeps more than it may. It then forgets even what gaps, unfinished and failed operations
// need, in the largest projects first. It returns the events of the gaps that this leaves: in these times, operations are no
// longer told.
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

// abridgeOne forgets the operations below the newest keep ones of a project. Of those that have not ended, or may be tried
// again, it keeps the newest keep as well. It returns the events of the gaps that this leaves.
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

// unread returns the time before following began that was not read yet, or zero. Operations that still run may have begun
// then. They will not be found: abridging drops the edge that leads there.
func (f *Follower) unread(o *followed) (lost stretch) {
	e := o.feed.end()
	if e == nil || e.broken || !e.above.at.After(f.poller.reach.Since) {
		return lost
	}
	lost.add(f.poller.reach.Since, earlier(e.above.at, o.from.at))
	return lost
}

package feed

import (
	"cmp"
	"slices"
	"time"
)

// The lanes of requests. The first has priority; the others take turns, so that none starves.
const (
	laneUrgent     = iota // what the user requested or looks at, pinned projects, and joins
	laneBusy              // other projects with unfinished operations
	laneReread            // unfinished operations that head pages do not contain
	laneHistory           // the history that the user requested
	laneQuiet             // the other projects, in scope or not: alerts are for all of them
	laneBackground        // the time to keep complete
	laneCount
)

// share is the maximum usage of the budget, in percent, at which a request of the lane may start. It leaves room for
// more urgent requests and for those of other parts of the program.
var share = [laneCount]int{100, 80, 80, 100, 80, 50}

// lanes hold the requests that may start now, in order.
type lanes [laneCount][]Request

// next takes out the request that comes next, of the lanes that still have their share of the budget. last is the lane
// that was served last.
func (l *lanes) next(last *int, used, budget int) (r Request, ok bool) {
	lane := laneUrgent
	may := func() bool { return len(l[lane]) > 0 && used < max(1, budget*share[lane]/100) }
	for n := 1; n < laneCount && !may(); n++ {
		*last = *last%(laneCount-1) + 1
		lane = *last
	}
	if !may() {
		return r, false
	}
	r, l[lane] = l[lane][0], l[lane][1:]
	return r, true
}

func (l *lanes) empty() bool {
	return !slices.ContainsFunc(l[:], func(lane []Request) bool { return len(lane) > 0 })
}

// Next returns the requests to start now, and how long to wait before the next call; call it after each response, too.
// Nothing starts during a rate limit or while the service does not respond.
func (p *Poller) Next(now time.Time) (start []Request, wait time.Duration) {
	if since := now.Sub(p.began); since >= p.options.Interval || since < 0 { // or the clock was set back
		p.cycle++
		p.began = now
	}
	if held := max(p.health.limited.left(now), p.health.retry.left(now)); held > 0 {
		return nil, held
	}
	used, budget := p.traffic.used(now, p.options.Interval), p.options.Budget
	lanes := p.lanes(budget-used, now)
	for {
		r, ok := lanes.next(&p.lastLane, used, budget)
		if !ok {
			break
		}
		if r.Purpose != Head && !p.traffic.idle(r.target()) {
			continue // another lane had it, too
		}
		r.AsOf = now
		if waited := p.traffic.send(r); r.Purpose == History && !waited {
			p.history.pages = max(0, p.history.pages-1)
		}
		if pr := p.projects[r.Project]; r.Purpose == Head {
			pr.cycle, pr.wanted, pr.inFlight = p.cycle, false, true
		}
		start = append(start, r)
		if used++; p.health.silent > 0 {
			break // one request finds out whether the service is back
		}
	}
	return start, p.wait(now, used >= budget || !lanes.empty())
}

// lanes returns the requests that may start now, of each kind no more than there is room for.
func (p *Poller) lanes(room int, now time.Time) *lanes {
	var l lanes
	if room <= 0 {
		return &l
	}
	var due [laneCount][]*project
	unread := false // a project in scope was never read
	for _, pr := range p.order {
		if pr.due(p.cycle, p.paused, pr.ID == p.scope, now) {
			lane := p.laneOf(pr)
			due[lane] = enqueue(due[lane], pr, room)
			unread = unread || p.inScope(pr) && !pr.feed.Loaded()
		}
	}
	if !unread && !p.paused {
		l[laneBackground] = p.backfill(room, now)
	}
	size := p.options.pageSize(len(p.order))
	for lane := range due {
		for _, pr := range due[lane] {
			l[lane] = append(l[lane], pr.headPage(size))
		}
	}
	for _, r := range p.traffic.waiting {
		lane, pr := laneReread, p.projects[r.Project]
		switch {
		case r.Purpose == History:
			lane = laneHistory
		case p.paused || pr.gone || pr.holds(r, now):
			continue
		case r.Purpose == Join || p.viewed[r.Project]:
			lane = laneUrgent
		}
		if len(l[lane]) < 2*room && p.traffic.idle(r.target()) {
			l[lane] = append(l[lane], r)
		}
	}
	if p.paused {
		l[laneUrgent] = append(l[laneUrgent], p.watchedAlone(now)...)
	}
	l[laneHistory] = p.wantedHistory(l[laneHistory], room, unread)
	return &l
}

// laneOf returns the lane of a project's head page.
func (p *Poller) laneOf(pr *project) int {
	switch {
	case pr.Pinned && p.pinned <= p.options.MaxPinned(), pr.ID == p.scope:
		return laneUrgent
	case pr.feed.Unfinished() > 0, pr.Pinned:
		return laneBusy
	}
	return laneQuiet
}

// enqueue inserts a project into the queue of the first n: hinted ones first, then by the time of the last request. Of
// projects that were never read, the last changed come first.
func enqueue(queue []*project, pr *project, n int) []*project {
	first := func(a, b *project) int {
		if hinted := a.hinted(); hinted != b.hinted() {
			if hinted {
				return -1
			}
			return +1
		}
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), a.feed.AsOf().Compare(b.feed.AsOf()), b.ChangedAt.Compare(a.ChangedAt))
	}
	if len(queue) == n && first(pr, queue[n-1]) >= 0 {
		return queue
	}
	at, _ := slices.BinarySearchFunc(queue, pr, func(a, b *project) int { return cmp.Or(first(a, b), -1) })
	queue = slices.Insert(queue, at, pr)
	return queue[:min(n, len(queue))]
}

// watchedAlone returns single requests for the unfinished watched operations: while paused, no page returns them.
func (p *Poller) watchedAlone(now time.Time) (out []Request) {
	for _, k := range p.watched {
		r := Request{Project: k.Project, ID: k.ID, Purpose: Reread}
		if pr := p.projects[k.Project]; pr != nil && pr.rereads.left(now) == 0 && p.traffic.idle(r.target()) {
			if e := pr.feed.active[k.ID]; e != nil && e.asOf().Before(p.began) {
				out = append(out, r)
			}
		}
	}
	return out
}

// wait returns the time until something may start without a response: a new cycle, the end of a hold, or, if requests
// are waiting, room in the budget.
func (p *Poller) wait(now time.Time, waits bool) time.Duration {
	wait := p.began.Add(p.options.Interval).Sub(now)
	if starts := p.traffic.starts; waits && len(starts) > 0 {
		wait = min(wait, starts[0].Add(time.Second).Sub(now))
	}
	for _, pr := range p.order {
		if left := pr.hold.left(now); left > 0 {
			wait = min(wait, left)
		}
	}
	return max(wait, time.Millisecond)
}

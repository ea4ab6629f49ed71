package feed

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models/budget"
)

// lane is a queue of requests of one kind.
type lane int

// The lanes. The first two come first: there are never many of them. Each of the others has a share of the rest, which
// is guaranteed while it has something to request, and lent to the others while not.
const (
	laneUrgent  lane = iota // the project in scope, and what the user requested or looks at
	lanePinned              // pinned projects, see [Options.MaxPinned]
	laneRound               // every project in turn, the stalest first
	laneChanged             // changed projects, those with unfinished operations, and joins
	laneReread              // unfinished operations that head pages do not contain
	laneFailed              // failed operations, which may be tried again, see failedShare
	laneAsked               // a range, or gaps, that the user asked for
	laneRange               // the range, see rangeShare
	laneCount
)

// shares are the shares of the lanes, while projects were never read and later. Those of laneRound bound how long a round
// takes: a first one at most 1.5 seconds for each request a second and project, and later ones twice that.
var shares = [2][laneCount]int{
	{laneRound: 20, laneChanged: 4, laneReread: 3, laneFailed: 1, laneAsked: 1, laneRange: 1},
	{laneRound: 10, laneChanged: 7, laneReread: 5, laneFailed: 2, laneAsked: 4, laneRange: 2},
}

const (
	// pollerShare is the part of the budget that the poller uses. The rest is for the project list and other pages.
	pollerShare = 0.9
	// failedShare is the part that may be for failed operations. It is not lent more.
	failedShare = 0.1
	// leastQueued is how many requests of a kind are considered at least, although fewer may start now: joins come between
	// head pages.
	leastQueued = 10
)

// turns decides which lane is next. Each has a position, which advances with each request, the more the smaller its
// share is. The lane at the lowest position is next.
type turns struct{ position [laneCount]float64 }

// next takes out the request that comes next, and returns its lane. unread reports whether there are projects that were
// never read.
func (t *turns) next(l *lanes, unread bool) (r Request, from lane) {
	share := &shares[1]
	if unread {
		share = &shares[0]
	}
	best, now := laneCount, -1.0
	for i := range laneCount {
		if len(l[i]) == 0 {
			continue
		}
		if i <= lanePinned {
			best = i
			break
		}
		if now < 0 || t.position[i] < now {
			best, now = i, t.position[i]
		}
	}
	if best == laneCount {
		return r, laneCount
	}
	if best > lanePinned {
		for i := range t.position { // a lane that had nothing to request has not saved its turns
			t.position[i] = max(t.position[i], now)
		}
		t.position[best] += 1 / float64(share[best])
	}
	r, l[best] = l[best][0], l[best][1:]
	return r, best
}

// lanes hold the requests that may start now, in order.
type lanes [laneCount][]Request

func (l *lanes) empty() bool {
	return !slices.ContainsFunc(l[:], func(lane []Request) bool { return len(lane) > 0 })
}

// Next returns the requests to start now, and how long to wait before the next call; call it after each response, too.
// Nothing starts during a rate limit or while the service does not respond.
func (p *Poller) Next(now time.Time) (start []Request, wait time.Duration) {
	p.beginCycle(now)
	if left := max(p.health.limited.left(now), p.health.retry.left(now)); left > 0 {
		return nil, left
	}
	room := p.room(now)
	lanes, unread := p.lanes(min(room, max(leastQueued, p.budget.Ready(now))), now)
	var spent []*budget.Budget // the parts for which lanes wait
	for room > 0 {
		r, lane := p.turns.next(lanes, unread)
		if lane == laneCount {
			break
		}
		if p.sent(r) {
			continue // another lane had it, too
		}
		if part := p.part(lane); part != nil && !part.Allow(now) {
			spent, lanes[lane] = append(spent, part), nil
			continue
		}
		if !p.budget.Allow(now) {
			break
		}
		r.urgent = lane == laneUrgent
		start = append(start, p.send(r, now))
		room--
		if p.health.silent > 0 {
			break // one request finds out whether the service is back
		}
	}
	wait = p.wait(now, room <= 0 || len(start) > 0 || !lanes.empty()) // more than what was started may be due
	for _, part := range spent {
		wait = min(wait, max(part.Wait(now), time.Millisecond))
	}
	return start, wait
}

// part returns the part of the budget that a lane may use, or nil for all of it.
func (p *Poller) part(l lane) *budget.Budget {
	switch l {
	case laneRange:
		return p.loading
	case laneFailed:
		return p.failures
	default:
		return nil
	}
}

// beginCycle begins a cycle if the last one is over, or if the clock was set back.
func (p *Poller) beginCycle(now time.Time) {
	if since := now.Sub(p.began); since >= p.options.Interval || since < 0 {
		p.cycle++
		p.began = now
	}
}

// room returns how many requests may start now.
func (p *Poller) room(now time.Time) int {
	if p.budget.Ready(now) == 0 {
		return 0
	}
	perSecond, _ := p.budget.InForce(now)
	return budget.Burst(perSecond) - p.traffic.waitsFor(now, p.options.Interval)
}

// send records that a request starts now.
func (p *Poller) send(r Request, now time.Time) Request {
	r.AsOf = now
	p.traffic.send(r)
	if pr := p.projects[r.Project]; r.Purpose == Head {
		pr.cycle, pr.wanted, pr.inFlight = p.cycle, false, true
	}
	return r
}

// sent reports whether a request is in flight, or was already made in this cycle.
func (p *Poller) sent(r Request) bool {
	if r.Purpose == Head {
		return p.projects[r.Project].cycle >= p.cycle
	}
	return !p.traffic.idle(r.target())
}

// lanes returns the requests that may start now, of each kind no more than there is room for, and whether there are
// projects that were never read.
func (p *Poller) lanes(room int, now time.Time) (l *lanes, unread bool) {
	l = &lanes{}
	if room <= 0 {
		return l, false
	}
	var due [laneCount][]*project
	o := p.options
	o.Budget, _ = p.budget.InForce(now)
	pins := p.pinned <= o.MaxPinned()
	inScope := false // a project in scope was never read
	for _, pr := range p.order {
		if !pr.due(p.cycle, p.paused, pr.ID == p.scope, now) {
			continue
		}
		if lane := p.laneOf(pr, pins); lane != laneRound {
			due[lane] = enqueue(due[lane], pr, room, byChange)
		}
		due[laneRound] = enqueue(due[laneRound], pr, 2*room, byAge)
		if !pr.feed.Loaded() {
			unread = true
			inScope = inScope || p.inScope(pr)
		}
	}
	if !inScope {
		lane := laneRange
		if p.reach.Asked {
			lane = laneAsked
		}
		l[lane] = p.older(room, now)
	}
	size := p.options.pageSize(len(p.order))
	for lane := range due {
		for _, pr := range due[lane] {
			l[lane] = append(l[lane], pr.headPage(size, now))
		}
	}
	p.queued(l, room, now)
	p.alone(l, room, now)
	return l, unread
}

// alone adds the requests for single operations: those that no page held, those that failed and, while polling is paused,
// those that are watched.
func (p *Poller) alone(l *lanes, room int, now time.Time) {
	for _, pr := range p.order {
		lane := laneReread
		if p.viewed[pr.ID] {
			lane = laneUrgent
		}
		if len(l[lane]) < 2*room {
			l[lane] = append(l[lane], p.overdue(pr, now)...)
		}
		if len(l[laneFailed]) < 2*room {
			l[laneFailed] = append(l[laneFailed], p.failed(pr, now)...)
		}
	}
	if p.paused {
		l[laneUrgent] = append(l[laneUrgent], p.watchedAlone(now)...)
	}
}

// queued adds the queued requests that may start now to their lanes.
func (p *Poller) queued(l *lanes, room int, now time.Time) {
	for _, r := range p.traffic.waiting {
		lane, pr := laneReread, p.projects[r.Project]
		switch {
		case r.Purpose == Gapped:
			lane = laneAsked
		case p.paused || pr.gone || pr.holds(r, now):
			continue
		case p.viewed[r.Project], pr.ID == p.scope:
			lane = laneUrgent
		case r.Purpose == Join:
			lane = laneChanged
		}
		if p.traffic.idle(r.target()) && (lane == laneChanged || len(l[lane]) < 2*room) {
			l[lane] = slices.Insert(l[lane], min(len(l[lane]), len(l[lane])/2), r)
		}
	}
}

// laneOf returns the lane of a project's head page, besides that of the round. pins reports whether pinned projects come
// first.
func (p *Poller) laneOf(pr *project, pins bool) lane {
	switch {
	case pr.ID == p.scope, pr.wanted && p.scope != "":
		return laneUrgent
	case pr.Pinned && pins:
		return lanePinned
	case pr.hinted(), pr.feed.Unfinished() > 0, pr.Pinned:
		return laneChanged
	}
	return laneRound
}

// byAge orders projects by the time of their last page. Of those that were never read, the last changed come first.
func byAge(a, b *project) int {
	return cmp.Or(a.feed.AsOf().Compare(b.feed.AsOf()), a.cycle-b.cycle, b.ChangedAt.Compare(a.ChangedAt))
}

// byChange orders hinted projects first, then by age.
func byChange(a, b *project) int {
	if hinted := a.hinted(); hinted != b.hinted() {
		if hinted {
			return -1
		}
		return +1
	}
	return cmp.Or(cmp.Compare(a.cycle, b.cycle), byAge(a, b))
}

// enqueue inserts a project into the queue of the first n.
func enqueue(queue []*project, pr *project, n int, first func(a, b *project) int) []*project {
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
	if token := p.budget.Wait(now); waits && token > 0 {
		wait = min(wait, token)
	}
	for _, pr := range p.order {
		if left := pr.hold.left(now); left > 0 {
			wait = min(wait, left)
		}
	}
	return max(wait, time.Millisecond)
}

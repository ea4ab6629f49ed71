package feed

import (
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
	laneChosen              // those of them that the user chose, see [Poller.Choose]
	laneJoin                // pages that close gaps, the gap that was found first first
	laneChanged             // changed projects, and those with unfinished operations
	laneReread              // unfinished operations that head pages do not contain, the longest due first, by project
	laneFailed              // failed operations, which may be tried again, see failedShare
	laneAsked               // a range, or gaps, that the user asked for
	laneRange               // the range, see rangeShare
	laneCount
)

// shares are the shares of the lanes, while projects were never read and later. Those of laneRound bound how long a round
// takes: a first one at most 1.5 seconds for each request a second and project, and later ones twice that. That of laneJoin
// is over a third of what the lanes of the user leave, the chosen projects among them, once all projects were read: it bounds
// how long a gap stays open.
var shares = [2][laneCount]int{
	{laneRound: 40, laneChosen: 20, laneJoin: 10, laneChanged: 4, laneReread: 3, laneFailed: 1, laneAsked: 1, laneRange: 1},
	{laneRound: 24, laneChosen: 48, laneJoin: 25, laneChanged: 12, laneReread: 6, laneFailed: 2, laneAsked: 48, laneRange: 1},
}

const (
	// pollerShare is the part of the budget that the poller uses. The rest is for the project list and other pages.
	pollerShare = 0.9
	// failedShare is the part that may be for failed operations. It is not lent more.
	failedShare = 0.1
	// leastQueued is how many requests of a kind are considered at least, although fewer may start now.
	leastQueued = 10
)

// budgets are how many requests a poller may make: all of them, and those of the lanes that may only use a part.
type budgets struct{ all, failed, ranged *budget.Budget }

func newBudgets(perSecond int) budgets {
	return budgets{
		all: budget.New(perSecond, pollerShare), failed: budget.New(perSecond, failedShare),
		ranged: budget.New(perSecond, rangeShare),
	}
}

func (b *budgets) each() []*budget.Budget { return []*budget.Budget{b.all, b.failed, b.ranged} }

func (b *budgets) set(perSecond int, now time.Time) {
	for _, one := range b.each() {
		one.Set(perSecond, now)
	}
}

// limited reduces them after the service limited a request that was sent at a time.
func (b *budgets) limited(sent, now time.Time) {
	for _, one := range b.each() {
		one.Limited(sent, now)
	}
}

// part returns the part that a lane may use, or nil for all of it.
func (b *budgets) part(l lane) *budget.Budget {
	switch l {
	case laneRange:
		return b.ranged
	case laneFailed:
		return b.failed
	default:
		return nil
	}
}

// turns decides which lane is next. Each has a position, which advances with each request, the more the smaller its
// share is. The lane at the lowest position is next.
type turns struct{ position [laneCount]float64 }

// next returns the lane whose turn it is, or laneCount if there is nothing to request.
func (t *turns) next(a *agenda) lane {
	best := laneCount
	for i := range laneCount {
		if len(a.lanes[i]) == 0 {
			continue
		}
		if i <= lanePinned {
			return i
		}
		if best == laneCount || t.position[i] < t.position[best] {
			best = i
		}
	}
	return best
}

// advance counts a request of a lane. A turn without a request does not count.
func (t *turns) advance(from lane, a *agenda) {
	if from <= lanePinned {
		return
	}
	for i := range t.position { // a lane that had nothing to request has not saved its turns
		t.position[i] = max(t.position[i], t.position[from])
	}
	t.position[from] += 1 / float64(a.share(from))
}

// share returns the share of a lane. That of laneRound grows with those of the user that are due: it stays the same part
// of all shares, two thirds and later one third.
func (a *agenda) share(of lane) int {
	now := shares[1]
	if a.unread {
		now = shares[0]
	}
	share := now[of]
	if of != laneRound {
		return share
	}
	for _, lane := range []lane{laneChosen, laneAsked} {
		if len(a.lanes[lane]) > 0 {
			share += now[lane] * now[laneRound] / now[laneChosen]
		}
	}
	return share
}

// Next returns the requests to start now, and how long to wait before the next call; call it after each response, too.
// Nothing starts during a rate limit or while the service does not respond.
func (p *Poller) Next(now time.Time) (start []Request, wait time.Duration) {
	p.beginCycle(now)
	if left := max(p.health.limited.left(now), p.health.retry.left(now)); left > 0 {
		return nil, left
	}
	room := p.room(now)
	may := p.agenda(min(room, max(leastQueued, p.budgets.all.Ready(now))), now)
	var spent []*budget.Budget // the parts for which lanes wait
	for room > 0 && p.budgets.all.Ready(now) > 0 {
		lane := p.turns.next(may)
		if lane == laneCount {
			break
		}
		part := p.budgets.part(lane)
		if part != nil && part.Ready(now) == 0 {
			spent, may.lanes[lane] = append(spent, part), nil
			continue
		}
		r := may.dequeue(lane)
		if p.sent(r) {
			continue // another lane had it, too
		}
		p.budgets.all.Spend(1, now)
		if part != nil {
			part.Spend(1, now)
		}
		p.turns.advance(lane, may)
		r.urgent = lane == laneUrgent
		start = append(start, p.send(r, now))
		switch pr := p.projects[r.Project]; {
		case lane == laneFailed:
			p.nextFailed = pr.index + 1
		case lane == laneReread && r.ID != "":
			pr.late = p.enqueued() // its next one waits behind those of others
		}
		room--
		if p.health.silent > 0 {
			break // one request finds out whether the service is back
		}
	}
	more := room <= 0 || len(start) > 0 || !may.empty() // may be due
	wait = p.wait(now, more)
	for _, part := range spent {
		wait = min(wait, max(part.Wait(now), time.Millisecond))
	}
	return start, wait
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
	if p.budgets.all.Ready(now) == 0 {
		return 0
	}
	perSecond, _ := p.budgets.all.InForce(now)
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
	if !p.traffic.idle(r.target()) {
		return true // also a newest page that closes a gap
	}
	return r.Purpose == Head && p.projects[r.Project].cycle >= p.cycle
}

// wait returns the time until something may start without a response: a new cycle, the end of a hold, or, if requests
// are waiting, room in the budget.
func (p *Poller) wait(now time.Time, waits bool) time.Duration {
	wait := p.began.Add(p.options.Interval).Sub(now)
	if token := p.budgets.all.Wait(now); waits && token > 0 {
		wait = min(wait, token)
	}
	for _, pr := range p.order {
		if left := pr.hold.left(now); left > 0 {
			wait = min(wait, left)
		}
	}
	return max(wait, time.Millisecond)
}

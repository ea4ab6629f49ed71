package feed

import (
	"cmp"
	"slices"
	"time"
)

// agenda is what a poller may request now, by lanes: of each kind not much more than there is room for.
type agenda struct {
	poller *Poller
	now    time.Time
	room   int  // how many requests may start
	pins   bool // pinned projects come first
	lanes  [laneCount][]Request
	unread bool // there are projects that were never read
}

// agenda returns what may start now if there is room for so many requests.
func (p *Poller) agenda(room int, now time.Time) *agenda {
	a := &agenda{poller: p, now: now, room: room}
	if room <= 0 {
		return a
	}
	o := p.options
	o.Budget, _ = p.budgets.all.InForce(now)
	a.pins = p.pinned <= o.MaxPinned()
	if a.addHeads() {
		lane := laneRange
		if p.reach.Asked {
			lane = laneAsked
		}
		a.lanes[lane] = p.older(room, now)
	}
	a.addQueued()
	a.addAlone()
	return a
}

// dequeue removes the first request of a lane, and returns it.
func (a *agenda) dequeue(from lane) (r Request) {
	r, a.lanes[from] = a.lanes[from][0], a.lanes[from][1:]
	return r
}

func (a *agenda) empty() bool {
	return !slices.ContainsFunc(a.lanes[:], func(lane []Request) bool { return len(lane) > 0 })
}

// addHeads adds the newest pages of projects, and reports whether all of those in scope were read before.
func (a *agenda) addHeads() (read bool) {
	p := a.poller
	read = true
	var due [laneCount][]*project
	for _, pr := range p.order {
		if !pr.due(p.cycle, p.paused, pr.ID == p.scope, a.now) {
			continue
		}
		lane := a.laneOf(pr)
		if lane != laneRound {
			due[lane] = enqueue(due[lane], pr, a.room, byChange)
		}
		due[laneRound] = enqueue(due[laneRound], pr, 2*a.room, byAge)
		if !pr.feed.Loaded() {
			a.unread = true
			read = read && !p.inScope(pr)
		}
	}
	size := p.options.pageSize(len(p.order))
	for lane := range due {
		for _, pr := range due[lane] {
			a.lanes[lane] = append(a.lanes[lane], pr.headPage(size, p.longestPage(), a.now))
		}
	}
	return read
}

// laneOf returns the lane of a project's newest page, besides that of the round.
func (a *agenda) laneOf(pr *project) lane {
	scope := a.poller.scope
	switch {
	case pr.ID == scope, pr.wanted && scope != "":
		return laneUrgent
	case pr.Pinned && a.pins:
		return lanePinned
	case pr.chosen:
		return laneChosen
	case pr.hinted(), pr.feed.Unfinished() > 0, pr.Pinned:
		return laneChanged
	}
	return laneRound
}

// addQueued adds the queued requests that may start now, in the order in which they became due.
func (a *agenda) addQueued() {
	p := a.poller
	for _, r := range p.traffic.waiting {
		lane, pr := laneReread, p.projects[r.Project]
		switch {
		case r.Purpose == Gapped:
			lane = laneAsked
		case p.paused || pr.gone || pr.holds(r, a.now):
			continue
		case p.viewed[r.Project], pr.ID == p.scope:
			lane = laneUrgent
		case r.Purpose == Join:
			lane = laneJoin
		}
		if p.traffic.idle(r.target()) {
			a.lanes[lane] = append(a.lanes[lane], r)
		}
	}
}

// addAlone adds the requests for single operations: those that no page held, those that failed and, while polling is
// paused, those that are watched. Projects take turns.
func (a *agenda) addAlone() {
	p := a.poller
	late := a.pages()
	for _, pr := range p.order {
		alone := p.overdue(pr, a.now)
		switch {
		case p.viewed[pr.ID]:
			a.lanes[laneUrgent] = append(a.lanes[laneUrgent], alone...)
		case len(alone) > 0:
			late = append(late, alone)
		}
	}
	a.lanes[laneReread] = a.inTurn(late)
	for i := range p.order {
		pr := p.order[(p.nextFailed+i)%len(p.order)]
		if len(a.lanes[laneFailed]) < 2*a.room {
			a.lanes[laneFailed] = append(a.lanes[laneFailed], p.failed(pr, a.now)...)
		}
	}
	if p.paused {
		a.addWatched()
	}
}

// pages returns each queued page of unfinished operations on its own.
func (a *agenda) pages() (pages [][]Request) {
	for _, r := range a.lanes[laneReread] {
		pages = append(pages, []Request{r})
	}
	return pages
}

// inTurn merges queues: the first of each, in the order in which they became due, then the second of each, and so on.
func (a *agenda) inTurn(queues [][]Request) (merged []Request) {
	slices.SortFunc(queues, func(x, y []Request) int { return x[0].due - y[0].due })
	for turn := 0; len(queues) > 0 && len(merged) < 2*a.room; turn++ {
		queues = slices.DeleteFunc(queues, func(queue []Request) bool { return len(queue) <= turn })
		for _, queue := range queues {
			merged = append(merged, queue[turn])
		}
	}
	return merged
}

// addWatched adds the requests for the unfinished watched operations: while paused, no page returns them.
func (a *agenda) addWatched() {
	p := a.poller
	for _, k := range p.watched {
		pr := p.projects[k.Project]
		if pr == nil || pr.rereads.left(a.now) > 0 {
			continue
		}
		r := Request{Project: k.Project, ID: k.ID, Purpose: Reread}
		e := pr.feed.active[k.ID]
		if e != nil && e.asOf().Before(p.began) && p.traffic.idle(r.target()) {
			a.lanes[laneUrgent] = append(a.lanes[laneUrgent], r)
		}
	}
}

// byAge orders projects by the time of their last page. Of those that were never read, the chosen ones come first, then
// the last changed.
func byAge(a, b *project) int {
	asOf := a.feed.AsOf().Compare(b.feed.AsOf())
	return cmp.Or(asOf, before(a.chosen, b.chosen), a.cycle-b.cycle, b.ChangedAt.Compare(a.ChangedAt))
}

// byChange orders hinted projects first, then by age.
func byChange(a, b *project) int {
	return cmp.Or(before(a.hinted(), b.hinted()), cmp.Compare(a.cycle, b.cycle), byAge(a, b))
}

// before orders what holds before what does not.
func before(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return +1
}

// enqueue inserts a project into the queue of the first n.
func enqueue(queue []*project, pr *project, n int, compare func(a, b *project) int) []*project {
	if len(queue) == n && compare(pr, queue[n-1]) >= 0 {
		return queue
	}
	at, _ := slices.BinarySearchFunc(queue, pr, func(a, b *project) int {
		return cmp.Or(compare(a, b), -1)
	})
	queue = slices.Insert(queue, at, pr)
	return queue[:min(n, len(queue))]
}

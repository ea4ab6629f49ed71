package feed

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models"
)

const (
	// firstLook is how many operations the first pages of all projects bring at most, so
	// that thousands of projects do not fill the memory with their history.
	firstLook = 100_000
	// leastPage is the smallest page that is asked for on account of firstLook.
	leastPage = 10
	// headSize is how many operations are asked for to see what is new: what a head page
	// does not reach, the cursor does.
	headSize = 25
)

// Next returns the requests to start now, and how long to wait before it is to be called
// again; after each answer it is to be called at once. Nothing is asked for while the
// service wants to be left alone or does not answer.
func (p *Poller) Next(now time.Time) (start []Request, wait time.Duration) {
	p.begin(now)
	if held := max(p.limited.left(now), p.silence.hold.left(now)); held > 0 {
		return nil, held
	}
	used := p.used(now)
	lanes := p.lanes(p.options.Budget-used, now)
	for {
		lane := p.choose(lanes, used)
		if lane == nil {
			break
		}
		start = append(start, p.send((*lane)[0], now))
		*lane = (*lane)[1:]
		if used++; p.silence.times > 0 {
			break // one finds out
		}
	}
	waits := used >= p.options.Budget || slices.ContainsFunc(lanes[:], func(lane []Request) bool { return len(lane) > 0 })
	return start, p.wait(now, waits)
}

// begin begins a new cycle where the interval is over, or the clock was set back.
func (p *Poller) begin(now time.Time) {
	p.starts = slices.DeleteFunc(p.starts, func(t time.Time) bool { return t.After(now) || now.Sub(t) >= time.Second })
	if since := now.Sub(p.began); since >= p.options.Interval || since < 0 {
		p.cycle++
		p.began = now
	}
}

// used is how much of the budget is taken: by the requests that started within the last
// second, or by those under way. One that has been under way for longer than an interval
// is left out, so that projects which do not answer keep no others waiting.
func (p *Poller) used(now time.Time) int {
	busy := 0
	for _, r := range p.flights {
		if now.Sub(r.AsOf) < p.options.Interval {
			busy++
		}
	}
	return max(len(p.starts), busy)
}

// MaxPinned is how many projects may be pinned: those that half of the budget can ask in
// every cycle, so that the other half goes round among the rest. Of more than that, none is
// asked before all others.
func (o Options) MaxPinned() int { return max(1, int(o.Interval.Seconds())*o.Budget/2) }

// The lanes, in which what is to be asked for waits. The first goes before all others;
// the others take turns, so that none starves.
const (
	laneUrgent     = iota // what the user wants or looks at, pinned projects, and what joins pages
	laneBusy              // projects in scope with unfinished operations
	laneReread            // unfinished operations that head pages do not reach
	laneHistory           // what the user asked for of history
	laneQuiet             // the other projects in scope
	laneBackground        // projects that are not in scope, and what is to be kept of history
	laneCount
)

// share is the part of the budget, in percent, that a lane may fill, so that what is more
// urgent, and what other parts of the program ask for, finds room at any time.
func share(lane int) int {
	return [laneCount]int{laneUrgent: 100, laneBusy: 80, laneReread: 80, laneHistory: 100, laneQuiet: 80, laneBackground: 50}[lane]
}

// lanes fills the lanes, each with no more than there is room for.
func (p *Poller) lanes(room int, now time.Time) *[laneCount][]Request {
	var lanes [laneCount][]Request
	if room <= 0 {
		return &lanes // what waits is looked for when there is room
	}
	var due [laneCount][]*project
	unread := false // a project in scope waits that was never read
	for _, pr := range p.order {
		if p.due(pr, now) {
			lane := p.laneOf(pr)
			due[lane] = enqueue(due[lane], pr, room)
			unread = unread || p.inScope(pr) && !pr.feed.Loaded()
		}
	}
	lanes[laneHistory] = p.history.next(p, room, unread)
	if !unread && !p.paused {
		lanes[laneBackground] = p.backfill(room, now)
	}
	for lane := range due {
		for _, pr := range due[lane] {
			lanes[lane] = append(lanes[lane], p.head(pr))
		}
	}
	if p.paused {
		lanes[laneUrgent] = append(lanes[laneUrgent], p.watchedAlone()...)
		return &lanes
	}
	readable := func(r Request) bool {
		pr := p.projects[r.Project]
		return !pr.gone && pr.hold.left(now) == 0 && r.hold.left(now) == 0
	}
	looked := func(r Request) bool { return p.looked[r.Project] }
	lanes[laneUrgent] = append(lanes[laneUrgent], filter(p.joins, room, readable)...)
	lanes[laneUrgent] = append(lanes[laneUrgent], filter(p.rereads, room, func(r Request) bool { return looked(r) && readable(r) })...)
	lanes[laneReread] = filter(p.rereads, room, func(r Request) bool { return !looked(r) && readable(r) })
	return &lanes
}

// laneOf returns the lane of a project's head page.
func (p *Poller) laneOf(pr *project) int {
	switch {
	case pr.Pinned && p.pinned <= p.options.MaxPinned(), pr.wanted && pr.ID == p.scope:
		return laneUrgent
	case !p.inScope(pr):
		return laneBackground
	case pr.feed.Unfinished() > 0, pr.Pinned:
		return laneBusy
	}
	return laneQuiet
}

// watchedAlone returns the requests for the unfinished operations that are watched, one by
// one: while polling is paused, no page tells of them.
func (p *Poller) watchedAlone() []Request {
	var out []Request
	for _, k := range p.watched {
		r := Request{Project: k.Project, ID: k.ID, Purpose: Reread}
		if _, flying := p.flights[r.flight()]; flying || p.projects[k.Project] == nil {
			continue
		}
		if e := p.projects[k.Project].feed.active[k.ID]; e != nil && e.asOf().Before(p.began) {
			out = append(out, r)
		}
	}
	return out
}

// filter returns the first n requests that pass.
func filter(requests []Request, n int, pass func(Request) bool) []Request {
	var out []Request
	for _, r := range requests {
		if len(out) == n {
			break
		}
		if pass(r) {
			out = append(out, r)
		}
	}
	return out
}

// due reports whether a project's head page is to be asked for. While polling is paused,
// only what the user wants to see is.
func (p *Poller) due(pr *project, now time.Time) bool {
	switch {
	case pr.gone && pr.ID != p.scope && !pr.wanted, pr.absent && pr.feed.Unfinished() == 0, pr.cycle >= p.cycle, pr.hold.left(now) > 0:
		return false
	case p.paused && !pr.wanted:
		return false
	}
	return !pr.flying
}

// hinted reports whether a project changed, by the project list, since it was read.
func (pr *project) hinted() bool { return pr.feed.Loaded() && !pr.ChangedAt.Equal(pr.seen) }

// enqueue puts a project among the n that are asked first: those that changed by the
// project list, then those that were asked longest ago. Of those that were never read, the
// ones that changed last come first.
func enqueue(queue []*project, pr *project, n int) []*project {
	first := func(a, b *project) int {
		return cmp.Or(
			bools(b.hinted(), a.hinted()),
			cmp.Compare(a.cycle, b.cycle), a.feed.AsOf().Compare(b.feed.AsOf()), b.ChangedAt.Compare(a.ChangedAt),
		)
	}
	if len(queue) == n && first(pr, queue[n-1]) >= 0 {
		return queue
	}
	at, _ := slices.BinarySearchFunc(queue, pr, func(a, b *project) int { return cmp.Or(first(a, b), -1) })
	queue = slices.Insert(queue, at, pr)
	return queue[:min(n, len(queue))]
}

// head is the request for a project's newest page.
func (p *Poller) head(pr *project) Request {
	return Request{
		Project: pr.ID, PageRequest: models.PageRequest{Limit: p.headLimit(pr.feed)}, changed: pr.ChangedAt,
	}
}

func bools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return +1
	}
	return -1
}

// choose returns the lane whose turn it is, or nil where there is nothing to ask for, or
// where what waits has had its share of the budget.
func (p *Poller) choose(lanes *[laneCount][]Request, used int) *[]Request {
	may := func(lane int) bool {
		return len(lanes[lane]) > 0 && used < max(1, p.options.Budget*share(lane)/100)
	}
	if may(laneUrgent) {
		return &lanes[laneUrgent]
	}
	for range laneCount - 1 {
		p.lane = p.lane%(laneCount-1) + 1
		if may(p.lane) {
			return &lanes[p.lane]
		}
	}
	return nil
}

// send notes that a request starts.
func (p *Poller) send(r Request, now time.Time) Request {
	r.AsOf = now
	same := func(other Request) bool { return other.flight() == r.flight() }
	switch r.Purpose {
	case Head:
		pr := p.projects[r.Project]
		pr.cycle, pr.wanted, pr.flying = p.cycle, false, true
	case Join:
		p.joins = slices.DeleteFunc(p.joins, same)
	case Reread:
		p.rereads = slices.DeleteFunc(p.rereads, same)
	case History:
		p.history.sent(r)
	case Backfill:
	}
	p.flights[r.flight()] = r
	p.starts = append(p.starts, now)
	return r
}

// wait is how long it takes until there may be something to start that no answer brings:
// a new cycle, the end of a wait, or room for what waits.
func (p *Poller) wait(now time.Time, waits bool) time.Duration {
	wait := p.began.Add(p.options.Interval).Sub(now)
	if waits && len(p.starts) > 0 {
		wait = min(wait, p.starts[0].Add(time.Second).Sub(now))
	}
	for _, pr := range p.failing {
		if left := pr.hold.left(now); left > 0 {
			wait = min(wait, left)
		}
	}
	return max(wait, time.Millisecond)
}

// pageSize is how many operations are asked for at once.
func (p *Poller) pageSize() int {
	size := p.options.PageSize
	return max(min(leastPage, size), min(size, firstLook/max(1, len(p.order))))
}

// headLimit is how many operations a head page is asked for: down to those that are not
// done, with room for what began since.
func (p *Poller) headLimit(f *Feed) int {
	size := p.pageSize()
	if !f.Loaded() {
		return size
	}
	return min(size, max(headSize, f.Reach(size)+headSize))
}

// rereading reports whether requests about a project's unfinished operations wait or are
// under way.
func (p *Poller) rereading(pr *project) bool {
	of := func(r Request) bool { return r.Project == pr.ID && r.Purpose == Reread }
	for _, r := range p.flights {
		if of(r) {
			return true
		}
	}
	return slices.ContainsFunc(p.rereads, of)
}

// reread asks how the unfinished operations went on of which the head page said nothing:
// by the pages below it, as far down as that takes fewer requests than one for each of
// them, then one by one, newest first.
func (p *Poller) reread(pr *project, head models.OperationPage) {
	late := pr.feed.overdueIDs()
	pages, covered := 0, 0
	if size := p.pageSize(); !head.Last() {
		top, _ := pr.feed.Find(head.Operations[len(head.Operations)-1].ID)
		best, end := len(late), pr.feed.contiguous(top)
		for i, id := range late {
			row, _ := pr.feed.Find(id)
			if row > end {
				break // how many operations are between is not known
			}
			n := (row - top + size - 1) / size
			if cost := n + len(late) - i - 1; n > 0 && cost < best {
				best, pages, covered = cost, n, i+1
			}
		}
	}
	if pages > 0 {
		p.rereads = append(p.rereads, Request{
			Project: pr.ID, Purpose: Reread, pages: pages - 1,
			PageRequest: models.PageRequest{Cursor: head.Next, Limit: p.pageSize()},
		})
	}
	p.rereadEach(pr, late[covered:])
}

// rereadEach asks for operations one by one.
func (p *Poller) rereadEach(pr *project, ids []string) {
	for _, id := range ids {
		p.rereads = append(p.rereads, Request{Project: pr.ID, ID: id, Purpose: Reread})
	}
}

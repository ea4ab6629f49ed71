package feed

import (
	"context"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// The kinds of subjects, see [poll.Subject]. Of a project, each is asked for once at a time.
const (
	newestPage = "page"       // its newest page
	gapPage    = "gap"        // a page that joins others, or one with unfinished operations
	openedGap  = "opened"     // a page of a gap that the user opened
	unfinished = "operation"  // the unfinished operation that no page contained, and that was unread longest
	failed     = "failure"    // the failed operation that was to be read again first
	lookedFor  = "looked for" // one operation, see [Poller.Look]
	olderPage  = "older"      // a page of the range
)

// Newest returns the subject of a project's newest page.
func Newest(project string) poll.Subject { return poll.Subject{Kind: newestPage, Of: project} }

func older(project string) poll.Subject { return poll.Subject{Kind: olderPage, Of: project} }

// put hands over what there is to read of a project.
func (p *Poller) put(pr *project) {
	p.poll.Put(p, pr.ID, p.sources(pr, p.poll.Now())...)
}

// putAll hands over what there is to read, after something has changed for all projects. Of those that were never read, the
// last changed ones come first.
func (p *Poller) putAll() {
	var unread []*project
	for _, pr := range p.order {
		if pr.feed.Loaded() {
			p.put(pr)
		} else {
			unread = append(unread, pr)
		}
	}
	p.putUnread(unread)
	p.putRange()
}

// putUnread hands over what there is to read of some projects, the last changed ones first.
func (p *Poller) putUnread(list []*project) {
	slices.SortStableFunc(list, lastChanged)
	for _, pr := range list {
		p.put(pr)
	}
}

// sources returns what there is to read of a project.
func (p *Poller) sources(pr *project, now time.Time) (list []poll.Source) {
	if p.wanted(pr) {
		list = append(list, p.newestSource(pr))
	}
	if pr.waits(Gapped) {
		list = append(list, poll.Source{Subject: poll.Subject{Kind: openedGap, Of: pr.ID}, Lane: poll.User, Rank: poll.Rest})
	}
	below := slices.Concat(p.below(pr, now), p.looked(pr), p.olderSources(pr))
	held := p.poll.Freshness(Newest(pr.ID)).Next
	for i := range below {
		if below[i].From.Before(held) && held.After(now) {
			below[i].From = held
		}
	}
	return append(list, below...)
}

// wanted reports whether the newest page of a project is read. While paused, only if the user wants to see it; of deleted
// projects, only the one in scope, or to see unfinished operations end.
func (p *Poller) wanted(pr *project) bool {
	switch {
	case p.paused && !pr.wanted, pr.gone && pr.ID != p.scope && !pr.wanted:
		return false
	}
	return !pr.absent || pr.feed.Unfinished() > 0
}

// newestSource returns the source of a project's newest page.
func (p *Poller) newestSource(pr *project) poll.Source {
	s := poll.Source{Subject: Newest(pr.ID), Lane: poll.Round, Rank: poll.Rest, From: p.due(pr)}
	switch {
	case pr.ID == p.scope, pr.wanted && p.scope != "":
		s.Lane, s.Rank = poll.User, poll.First
	case pr.Pinned && p.pinned <= p.maxPinned():
		s.Rank = poll.First
	case pr.chosen:
		s.Rank = poll.Preferred
	case pr.hinted(), pr.Pinned, pr.lively && pr.feed.Unfinished() > 0:
		s.Lane, s.Rank, s.Round = poll.FollowUp, poll.Preferred, true
	case pr.feed.Unfinished() > 0:
		s.Lane, s.Round = poll.FollowUp, true
	}
	return s
}

// due returns when the newest page of a project is due: in the cycle after the last one, or zero for now.
func (p *Poller) due(pr *project) time.Time {
	tried := p.poll.Freshness(Newest(pr.ID)).Tried
	if pr.anew || tried.IsZero() {
		return time.Time{}
	}
	return tried.Add(p.options.Interval - pr.late)
}

// maxPinned returns how many pinned projects the budget in force covers.
func (p *Poller) maxPinned() int {
	o := p.options
	o.Budget = p.poll.Health(p.began).Budget
	return o.MaxPinned()
}

// below returns the sources of what is below the newest page of a project.
func (p *Poller) below(pr *project, now time.Time) (list []poll.Source) {
	lane, first := p.laneBelow(pr)
	add := func(kind string, rank poll.Rank, from time.Time) {
		list = append(list, poll.Source{Subject: poll.Subject{Kind: kind, Of: pr.ID}, Lane: lane, Rank: rank, From: from})
	}
	if p.paused {
		if p.watches(pr.ID) {
			lane = poll.User
			add(unfinished, poll.First, time.Time{})
		}
		return list
	}
	if pr.gone {
		return nil
	}
	if slices.ContainsFunc(pr.waiting, isBelow) {
		add(gapPage, min(first, poll.First), p.found(pr))
	}
	if pr.feed.late() {
		add(unfinished, first, time.Time{})
	}
	if e, at := pr.feed.nextRetry(now); e != nil {
		lane = poll.FollowUp
		add(failed, poll.Last, p.aligned(at))
	}
	return list
}

// aligned returns when to ask for what is due at a time: with the polls of the cycle that follows, if that is soon. Each batch of
// answers repaints the screen.
func (p *Poller) aligned(at time.Time) time.Time {
	const soon = 5 * time.Second
	next := p.began.Add(p.options.Interval)
	if wait := next.Sub(at); wait > 0 && wait < soon {
		return next
	}
	return at
}

// looked returns the sources of the operations that are looked for.
func (p *Poller) looked(pr *project) (list []poll.Source) {
	if pr.gone {
		return nil
	}
	lane, rank := p.laneBelow(pr)
	for _, r := range pr.waiting {
		if r.ID != "" {
			list = append(list, poll.Source{Subject: poll.Subject{Kind: lookedFor, Of: pr.ID, ID: r.ID}, Lane: lane, Rank: rank})
		}
	}
	return list
}

// laneBelow returns the lane of what is below the newest page of a project, and the rank of its operations.
func (p *Poller) laneBelow(pr *project) (poll.Lane, poll.Rank) {
	if p.viewed[pr.ID] || pr.ID == p.scope {
		return poll.User, poll.First
	}
	return poll.FollowUp, poll.Rest
}

// found returns since when what the next page of a project joins is missing.
func (p *Poller) found(pr *project) time.Time {
	requests := pr.waiting
	if r, ok := pr.flights[poll.Subject{Kind: gapPage, Of: pr.ID}]; ok {
		requests = append(slices.Clip(requests), r)
	}
	for _, r := range requests {
		if e, ok := pr.feed.origin(r.Cursor); r.Purpose == Join && ok && e != nil {
			return e.found
		}
	}
	return time.Time{}
}

// watches reports whether an unfinished operation of a project is watched.
func (p *Poller) watches(project string) bool {
	return slices.ContainsFunc(p.watched, func(k Key) bool {
		pr := p.projects[k.Project]
		return k.Project == project && pr != nil && pr.feed.active[k.ID] != nil
	})
}

// Call is of [poll.Reader].
func (p *Poller) Call(s poll.Subject, now time.Time) (poll.Call, time.Time) {
	p.beginCycle(now)
	next, again := p.request(s, now)
	if next == nil {
		return nil, again
	}
	next.AsOf = now
	p.send(s, *next)
	service, options := p.service, p.options
	return func(ctx context.Context) (any, error) {
		a := next.ask(ctx, service)
		return a, a.failure(options)
	}, time.Time{}
}

// failure returns the error of an answer, unless it is an answer as well: that an operation is gone, or a page too long.
func (a Answer) failure(o Options) error {
	gone := a.ID != "" && models.KindOf(a.Err) == models.KindNotFound
	if gone || a.tooLong(o) {
		return nil
	}
	return a.Err
}

// tooLong reports whether the service has shorter pages than the one that was asked for.
func (a Answer) tooLong(o Options) bool {
	return a.ID == "" && a.Limit > o.PageSize && models.KindOf(a.Err) == models.KindInvalid
}

// send notes that a request is made.
func (p *Poller) send(s poll.Subject, r request) {
	pr := p.projects[r.Project]
	pr.flights[s] = r
	pr.waiting = slices.DeleteFunc(pr.waiting, func(o request) bool { return o.Purpose == r.Purpose && o.target() == r.target() })
	pr.feed.asked(r.ID, r.AsOf)
	switch r.Purpose {
	case Head:
		pr.late, pr.anew, pr.wanted = r.AsOf.Sub(p.began), false, false
	case Older:
		p.count(pr)
	default:
	}
}

// beginCycle begins a cycle if the last one is over, or if the clock was set back.
func (p *Poller) beginCycle(now time.Time) {
	if since := now.Sub(p.began); since >= p.options.Interval || since < 0 {
		p.began = now
	}
}

// request returns the request of a subject, or nil if it is not needed, or not before a time.
func (p *Poller) request(s poll.Subject, now time.Time) (*request, time.Time) {
	pr := p.projects[s.Of]
	switch s.Kind {
	case olderPage:
		return p.olderRequest(pr), time.Time{}
	case newestPage:
		return pr.unlessSent(pr.headPage(p.options.pageSize(len(p.order)), p.longestPage(), now))
	case openedGap:
		return pr.firstWaiting(is(Gapped)), time.Time{}
	case gapPage:
		return pr.firstWaiting(isBelow), time.Time{}
	case lookedFor:
		return pr.unlessSent(request{Project: pr.ID, ID: s.ID, Purpose: Reread})
	case unfinished:
		return p.unfinishedRequest(pr, now)
	}
	return pr.retry(now), time.Time{}
}

// comes reports whether the newest page of a project is on its way, which may contain what is missing. What is asked for at
// the same time is answered at the same time.
func (pr *project) comes(now time.Time) bool {
	r, flies := pr.flights[Newest(pr.ID)]
	return flies && r.AsOf.Before(now)
}

// unlessSent returns a request unless the same one is in flight: its answer tells what follows.
func (pr *project) unlessSent(r request) (*request, time.Time) {
	if pr.asks(r.target()) {
		return nil, time.Time{}
	}
	return &r, time.Time{}
}

// isBelow matches a page below the newest one that joins others, or that has unfinished operations.
func isBelow(r request) bool { return r.ID == "" && r.Purpose != Gapped }

// firstWaiting returns the first of the waiting requests of a project that match.
func (pr *project) firstWaiting(match func(request) bool) *request {
	for _, r := range pr.waiting {
		if match(r) && !pr.asks(r.target()) {
			return &r
		}
	}
	return nil
}

// unfinishedRequest returns the request for the unfinished operation that no page contained and that was unread longest. It
// waits for the pages that may contain it, but for those that join others no longer than a current project may be old.
func (p *Poller) unfinishedRequest(pr *project, now time.Time) (*request, time.Time) {
	if p.paused {
		return p.watchedRequest(pr)
	}
	page := func(r request) bool { return r.Purpose == Reread && r.ID == "" }
	if pr.comes(now) || slices.ContainsFunc(pr.waiting, page) || pr.inFlight(page) {
		return nil, time.Time{}
	}
	gapFails := p.poll.Freshness(poll.Subject{Kind: gapPage, Of: pr.ID}).Next.After(now)
	joins := pr.waits(Join) || pr.inFlight(is(Join))
	if old := p.found(pr).Add(p.options.Bound()); joins && !gapFails && old.After(now) {
		return nil, old
	}
	return pr.alone(pr.feed.isLate), time.Time{}
}

// retry returns the request for the failed operation that is to be read again, unless a page that may contain it comes.
func (pr *project) retry(now time.Time) *request {
	e, at := pr.feed.nextRetry(now)
	if e == nil || at.After(now) || pr.comes(now) || pr.asks(target{Project: pr.ID, ID: e.op().ID}) {
		return nil
	}
	return &request{Project: pr.ID, ID: e.op().ID, Purpose: Reread}
}

// watchedRequest returns the request for a watched operation of a project, once in a cycle: while paused, no page returns it.
func (p *Poller) watchedRequest(pr *project) (*request, time.Time) {
	due := func(e *entry) bool {
		return slices.Contains(p.watched, Key{pr.ID, e.op().ID}) && e.lastAsked().Before(p.began)
	}
	if r := pr.alone(due); r != nil {
		return r, time.Time{}
	}
	return nil, p.began.Add(p.options.Interval)
}

// alone returns the request for the unfinished operation that is due and was read or asked for longest ago, or nil.
func (pr *project) alone(due func(*entry) bool) *request {
	var first *entry
	for id, e := range pr.feed.active {
		if due(e) && !pr.asks(target{Project: pr.ID, ID: id}) && (first == nil || longestUnread(e, first) < 0) {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return &request{Project: pr.ID, ID: first.op().ID, Purpose: Reread}
}

// unread reports whether a project in scope that was never read is due.
func (p *Poller) unread() bool {
	if p.scope != "" {
		return !p.projects[p.scope].feed.Loaded() && p.poll.Due(Newest(p.scope))
	}
	return p.poll.FirstRound()
}

// inFlight reports whether a request of a project that matches is in flight.
func (pr *project) inFlight(match func(request) bool) bool {
	for _, r := range pr.flights {
		if match(r) {
			return true
		}
	}
	return false
}

// asks reports whether a page or an operation is asked for by a request in flight.
func (pr *project) asks(o target) bool {
	return pr.inFlight(func(r request) bool { return r.target() == o })
}

// waits reports whether a request of a project waits for its turn.
func (pr *project) waits(purpose Purpose) bool { return slices.ContainsFunc(pr.waiting, is(purpose)) }

// has reports whether a request of a project with a purpose waits or is in flight.
func (pr *project) has(purpose Purpose) bool { return pr.waits(purpose) || pr.inFlight(is(purpose)) }

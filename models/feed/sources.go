package feed

import (
	"slices"
	"time"

	"pgtower/models/poll"
)

// sources returns what there is to read of a project.
func (pr *project) sources(now time.Time) (list []poll.Source) {
	if pr.isRead() {
		list = append(list, pr.newestSource())
	}
	if pr.waits(Gapped) {
		list = append(list, poll.Source{Subject: poll.Subject{Kind: openedGap, Of: pr.ID}, Lane: poll.User, Rank: poll.Rest})
	}
	below := slices.Concat(pr.below(now), pr.looked(), pr.olderSources())
	next := pr.poll.Freshness(Newest(pr.ID)).Next
	for i := range below {
		if below[i].From.Before(next) && next.After(now) {
			below[i].From = next
		}
	}
	return append(list, below...)
}

// isRead reports whether the newest page of a project is read. While paused, only if the user wants to see it; of deleted
// projects, only the one in scope, or to see unfinished operations end.
func (pr *project) isRead() bool {
	switch {
	case pr.paused && !pr.wanted, pr.gone && pr.ID != pr.scope && !pr.wanted:
		return false
	}
	return !pr.absent || pr.feed.Unfinished() > 0
}

// newestSource returns the source of a project's newest page.
func (pr *project) newestSource() poll.Source {
	s := poll.Source{Subject: Newest(pr.ID), Lane: poll.Round, Rank: poll.Rest, From: pr.due()}
	switch {
	case pr.ID == pr.scope, pr.wanted && pr.scope != "":
		s.Lane, s.Rank = poll.User, poll.First
	case pr.Pinned && pr.pinned <= pr.maxPinned():
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
func (pr *project) due() time.Time {
	tried := pr.poll.Freshness(Newest(pr.ID)).Tried
	if pr.anew || tried.IsZero() {
		return time.Time{}
	}
	return tried.Add(pr.options.Interval - pr.late)
}

// below returns the sources of what is below the newest page of a project.
func (pr *project) below(now time.Time) (list []poll.Source) {
	lane, first := pr.laneBelow()
	add := func(kind string, rank poll.Rank, from time.Time) {
		list = append(list, poll.Source{Subject: poll.Subject{Kind: kind, Of: pr.ID}, Lane: lane, Rank: rank, From: from})
	}
	if pr.paused {
		if pr.isWatched() {
			lane = poll.User
			add(unfinished, poll.First, time.Time{})
		}
		return list
	}
	if pr.gone {
		return nil
	}
	if slices.ContainsFunc(pr.waiting, isBelow) {
		add(gapPage, min(first, poll.First), pr.found())
	}
	if pr.feed.late() {
		add(unfinished, first, time.Time{})
	}
	if e, due := pr.feed.nextRetry(now); e != nil {
		lane = poll.FollowUp
		add(failed, poll.Last, pr.aligned(due))
	}
	return list
}

// looked returns the sources of the operations that are looked for.
func (pr *project) looked() (list []poll.Source) {
	if pr.gone {
		return nil
	}
	lane, rank := pr.laneBelow()
	for _, r := range pr.waiting {
		if r.ID != "" {
			list = append(list, poll.Source{Subject: poll.Subject{Kind: lookedFor, Of: pr.ID, ID: r.ID}, Lane: lane, Rank: rank})
		}
	}
	return list
}

// laneBelow returns the lane of what is below the newest page of a project, and the rank of its operations.
func (pr *project) laneBelow() (poll.Lane, poll.Rank) {
	if pr.viewed[pr.ID] || pr.ID == pr.scope {
		return poll.User, poll.First
	}
	return poll.FollowUp, poll.Rest
}

// found returns since when the operations are missing that the next page of a project joins, or zero.
func (pr *project) found() time.Time {
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

// isWatched reports whether an unfinished operation of the project is watched.
func (pr *project) isWatched() bool {
	return slices.ContainsFunc(pr.watched, func(k Key) bool { return k.Project == pr.ID && pr.feed.active[k.ID] != nil })
}

// isBelow matches a page below the newest one that joins others, or that has unfinished operations.
func isBelow(r request) bool { return r.ID == "" && r.Purpose != Gapped }

// rereadsPage matches a page with unfinished operations.
func rereadsPage(r request) bool { return r.ID == "" && r.Purpose == Reread }

// request returns the request of a subject, or nil if it is not needed, or not before a time.
func (pr *project) request(s poll.Subject, now time.Time) (*request, time.Time) {
	switch s.Kind {
	case newestPage:
		return pr.unlessSent(pr.headPage(pr.pageSize(), pr.longestPage(), now))
	case openedGap:
		return pr.firstWaiting(is(Gapped)), time.Time{}
	case gapPage:
		return pr.firstWaiting(isBelow), time.Time{}
	case lookedFor:
		return pr.unlessSent(request{Project: pr.ID, ID: s.ID, Purpose: Reread})
	case unfinished:
		return pr.unfinishedRequest(now)
	}
	return pr.retry(now), time.Time{}
}

// send notes that a request is made.
func (pr *project) send(s poll.Subject, r request) {
	pr.requests.send(s, r)
	pr.feed.asked(r.ID, r.AsOf)
	if r.Purpose == Head {
		pr.late, pr.anew, pr.wanted = r.AsOf.Sub(pr.began), false, false
	}
}

// unfinishedRequest returns the request for the unfinished operation that no page contained and that was unread longest. It
// waits for the pages that may contain it. For pages that join others, it waits no longer than a current project may be old.
func (pr *project) unfinishedRequest(now time.Time) (*request, time.Time) {
	if pr.paused {
		return pr.watchedRequest()
	}
	if pr.comes(now) || slices.ContainsFunc(pr.waiting, rereadsPage) || pr.inFlight(rereadsPage) {
		return nil, time.Time{}
	}
	gapFails := pr.poll.Freshness(poll.Subject{Kind: gapPage, Of: pr.ID}).Next.After(now)
	joins := pr.waits(Join) || pr.inFlight(is(Join))
	if old := pr.found().Add(pr.options.Bound()); joins && !gapFails && old.After(now) {
		return nil, old
	}
	return pr.alone(pr.feed.isLate), time.Time{}
}

// watchedRequest returns the request for a watched operation of a project, once in a cycle: while paused, no page returns it.
func (pr *project) watchedRequest() (*request, time.Time) {
	if r := pr.alone(pr.isDue); r != nil {
		return r, time.Time{}
	}
	return nil, pr.began.Add(pr.options.Interval)
}

// isDue reports whether an operation is watched, and was not asked for in this cycle.
func (pr *project) isDue(e *entry) bool {
	return slices.Contains(pr.watched, Key{pr.ID, e.op().ID}) && e.lastAsked().Before(pr.began)
}

// retry returns the request for the failed operation that is to be read again, unless a page that may contain it comes.
func (pr *project) retry(now time.Time) *request {
	e, due := pr.feed.nextRetry(now)
	if e == nil || due.After(now) || pr.comes(now) || pr.asks(target{Project: pr.ID, ID: e.op().ID}) {
		return nil
	}
	return &request{Project: pr.ID, ID: e.op().ID, Purpose: Reread}
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

// comes reports whether the newest page of a project is on its way: it may contain what is missing. One that is asked for at
// the same time does not count: its answer comes at the same time.
func (pr *project) comes(now time.Time) bool {
	r, flies := pr.flights[Newest(pr.ID)]
	return flies && r.AsOf.Before(now)
}

package feed

import (
	"math"
	"slices"
	"time"

	"pgtower/models"
)

// historyAtOnce is how many pages of history are under way together.
const historyAtOnce = 4

// Goal is how far back the operations in scope are to be loaded: until there are Count of
// them, or until nothing is missing since a time. The zero Goal asks for nothing.
type Goal struct {
	Count int
	Since time.Time
}

// reached reports whether there is nothing to load for the goal any more.
func (g Goal) reached(t *Timeline) bool {
	switch {
	case g == (Goal{}):
		return true
	case g.Count > 0:
		return t.Loaded() >= g.Count || t.Ended()
	}
	c := t.Coverage()
	return c.Unread == 0 && !c.Since.After(g.Since)
}

// history is what is to be loaded of earlier times.
type history struct {
	goal   Goal
	pages  int       // pages to ask for besides the goal
	opened []Request // pages of gaps that the user opened
	// failed are the projects of which a page could not be loaded, and why: nothing more is
	// asked of them before the user asks again.
	failed map[string]error
}

// LoadOlder asks for the next pages of history.
func (p *Poller) LoadOlder() { p.history.pages, p.history.failed = historyAtOnce, nil }

// mostAtOnce is how many operations the service gives at most for one request.
const mostAtOnce = 1000

// LoadGap asks for the next page of a gap.
func (p *Poller) LoadGap(g ProjectGap) {
	limit := p.pageSize()
	if row, ok := p.Feed(g.Project).Find(g.Below); ok && g.Cursor == "" {
		limit = min(limit+row+1, mostAtOnce) // the newest page is to reach below the row
	}
	p.history.failed = nil
	p.history.opened = append(p.history.opened, Request{
		Project: g.Project, Purpose: History, PageRequest: models.PageRequest{Cursor: g.Cursor, Limit: limit},
	})
}

// RetryBroken asks for older pages, and again for those after which the service's paging
// broke.
func (p *Poller) RetryBroken() {
	p.LoadOlder()
	for m := range p.timeline.gapped {
		for _, e := range m.Feed.edges {
			if e.broken {
				p.LoadGap(ProjectGap{Gap: e.gap(), Project: m.Project})
			}
		}
	}
}

// LoadUntil asks for pages of history until the goal is reached, and reports whether any
// are needed. The zero Goal stops: pages under way are still taken in.
func (p *Poller) LoadUntil(g Goal) bool {
	if g.reached(p.timeline) {
		g = Goal{}
	}
	if g == (Goal{}) {
		p.history = history{}
		return false
	}
	p.history.goal, p.history.pages, p.history.failed = g, 0, nil
	return true
}

// Goal is what history is being loaded for, zero where nothing is: it was reached, was
// stopped, or failed.
func (p *Poller) Goal() Goal { return p.history.goal }

// LoadingHistory reports whether pages of history are wanted or under way.
func (p *Poller) LoadingHistory() bool {
	h := &p.history
	return h.pages > 0 || len(h.opened) > 0 || h.goal != (Goal{}) || p.flying(History) > 0
}

// flying returns how many requests of a purpose are under way.
func (p *Poller) flying(purpose Purpose) (n int) {
	for _, r := range p.flights {
		if r.Purpose == purpose {
			n++
		}
	}
	return n
}

// HistoryErr returns a project of which the last page of history could not be loaded, and
// why, or nil, and of how many that is so. The others go on.
func (p *Poller) HistoryErr() (project string, n int, err error) {
	for id, failed := range p.history.failed {
		if err == nil || id < project {
			project, err = id, failed
		}
	}
	return project, len(p.history.failed), err
}

// next returns up to n pages to ask for now. While projects wait that were never read,
// how far back everything is there cannot be known: a time is gone back to after them.
func (h *history) next(p *Poller, n int, unread bool) []Request {
	n = min(n, historyAtOnce-p.flying(History))
	if n <= 0 {
		return nil
	}
	out := filter(h.opened, n, p.grounded)
	want := h.pages
	if h.goal.Count > 0 || !h.goal.Since.IsZero() && !unread {
		want = n
	}
	for _, o := range p.timeline.missing(want, h.goal.Since, h.failed) {
		if r := p.older(o, History); p.grounded(r) {
			out = append(out, r)
		}
	}
	return out[:min(n, len(out))]
}

// grounded reports whether a request is not under way.
func (p *Poller) grounded(r Request) bool {
	_, flying := p.flights[r.flight()]
	return !flying
}

// older is the request for a page of history.
func (p *Poller) older(o page, purpose Purpose) Request {
	return Request{
		Project: o.Project, Purpose: purpose,
		PageRequest: models.PageRequest{Cursor: o.Cursor, Limit: p.pageSize()},
	}
}

// Keep has everything in scope loaded that began after a time, by the service's clock: once
// all projects in scope were read, while the user wants nothing of history, and not while
// polling is paused. It is no part of [Poller.LoadingHistory]. A project whose page fails is
// asked for it again after half a minute, or when the service says.
func (p *Poller) Keep(since time.Time) { p.keep = since }

// Backfilling reports whether what is to be kept is being loaded.
func (p *Poller) Backfilling(now time.Time) bool {
	return p.flying(Backfill) > 0 || !p.paused && len(p.backfill(1, now)) > 0
}

// backfill returns up to n pages to ask for now of what is to be kept.
func (p *Poller) backfill(n int, now time.Time) []Request {
	n = min(n, historyAtOnce-p.flying(Backfill))
	h := &p.history
	if n <= 0 || p.keep.IsZero() || h.goal != (Goal{}) || h.pages > 0 || len(h.opened) > 0 {
		return nil
	}
	var out []Request
	for _, o := range p.timeline.missing(math.MaxInt, p.keep, nil) {
		pr := p.projects[o.Project]
		if r := p.older(o, Backfill); len(out) < n && pr.hold.left(now) == 0 && pr.older.left(now) == 0 && p.grounded(r) {
			out = append(out, r)
		}
	}
	return out
}

// sent notes that a page is asked for.
func (h *history) sent(r Request) {
	before := len(h.opened)
	h.opened = slices.DeleteFunc(h.opened, func(o Request) bool { return o.flight() == r.flight() })
	if len(h.opened) == before {
		h.pages = max(0, h.pages-1)
	}
}

// fail notes that a page of a project could not be loaded.
func (h *history) fail(project string, err error) {
	if h.failed == nil {
		h.failed = map[string]error{}
	}
	h.failed[project] = err
	h.opened = slices.DeleteFunc(h.opened, func(o Request) bool { return o.Project == project })
}

// failOlder notes that a page of a project's history could not be loaded.
func (p *Poller) failOlder(pr *project, a Answer, now time.Time) {
	if a.Purpose == Backfill {
		pr.older = hold{now, max(models.RetryAfterOf(a.Err), maxBackoff)}
		return
	}
	p.history.fail(pr.ID, a.Err)
	p.settle()
}

// settle ends what was wanted of history where it is there, or where the projects that it
// lacks cannot be read.
func (p *Poller) settle() {
	h := &p.history
	missing := len(p.timeline.missing(1, h.goal.Since, h.failed)) > 0
	if !missing && len(h.opened) == 0 && p.flying(History) == 0 {
		h.pages = 0
	}
	stuck := !missing && p.Coverage().Unread == 0
	if h.goal.reached(p.timeline) || stuck && p.flying(History) == 0 {
		h.goal = Goal{}
	}
}

package feed

import (
	"slices"
	"time"
)

const (
	historyAtOnce = 4    // how many pages of history are in flight at once
	mostAtOnce    = 1000 // the maximum page size of the service
)

// Goal is how much history to load: Count operations, or everything since a time, whichever comes first. The zero Goal
// requests nothing.
type Goal struct {
	Count int
	Since time.Time
}

// reached reports whether nothing is left to load for the goal.
func (g Goal) reached(t *Timeline) bool {
	switch {
	case g == (Goal{}), g.Count > 0 && t.Loaded() >= g.Count:
		return true
	case g.Since.IsZero():
		return t.Ended()
	}
	c := t.Coverage()
	return c.Unread == 0 && !c.Since.After(g.Since)
}

// history is the history that the user requested, besides opened gaps.
type history struct {
	goal  Goal
	pages int // pages to request besides the goal
	// failed are the projects with a page that could not be loaded, and why. They wait for the user to retry.
	failed map[string]error
}

// active reports whether pages are wanted.
func (h *history) active() bool { return h.pages > 0 || h.goal != (Goal{}) }

// fail records that a page of a project could not be loaded.
func (h *history) fail(project string, err error) {
	if h.failed == nil {
		h.failed = map[string]error{}
	}
	h.failed[project] = err
}

// pass reports whether more may be requested of a project.
func (h *history) pass(o target) bool { return h.failed[o.Project] == nil }

// LoadOlder requests the next pages of history.
func (p *Poller) LoadOlder() { p.history.pages, p.history.failed = historyAtOnce, nil }

// LoadGap requests the next page of a gap.
func (p *Poller) LoadGap(g ProjectGap) {
	pr := p.projects[g.Project]
	r := p.page(pr, g.Cursor, History, 0)
	if row, ok := pr.feed.Find(g.Below); ok && g.Cursor == "" {
		r.Limit = min(r.Limit+row+1, mostAtOnce) // the newest page must reach below the row
	}
	p.history.failed = nil
	p.traffic.wait(r)
}

// RetryBroken requests older pages, including those where the service's paging broke.
func (p *Poller) RetryBroken() {
	p.LoadOlder()
	for m := range p.timeline.gapped {
		for _, e := range m.edges {
			if e.broken {
				p.LoadGap(ProjectGap{Gap: e.gap(), Project: m.project})
			}
		}
	}
}

// LoadUntil requests pages of history until the goal is reached, and reports whether any are needed. The zero Goal
// stops, but pages in flight are still merged.
func (p *Poller) LoadUntil(g Goal) bool {
	if g.reached(p.timeline) {
		p.history = history{}
		p.traffic.drop(is(History))
		return false
	}
	p.history = history{goal: g}
	return true
}

// Goal returns the goal of [Poller.LoadUntil], or zero after it was reached, was stopped, or failed.
func (p *Poller) Goal() Goal { return p.history.goal }

// LoadingHistory reports whether pages of history are wanted or in flight.
func (p *Poller) LoadingHistory() bool { return p.history.active() || p.traffic.has(is(History)) }

// HistoryErr returns the number of projects with a page of history that could not be loaded, the first of them by id,
// and why it failed. The others go on.
func (p *Poller) HistoryErr() (project string, n int, err error) {
	for id, failed := range p.history.failed {
		if err == nil || id < project {
			project, err = id, failed
		}
	}
	return project, len(p.history.failed), err
}

// wantedHistory adds up to n pages of requested history to those of opened gaps. Loading back to a time waits until all
// projects were read once.
func (p *Poller) wantedHistory(out []Request, n int, unread bool) []Request {
	h := &p.history
	n = max(0, min(n, historyAtOnce-p.traffic.inFlight(is(History))))
	want := h.pages
	if h.goal != (Goal{}) && (h.goal.Since.IsZero() || !unread) {
		want = n
	}
	out = append(out, p.missing(History, want, h.goal.Since, h.pass)...)
	return out[:min(n, len(out))]
}

// missing returns up to n pages of history that pass and are not in flight.
func (p *Poller) missing(purpose Purpose, n int, since time.Time, pass func(target) bool) (out []Request) {
	free := func(o target) bool { return p.traffic.idle(o) && pass(o) }
	for _, o := range p.timeline.missing(n, since, free) {
		out = append(out, p.page(p.projects[o.Project], o.Cursor, purpose, 0))
	}
	return out
}

// Keep keeps everything in scope loaded that began after a time, by the service's clock. It starts after all projects
// in scope were read, and waits while the user loads history or polling is paused. [Poller.LoadingHistory] ignores it.
// A project whose page failed is retried after half a minute, or when the service allows it.
func (p *Poller) Keep(since time.Time) { p.keep = since }

// Backfilling reports whether operations to keep are being loaded.
func (p *Poller) Backfilling(now time.Time) bool {
	return p.traffic.inFlight(is(Backfill)) > 0 || !p.paused && len(p.backfill(1, now)) > 0
}

// backfill returns up to n pages of operations to keep.
func (p *Poller) backfill(n int, now time.Time) []Request {
	if p.keep.IsZero() || p.history.active() || slices.ContainsFunc(p.traffic.waiting, is(History)) {
		return nil
	}
	return p.missing(Backfill, min(n, historyAtOnce-p.traffic.inFlight(is(Backfill))), p.keep, func(o target) bool {
		pr := p.projects[o.Project]
		return pr.hold.left(now) == 0 && pr.older.left(now) == 0
	})
}

// settle ends the history request once it is loaded, or if the rest cannot be.
func (p *Poller) settle() {
	h := &p.history
	if !h.active() {
		return
	}
	stuck := len(p.timeline.missing(1, h.goal.Since, h.pass)) == 0 && !p.traffic.has(is(History))
	if stuck {
		h.pages = 0
	}
	if h.goal.reached(p.timeline) || stuck && p.Coverage().Unread == 0 {
		h.goal = Goal{}
	}
}

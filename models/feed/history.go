package feed

import (
	"slices"
	"time"
)

const (
	historyAtOnce = 4    // how many pages of history are under way together
	mostAtOnce    = 1000 // how many operations the service returns at most for one request
)

// Goal is how far back the operations in scope are to be loaded: until there are Count of them, or until nothing is
// missing since a time. The zero Goal asks for nothing.
type Goal struct {
	Count int
	Since time.Time
}

// reached reports whether nothing is left to load for the goal.
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

// history is what the user wants of earlier times, besides opened gaps.
type history struct {
	goal  Goal
	pages int // pages to ask for besides the goal
	// failed are the projects with a page that could not be loaded, and why. The user has to ask for more of them.
	failed map[string]error
}

// active reports whether pages are wanted.
func (h *history) active() bool { return h.pages > 0 || h.goal != (Goal{}) }

// fail notes that a page of a project could not be loaded.
func (h *history) fail(project string, err error) {
	if h.failed == nil {
		h.failed = map[string]error{}
	}
	h.failed[project] = err
}

// pass reports whether more may be asked of a project.
func (h *history) pass(o target) bool { return h.failed[o.Project] == nil }

// LoadOlder asks for the next pages of history.
func (p *Poller) LoadOlder() { p.history.pages, p.history.failed = historyAtOnce, nil }

// LoadGap asks for the next page of a gap.
func (p *Poller) LoadGap(g ProjectGap) {
	pr := p.projects[g.Project]
	r := p.page(pr, g.Cursor, History, 0)
	if row, ok := pr.feed.Find(g.Below); ok && g.Cursor == "" {
		r.Limit = min(r.Limit+row+1, mostAtOnce) // the newest page is to reach below the row
	}
	p.history.failed = nil
	p.traffic.wait(r)
}

// RetryBroken asks for older pages, including those where the service's paging broke.
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

// LoadUntil asks for pages of history until the goal is reached, and reports whether any are needed. The zero Goal
// stops: pages under way are still taken in.
func (p *Poller) LoadUntil(g Goal) bool {
	if g.reached(p.timeline) {
		p.history = history{}
		p.traffic.drop(is(History))
		return false
	}
	p.history = history{goal: g}
	return true
}

// Goal is the goal of [Poller.LoadUntil], zero once it was reached, was stopped, or failed.
func (p *Poller) Goal() Goal { return p.history.goal }

// LoadingHistory reports whether pages of history are wanted or under way.
func (p *Poller) LoadingHistory() bool { return p.history.active() || p.traffic.has(is(History)) }

// HistoryErr returns how many projects have a page of history that could not be loaded, the first of them by its id,
// and why it failed. The others go on.
func (p *Poller) HistoryErr() (project string, n int, err error) {
	for id, failed := range p.history.failed {
		if err == nil || id < project {
			project, err = id, failed
		}
	}
	return project, len(p.history.failed), err
}

// wantedHistory adds to the pages of opened gaps what else the user wants of history, up to n pages. While projects
// were never read, nothing is complete since any time: going back to a time waits for them.
func (p *Poller) wantedHistory(out []Request, n int, unread bool) []Request {
	h := &p.history
	n = max(0, min(n, historyAtOnce-p.traffic.flying(is(History))))
	want := h.pages
	if h.goal.Count > 0 || !h.goal.Since.IsZero() && !unread {
		want = n
	}
	out = append(out, p.missing(History, want, h.goal.Since, h.pass)...)
	return out[:min(n, len(out))]
}

// missing returns up to n pages of history to ask for, of those that pass and are not under way.
func (p *Poller) missing(purpose Purpose, n int, since time.Time, pass func(target) bool) (out []Request) {
	free := func(o target) bool { return p.traffic.grounded(o) && pass(o) }
	for _, o := range p.timeline.missing(n, since, free) {
		out = append(out, p.page(p.projects[o.Project], o.Cursor, purpose, 0))
	}
	return out
}

// Keep has everything in scope loaded that began after a time, by the service's clock: once all projects in scope
// were read, while the user wants no history, and not while paused. [Poller.LoadingHistory] ignores it. A project
// with a page that fails is asked for it again after half a minute, or when the service says.
func (p *Poller) Keep(since time.Time) { p.keep = since }

// Backfilling reports whether what is to be kept is being loaded.
func (p *Poller) Backfilling(now time.Time) bool {
	return p.traffic.flying(is(Backfill)) > 0 || !p.paused && len(p.backfill(1, now)) > 0
}

// backfill returns up to n pages to ask for now of what is to be kept.
func (p *Poller) backfill(n int, now time.Time) []Request {
	if p.keep.IsZero() || p.history.active() || slices.ContainsFunc(p.traffic.waiting, is(History)) {
		return nil
	}
	return p.missing(Backfill, min(n, historyAtOnce-p.traffic.flying(is(Backfill))), p.keep, func(o target) bool {
		pr := p.projects[o.Project]
		return pr.hold.left(now) == 0 && pr.older.left(now) == 0
	})
}

// settle ends what is wanted of history once it is loaded, or where the rest cannot be.
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

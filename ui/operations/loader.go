package operations

import (
	"fmt"
	"time"

	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// DefaultSince is how far back the range reaches when a session starts, without a setting.
	DefaultSince = 24 * time.Hour

	minSince, maxSince = time.Minute, 31 * 24 * time.Hour
)

// CheckSince returns what is wrong with the length of a range, or nil.
func CheckSince(d time.Duration) error {
	if d < minSince || d > maxSince {
		return fmt.Errorf("must be between %s and %s, such as 24h", style.Every(minSince), style.Every(maxSince))
	}
	return nil
}

// need is since when a part of the page wants all operations, and for what.
type need struct {
	since time.Time
	why   reason
}

// reason completes "Loading 3 d".
type reason string

// The reasons. The range itself needs none.
const (
	forRange    reason = ""
	forCounts   reason = " for the counts"
	forFilter   reason = " for the filter"
	forTimeline reason = " for the timeline"
	forRows     reason = " for the end of the list"
	forRow      reason = " for the row that you left"
	forUser     reason = ", as asked for"
)

// loader owns the range: since when all operations of the scope are wanted. It is fixed when the service's clock is first
// known, and moves back when something needs older operations, never forward.
type loader struct {
	length time.Duration // of the range when it is fixed
	since  time.Time     // by the service's clock; zero until it is fixed
	why    reason        // of what moved it last
	asked  bool          // the user wants more operations of this scope than are loaded without being asked for
	untold time.Time     // since when the user asked for operations, until the end of their load was told
}

// fix fixes the range unless it is already.
func (l *loader) fix(now time.Time) {
	if l.since.IsZero() {
		l.since = now.Add(-l.length)
	}
}

// meet moves the range back to what is needed.
func (l *loader) meet(needs ...need) {
	for _, n := range needs {
		if n.why == forUser {
			l.untold = n.since
		}
		// A row that the user left may have been asked for in another session.
		l.asked = l.asked || n.why == forUser || n.why == forRow
		if n.since.Before(l.since) {
			l.since, l.why = n.since, n.why
		}
	}
}

// wanted returns the range for the poller.
func (l *loader) wanted() feed.Range {
	if l.asked {
		return feed.Range{Since: l.since, Most: feed.MostAsked, Asked: true}
	}
	return feed.Range{Since: l.since, Most: feed.MostLoaded}
}

// older returns the need for operations below those that are complete, if older ones are not being loaded already.
func (l *loader) older(e extent, now time.Time, why reason) (n need, ok bool) {
	const least, part = 15 * time.Minute, 4
	ok = !l.since.IsZero() && !e.whole() && e.covers(l.since)
	return need{e.Since.Add(-max(least, now.Sub(e.Since)/part)), why}, ok
}

// progress describes a load.
func (l *loader) progress(e extent, now time.Time) string {
	return "loading " + span(now.Sub(l.since).Round(time.Minute)) + string(l.why) + ": " + e.completeFor(now)
}

// tell tells the user how the load ended that was asked for, once it has.
func (l *loader) tell(session *page.Session, e extent, loaded int, loading bool) {
	at := l.untold
	if at.IsZero() || loading && !e.covers(at) {
		return
	}
	l.untold = time.Time{}
	now := session.ServiceNow()
	switch {
	case !e.covers(at):
		session.Notify(style.Waiting, style.Sentence(e.completeFor(now)))
	case e.whole():
		session.Notify(style.Good, "✓ complete: all "+style.Plural(loaded, "operation"))
	default:
		tone := style.Good
		if e.limited() {
			tone = style.Waiting
		}
		said := e.claim("✓ complete for " + span(now.Sub(at)))
		session.Notify(tone, said+": "+style.Plural(loaded, "operation"))
	}
}

// needs returns what the parts of the page want to have loaded.
func (p *Page) needs() []need {
	now, t := p.session.ServiceNow(), p.list.table
	needs := []need{{feed.WindowSince(now, p.window), forCounts}}
	back := query.Back(t.UpperBound)
	if back > 0 && !t.Editing() {
		needs = append(needs, need{now.Add(-back), forFilter})
	}
	row, restoring := t.List().Restoring()
	if restoring && !p.onward.began.IsZero() && !p.list.rows.Has(row) {
		needs = append(needs, need{p.onward.began, forRow})
	}
	back = p.time.reach(now)
	if back > 0 {
		needs = append(needs, need{now.Add(-back), forTimeline})
	}
	older, ok := p.loader.older(p.extent(), now, forRows)
	if ok && p.groups == nil && !t.List().Arranged() && t.List().Held() && t.List().NearEnd() {
		needs = append(needs, older)
	}
	return needs
}

// load moves the range to what is needed, and reports whether that changed it. It alone sets the range.
func (p *Page) load(needs ...need) bool {
	if p.live.timeline().Read() == 0 {
		return false
	}
	p.loader.fix(p.session.ServiceNow())
	p.loader.meet(needs...)
	moved := p.live.setRange(p.loader.wanted())
	p.loader.tell(p.session, p.extent(), p.live.timeline().Loaded(), p.live.loading())
	return moved
}

// loadOlder loads operations below those that are complete.
func (p *Page) loadOlder() {
	n, ok := p.loader.older(p.extent(), p.session.ServiceNow(), forRows)
	if ok {
		p.load(n)
	}
}

// needed returns how far back the filter or the timeline reaches, or 0 if that is not limited.
func (p *Page) needed() time.Duration {
	return max(query.Back(p.list.table.UpperBound), p.time.reach(p.session.ServiceNow()))
}

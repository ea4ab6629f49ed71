package operations

import (
	"time"

	"pgtower/models/feed"
	"pgtower/models/moment"
	"pgtower/models/settings"
	"pgtower/ui/style"
)

// need says since when a part of the page needs all operations, and for what.
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
// known, and moves back when something needs older operations, never forward. It alone tells the poller.
type loader struct {
	list   *list
	first  moment.Time // where the range begins once it is fixed
	since  time.Time   // by the service's clock; zero until it is fixed
	why    reason      // why it was moved last
	asked  bool        // the user asked for more operations of this scope than are loaded otherwise
	untold time.Time   // since when the user wants operations; zero once the end of that load was told
}

// load moves the range to what is needed.
func (l *loader) load(needs ...need) {
	now := l.list.live.present(l.list.session.ServiceNow())
	if now.IsZero() {
		return
	}
	if l.since.IsZero() {
		l.since = l.rangeStart(now)
	}
	l.meet(needs...)
	l.list.live.poller.SetRange(l.wanted())
	l.tell()
}

// rangeStart returns where the range begins at first. A date beyond the limits is moved to them: the line among the rows
// says how far back it is.
func (l *loader) rangeStart(now moment.Now) time.Time {
	since, present := l.first.At(now), now.Time()
	switch {
	case since.After(present.Add(-settings.MinSince)):
		return present.Add(-settings.MinSince)
	case since.Before(present.Add(-settings.MaxSince)):
		return present.Add(-settings.MaxSince)
	}
	return since
}

// loadOlder loads operations that are older than the complete ones.
func (l *loader) loadOlder() {
	n, ok := l.older()
	if ok {
		l.load(n)
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

// older returns the need for operations that are older than the complete ones, if none is being loaded already.
func (l *loader) older() (n need, ok bool) {
	const least, part = 15 * time.Minute, 4
	e, now := l.list.extent(), l.list.session.ServiceNow()
	ok = !l.since.IsZero() && !e.whole() && e.covers(l.since)
	return need{e.Since.Add(-max(least, now.Sub(e.Since)/part)), forRows}, ok
}

// progress describes a load.
func (l *loader) progress(e extent, now time.Time) string {
	return "loading " + span(now.Sub(l.since).Round(time.Minute)) + string(l.why) + ": " + e.completeFor(now)
}

// tell tells the user how a load that they asked for ended.
func (l *loader) tell() {
	since, session, e := l.untold, l.list.session, l.list.extent()
	if since.IsZero() || l.list.live.loading() && !e.covers(since) {
		return
	}
	now, loaded := session.ServiceNow(), l.list.live.timeline().Loaded()
	l.untold = time.Time{}
	switch {
	case !e.covers(since):
		session.Notify(style.Waiting, style.Sentence(e.completeFor(now)))
	case e.whole():
		session.Notify(style.Good, "✓ complete: all "+style.Plural(loaded, "operation"))
	default:
		tone := style.Good
		if e.limited() {
			tone = style.Waiting
		}
		text := e.claim("✓ complete for " + span(now.Sub(since)))
		session.Notify(tone, text+": "+style.Plural(loaded, "operation"))
	}
}

package operations

import (
	"fmt"
	"math"
	"strings"
	"time"

	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// extent is how far back the operations in scope are all there, apart from those of projects that cannot be read.
type extent struct {
	feed.Coverage

	unknown bool      // nothing was read yet, or not all projects are listed
	lack    string    // "lack storefront": what older rows do
	except  string    // " except storefront", which cannot be read
	behind  string    // ", storefront not current": of it only what was read before is counted
	dated   string    // " as of 12:00:00 UTC", where nothing new comes
	at      time.Time // that time by the service's clock
}

func (s *state) extent() extent {
	e := extent{Coverage: s.poller.Coverage(), unknown: s.timeline().Read() == 0 || s.all() && !s.list.Complete}
	if ids := s.poller.Unreadable(); len(ids) > 0 {
		who := style.Plural(len(ids), "project")
		if len(ids) == 1 {
			who = s.name(ids[0])
		}
		e.except, e.behind = " except "+who, ", "+who+" not current"
	}
	if e.lack = "are not all loaded"; s.all() {
		e.lack = "lack " + s.name(e.Lacking)
	}
	if f := s.freshness(); stalled(f) && !f.Oldest.IsZero() {
		e.at, e.dated = s.session.Service(f.Oldest), " as of "+s.session.Times.Clock(f.Oldest)
		if f.State == feed.Failing {
			e.except, e.behind = "", "" // none is current, and all were read by then
		}
	}
	return e
}

// whole reports whether all operations that there ever were are loaded.
func (e extent) whole() bool {
	return !e.unknown && e.Unread == 0 && e.Since.IsZero() && e.except == ""
}

// covers reports whether nothing is missing since a time.
func (e extent) covers(at time.Time) bool { return !e.unknown && e.Unread == 0 && !e.Since.After(at) }

// back is for how long the operations are all there.
func (e extent) back(now time.Time) time.Duration {
	if e.unknown || e.Unread > 0 {
		return 0
	}
	return max(0, now.Sub(e.Since))
}

func (e extent) completeFor(now time.Time) string {
	switch {
	case e.Unread > 0:
		return style.Plural(e.Unread, "project") + " not read yet"
	case e.unknown:
		return "not all projects have been listed"
	case e.Since.IsZero():
		return "complete" + e.except + e.dated
	case !e.at.IsZero():
		now = e.at
	}
	return "complete for " + span(e.back(now)) + e.except + e.dated
}

// span is a time as completeness is given, never longer than it is: 40 s, 14 min, 3 h, 5 d.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < 2*time.Hour && d != time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 2*24*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d d", d/(24*time.Hour))
}

func (e extent) divider(now time.Time) string {
	if e.back(now) == 0 {
		return e.completeFor(now) + "; rows may be missing anywhere below"
	}
	return e.completeFor(now) + "; older rows " + e.lack
}

// note says how complete is what a filter or another order shows that needs so much, or 0 where that is not known.
func (e extent) note(f page.Frame, needed time.Duration, mark string) string {
	back, mark, complete := e.back(f.Now), " ("+mark+")", style.Sentence(e.completeFor(f.Now))
	if f.Accessible {
		mark = ""
	}
	switch {
	case e.whole():
		return "Complete" + e.dated + ": the service has nothing older."
	case needed > 0 && back >= needed:
		return "Complete for the " + span(needed) + " needed" + e.except + e.dated + "."
	case back == 0:
		return complete + "; others may be missing around these rows."
	}
	return fmt.Sprintf("%s; older rows%s %s · %s: older", complete, mark, e.lack, f.Key("older"))
}

// nothing is what is said of a filter that nothing matches: for how long that is certain.
func (h *history) nothing(f page.Frame) table.EmptyState {
	e := h.extent()
	needed, back := h.needed(), e.back(f.Now)
	certain := func(d time.Duration) string {
		return "Nothing matches in the last " + span(d) + ", which is complete" + e.except + e.dated + "."
	}
	var out table.EmptyState
	var body []string
	switch {
	case e.whole():
	case needed > 0 && back >= needed:
		out.Title = certain(needed)
	case back == 0:
		out = table.EmptyState{Tone: style.Waiting, Title: "No matches so far."}
		body = []string{e.completeFor(f.Now)}
	case h.broken() != "":
		out = table.EmptyState{Tone: style.Waiting, Title: certain(back)}
		body = []string{h.broken() + "; " + f.Key("older") + ": try again"}
	default:
		out = table.EmptyState{Tone: style.Waiting, Title: certain(back)}
		body = []string{"older operations are not all loaded; " + f.Key("older") + " loads more"}
	}
	if h.poller.Goal() != (feed.Goal{}) {
		body = []string{h.progress(f)}
	}
	for _, err := range h.trouble(f) {
		if err != nil {
			out.Tone = style.Waiting
			body = append(body, err.Error())
		}
	}
	for i, said := range body {
		body[i] = style.Sentence(said) + "."
	}
	out.Body = strings.Join(body, " ")
	return out
}

const (
	// DefaultSearchBack is for how long failures and orders are searched where no setting and no filter says it.
	DefaultSearchBack = 24 * time.Hour

	minSearchBack, maxSearchBack = time.Minute, 31 * 24 * time.Hour
	maxRestores                  = 10 // how many times older pages are asked for, to find the row that the user was on
)

// CheckSearchBack returns what is wrong with the time that is searched, or nil.
func CheckSearchBack(d time.Duration) error {
	if d < minSearchBack || d > maxSearchBack {
		return fmt.Errorf("must be between %s and %s, such as 24h", brief(minSearchBack), brief(maxSearchBack))
	}
	return nil
}

// history loads older operations, by the next poll: for a user who pages back, a goal, or a filter that needs them.
type history struct {
	*state

	length   time.Duration // that failures and orders are searched
	of       searched
	goal     feed.Goal     // that the search began to load for
	from     feed.Coverage // what was there then: as long as that is all, it is not begun again
	stopped  bool          // the search, by the user
	time     *timelineView // which may need more than the rows
	restores int           // how often older pages were asked for to come back to a row
}

// searched is what a search is for: with another one, the load that it began is stopped.
type searched struct {
	project, query string
	column         int
	reverse        bool
	looks          int // of the timeline
}

// near asks for the next pages when the selection comes near the end of the feed, and reports whether it does.
func (h *history) near() bool {
	return !h.table.Filtered() && !h.sorted() && !h.failed() && h.table.NearEnd() && h.older()
}

// older asks for the next pages, unless that is under way, and reports whether it does.
func (h *history) older() bool {
	if h.poller.LoadingHistory() || !h.timeline().HasOlder() {
		return false
	}
	h.poller.LoadOlder()
	return true
}

// olderNow is older for the user, who may try again where paging broke.
func (h *history) olderNow() {
	if h.broken() != "" && !h.poller.LoadingHistory() {
		h.poller.RetryBroken()
	} else {
		h.older()
	}
}

// restore asks for older pages while the row is not there that the user comes back to, and reports whether it does.
func (h *history) restore() bool {
	_, wanted := h.table.Restoring()
	asks := wanted && h.restores < maxRestores && h.table.Settled() && h.older()
	if asks {
		h.restores++
	}
	return asks
}

func (h *history) failed() bool {
	_, n, _ := h.poller.HistoryErr()
	return n > 0
}

func (h *history) load(goal feed.Goal) {
	if !h.poller.LoadUntil(goal) {
		h.tellGoal(goal)
	}
}

// stoppable reports whether esc is for the load that is under way, and not for leaving a detail.
func (h *history) stoppable() bool { return h.poller.Goal() != feed.Goal{} && !h.table.Opened() }

func (h *history) stop() {
	h.stopped = true
	h.poller.LoadUntil(feed.Goal{})
	h.session.Notify(style.Waiting, fmt.Sprintf("stopped: %s operations are loaded, %s",
		count(h.timeline().Loaded()), h.extent().completeFor(h.session.ServiceNow())))
}

// tellGoal says how the loading for a goal ended, once it is no longer under way.
func (h *history) tellGoal(goal feed.Goal) {
	if goal == (feed.Goal{}) || h.poller.Goal() == goal || h.failed() {
		return
	}
	e, now, n := h.extent(), h.session.ServiceNow(), count(h.timeline().Loaded())
	loaded := n + " operations are loaded"
	tone, text := style.Waiting, loaded+", "+e.completeFor(now)
	switch {
	case !goal.Since.IsZero() && e.covers(goal.Since):
		if e.whole() {
			loaded = "all " + loaded + ", nothing is older"
		}
		text = "✓ complete for " + span(now.Sub(goal.Since)) + e.except + e.dated + ": " + loaded
		if e.except+e.dated == "" {
			tone = style.Good
		}
	case h.broken() != "":
		text = loaded + "; " + h.broken()
	case !goal.Since.IsZero() && h.timeline().Loaded() >= goal.Count:
		text = "stopped at " + n + " operations, as many as pgtower loads: " + e.completeFor(now)
	case !goal.Since.IsZero():
	case h.timeline().Ended():
		tone, text = style.Good, "✓ all "+loaded+": the service has nothing older"
	default:
		tone, text = style.Good, "✓ "+loaded
	}
	h.session.Report(tone, text)
}

func (h *history) progress(f page.Frame) string {
	goal, e, said := h.poller.Goal(), h.extent(), "Loading older operations: "
	if goal.Since.IsZero() {
		said += count(h.timeline().Loaded()) + " of " + count(goal.Count)
	} else {
		wanted := f.Now.Sub(goal.Since)
		said += "back to " + span(min(wanted, e.back(f.Now))) + " of " + span(wanted.Round(time.Minute))
		if e.Unread > 0 {
			said += ", " + e.completeFor(f.Now)
		}
	}
	if h.stoppable() {
		said += " · " + f.Key("stop-loading") + " stops"
	}
	return said
}

// needed is how far back the filter or the order in force reaches, or 0 where it does not say.
func (h *history) needed() time.Duration {
	back := reach(h.table.UpperBound)
	if back == 0 && (h.sorted() || h.table.Query() == failedQuery) {
		back = h.length
	}
	return max(back, h.time.reach(h.session.ServiceNow()))
}

// reach is how far back a filter reaches, or 0 where it does not say. What ended in a time may have begun before it.
func reach(below func(field string) (bound time.Duration, ok bool)) time.Duration {
	age, bounded := below("age")
	if ended, ok := below("ended"); ok {
		ended = min(ended, math.MaxInt64-feed.MaxRun) + feed.MaxRun
		if !bounded || ended < age {
			return ended
		}
	}
	return age
}

// seek loads what the filter or the order in force needs, and no longer what the one before did. It reports whether
// there is more to ask for.
func (h *history) seek() bool {
	if h.table.Editing() {
		return false
	}
	column, reverse := h.table.Sorted()
	if of := (searched{h.project.ID, h.table.Query(), column, reverse, h.time.looks}); of != h.of {
		if h.goal != (feed.Goal{}) && h.goal == h.poller.Goal() || h.failed() {
			h.poller.LoadUntil(feed.Goal{})
		}
		h.of, h.goal, h.from, h.stopped = of, feed.Goal{}, feed.Coverage{}, false
	}
	now, needed, there := h.session.ServiceNow(), h.needed(), h.extent()
	switch {
	case h.failed():
		h.from = feed.Coverage{} // once the user tries again
		return false
	case needed <= there.back(now), h.stopped, h.timeline().Read() == 0,
		h.poller.Goal() != feed.Goal{}, h.from == there.Coverage:
		return false
	}
	h.goal, h.from = since(now.Add(-needed)), there.Coverage
	h.poller.LoadUntil(h.goal)
	return true
}

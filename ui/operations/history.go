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

// extent is how far back all operations of the scope are loaded, except those of projects that cannot be read.
type extent struct {
	feed.Coverage

	unknown bool      // nothing was read, or not all projects are listed
	lack    string    // "lack storefront": about older rows
	except  string    // " except storefront": it cannot be read
	behind  string    // ", storefront not current": only what was read of it before is counted
	dated   string    // " as of 12:00:00 UTC": nothing newer was read
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
			e.except, e.behind = "", "" // no project is current, and all were read by then
		}
	}
	return e
}

// whole reports whether all operations in the service are loaded.
func (e extent) whole() bool {
	return !e.unknown && e.Unread == 0 && e.Since.IsZero() && e.except == ""
}

// covers reports whether nothing is missing since a time.
func (e extent) covers(at time.Time) bool { return !e.unknown && e.Unread == 0 && !e.Since.After(at) }

// back returns for how long the operations are complete.
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

// span formats how long operations are complete, rounded down: 40 s, 14 min, 3 h, 5 d.
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

// note describes how complete filtered or sorted rows are. needed is how far back they reach, or 0 if that is not known.
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

// nothing returns the empty state if no row matches the filter, with the time for which that is certain.
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
	// DefaultSearchBack is how far back failures and orders are searched without a setting or a time in the filter.
	DefaultSearchBack = 24 * time.Hour

	minSearchBack, maxSearchBack = time.Minute, 31 * 24 * time.Hour
	maxRestores                  = 10 // requests for older pages to find the row to restore
)

// CheckSearchBack returns what is wrong with a time to search back, or nil.
func CheckSearchBack(d time.Duration) error {
	if d < minSearchBack || d > maxSearchBack {
		return fmt.Errorf("must be between %s and %s, such as 24h", style.Every(minSearchBack), style.Every(maxSearchBack))
	}
	return nil
}

// history has the next poll load older operations: when the user pages back, for a goal, or for a filter.
type history struct {
	*state

	length   time.Duration // how far back failures and orders are searched
	search   search        // the present search
	goal     feed.Goal     // of the load that the search began, or zero
	from     feed.Coverage // what was loaded then: until that changes, the search begins no other load
	stopped  bool          // the user stopped the search
	time     *timelineView // may need older operations than the rows
	restores int           // requests for older pages to restore a row
}

// search identifies what is searched: when another one begins, its load is stopped.
type search struct {
	project, query string
	column         int
	reverse        bool
	viewChanges    int // of the timeline
}

// near requests older pages if the selection is near the end of the feed, and reports whether it did.
func (h *history) near() bool {
	return !h.table.Filtered() && !h.sorted() && !h.failed() && h.table.NearEnd() && h.older()
}

// older requests older pages unless it already has, and reports whether it did.
func (h *history) older() bool {
	if h.poller.LoadingHistory() || !h.timeline().HasOlder() {
		return false
	}
	h.poller.LoadOlder()
	return true
}

// olderNow is older for the user, who can also retry where paging broke.
func (h *history) olderNow() {
	if h.broken() != "" && !h.poller.LoadingHistory() {
		h.poller.RetryBroken()
	} else {
		h.older()
	}
}

// restore requests older pages while the row to restore is missing, and reports whether it did.
func (h *history) restore() bool {
	_, wanted := h.table.Restoring()
	asks := wanted && h.restores < maxRestores && h.table.Settled() && h.older()
	if asks {
		h.restores++
	}
	return asks
}

// failed reports whether loading history failed.
func (h *history) failed() bool {
	_, n, _ := h.poller.HistoryErr()
	return n > 0
}

// load loads up to a goal.
func (h *history) load(goal feed.Goal) {
	if !h.poller.LoadUntil(goal) {
		h.tellGoal(goal)
	}
}

// stoppable reports whether esc stops the load rather than closing the details.
func (h *history) stoppable() bool { return h.poller.Goal() != feed.Goal{} && !h.table.Opened() }

func (h *history) stop() {
	h.stopped = true
	h.poller.LoadUntil(feed.Goal{})
	h.tell(style.Waiting, fmt.Sprintf("stopped: %s operations are loaded, %s",
		count(h.timeline().Loaded()), h.extent().completeFor(h.session.ServiceNow())))
}

// tell tells the user what is loaded, until the next load begins.
func (h *history) tell(tone style.Tone, text string) {
	idle := func() bool { return h.poller.Goal() == feed.Goal{} }
	h.session.Emit(page.Notice{Tone: tone, Text: text, Holds: idle})
}

// tellGoal tells the user how loading up to a goal ended, if it has.
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
	h.tell(tone, text)
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

// needed returns how far back the filter or order in force reaches, or 0 if that is not limited.
func (h *history) needed() time.Duration {
	back := reach(h.table.UpperBound)
	if back == 0 && (h.sorted() || h.table.Query() == failedQuery) {
		back = h.length
	}
	return max(back, h.time.reach(h.session.ServiceNow()))
}

// reach returns how far back a filter reaches, or 0 if that is not limited. An operation that ended in a
// time may have begun before it.
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

// seek loads what the filter or order in force needs, instead of what the last one needed. It reports whether it began
// a load.
func (h *history) seek() bool {
	if h.table.Editing() {
		return false
	}
	column, reverse := h.table.Sorted()
	if of := (search{h.project.ID, h.table.Query(), column, reverse, h.time.viewChanges}); of != h.search {
		if h.goal != (feed.Goal{}) && h.goal == h.poller.Goal() || h.failed() {
			h.poller.LoadUntil(feed.Goal{})
		}
		h.search, h.goal, h.from, h.stopped = of, feed.Goal{}, feed.Coverage{}, false
	}
	now, needed, there := h.session.ServiceNow(), h.needed(), h.extent()
	switch {
	case h.failed():
		h.from = feed.Coverage{} // the search goes on once the user retries
		return false
	case needed <= there.back(now), h.stopped, h.timeline().Read() == 0,
		h.poller.Goal() != feed.Goal{}, h.from == there.Coverage:
		return false
	}
	h.goal, h.from = since(now.Add(-needed)), there.Coverage
	h.poller.LoadUntil(h.goal)
	return true
}

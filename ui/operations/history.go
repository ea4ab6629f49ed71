package operations

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const (
	// DefaultSearchBack is for how long failures and orders are searched where no setting
	// and no filter says it.
	DefaultSearchBack = 24 * time.Hour

	minSearchBack, maxSearchBack = time.Minute, 31 * 24 * time.Hour
	// maxLoad is how many operations can be asked to be loaded, so that a slip of the finger
	// does not fill the memory.
	maxLoad = 1_000_000
	// maxRestores is how many times older pages are asked for, to find the row that the user
	// was on.
	maxRestores = 10
)

// CheckSearchBack says what is wrong with the time that is searched, or nothing.
func CheckSearchBack(d time.Duration) error {
	if d < minSearchBack || d > maxSearchBack {
		return fmt.Errorf("must be between %s and %s, such as 24h", brief(minSearchBack), brief(maxSearchBack))
	}
	return nil
}

// history loads older operations: for the user who pages back, for a goal, and for a filter
// or an order whose answer needs them. What it wants is asked for by the next poll.
type history struct {
	*state

	length   time.Duration // that failures and orders are searched
	of       searched
	goal     feed.Goal // that the search began to load for
	from     extent    // what was there then: as long as that is all, it is not begun again
	stopped  bool      // the search, by the user
	restores int       // how often older pages were asked for to come back to a row
}

// searched is what a search is for: with another one, the load that it began is stopped.
type searched struct {
	project, query string
	column         int
	reverse        bool
}

// near asks for the next pages when the selection comes near the end of what is shown, and
// reports whether it does. With a filter or another order it does not: few rows may pass, and
// the whole history would be paged through without the user asking.
func (h *history) near(t *table.Model[row, key]) bool {
	column, reverse := t.Sorted()
	if t.Filtered() || column != table.DefaultOrder || reverse || h.failed() || !t.NearEnd() {
		return false
	}
	return h.older()
}

// older asks for the next pages, unless that is under way, and reports whether it does.
func (h *history) older() bool {
	if h.poller.LoadingHistory() || !h.timeline().HasOlder() {
		return false
	}
	h.poller.LoadOlder()
	return true
}

// olderNow is older because the user says so: also where paging broke.
func (h *history) olderNow() {
	if h.broken() == "" || h.poller.LoadingHistory() {
		h.older()
		return
	}
	h.poller.RetryBroken()
}

// restore asks for older pages while the row is not there that the user comes back to, and
// reports whether it does.
func (h *history) restore(t *table.Model[row, key]) bool {
	if _, wanted := t.Restoring(); !wanted || h.restores >= maxRestores || h.poller.LoadingHistory() || !t.Settled() {
		return false
	}
	if !h.older() {
		return false
	}
	h.restores++
	return true
}

// failed reports whether history could not be loaded of a project, and the user has not asked
// again.
func (h *history) failed() bool {
	_, n, _ := h.poller.HistoryErr()
	return n > 0
}

// argument is how many operations are to be loaded, so that the user can look at them or
// filter them.
func (h *history) argument(poll func() tea.Cmd) *action.Arg {
	return &action.Arg{
		Example: "100000",
		Complete: func(typed string) []action.Value {
			return action.Containing([]string{"1000", "10000", "100000"}, typed)
		},
		Parse: func(arg string) (func() tea.Cmd, error) {
			n, err := strconv.Atoi(strings.ReplaceAll(arg, ",", ""))
			if err != nil || n < 1 || n > maxLoad {
				return nil, fmt.Errorf("%q is not a number between 1 and %s", arg, count(maxLoad))
			}
			return func() tea.Cmd {
				h.load(feed.Goal{Count: n})
				return poll()
			}, nil
		},
	}
}

// load begins to page back until the goal is reached.
func (h *history) load(goal feed.Goal) {
	if !h.poller.LoadUntil(goal) {
		h.tellGoal(goal)
	}
}

// loadOn loads as much again as is complete.
func (h *history) loadOn() {
	now := h.session.ServiceNow()
	h.load(feed.Goal{Since: now.Add(-2*h.extent().back(now) - time.Minute)})
}

// stop asks for no further pages. Those that are under way are still taken in.
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
	n := count(h.timeline().Loaded())
	said := page.Notice{Tone: style.Good}
	switch {
	case h.broken() != "":
		said.Tone, said.Text = style.Waiting, n+" operations are loaded; "+h.broken()
	case !goal.Since.IsZero():
		except := h.extent().except
		if except != "" {
			said.Tone = style.Waiting
		}
		back := span(h.session.ServiceNow().Sub(goal.Since))
		said.Text = fmt.Sprintf("✓ complete for %s%s: %s operations are loaded", back, except, n)
	case h.timeline().Ended():
		said.Text = "✓ all " + n + " operations are loaded: the service has nothing older"
	default:
		said.Text = "✓ " + n + " operations are loaded"
	}
	h.session.Emit(said)
}

// progress is how far the load is.
func (h *history) progress(now time.Time) string {
	goal, doing := h.poller.Goal(), "loading older operations: "
	if goal.Since.IsZero() {
		return fmt.Sprintf("%s%s of %s", doing, count(h.timeline().Loaded()), count(goal.Count))
	}
	wanted, e := now.Sub(goal.Since), h.extent()
	said := fmt.Sprintf("%sback to %s of %s", doing, span(min(wanted, e.back(now))), span(wanted.Round(time.Minute)))
	if e.Unread > 0 {
		said += ", " + e.completeFor(now)
	}
	return said
}

// needed is how far back the filter or the order in force reaches, or 0 where it does not say.
// What ended in a time may have begun before it.
func (h *history) needed(t *table.Model[row, key]) time.Duration {
	back, bounded := t.Below("age")
	if ended, ok := t.Below("ended"); ok {
		if ended = min(ended, math.MaxInt64-feed.MaxRun) + feed.MaxRun; !bounded || ended < back {
			back, bounded = ended, true
		}
	}
	column, reverse := t.Sorted()
	switch {
	case bounded:
		return back
	case column != table.DefaultOrder, reverse, t.Query() == failedQuery:
		return h.length
	}
	return 0
}

// seek loads what the filter or the order in force needs, and stops what was loaded for
// the one before. It reports whether there is more to ask for. A filter that is being typed
// needs nothing yet.
func (h *history) seek(t *table.Model[row, key]) bool {
	if t.Editing() {
		return false
	}
	column, reverse := t.Sorted()
	if of := (searched{h.project.ID, t.Query(), column, reverse}); of != h.of {
		if h.goal != (feed.Goal{}) && h.goal == h.poller.Goal() || h.failed() {
			h.poller.LoadUntil(feed.Goal{})
		}
		h.of, h.goal, h.from, h.stopped = of, feed.Goal{}, extent{}, false
	}
	now, needed, there := h.session.ServiceNow(), h.needed(t), h.extent()
	there.at, there.dated = time.Time{}, ""
	switch {
	case h.failed():
		h.from = extent{} // once the user tries again
		return false
	case needed <= there.back(now), h.stopped, h.timeline().Read() == 0, h.poller.Goal() != feed.Goal{}, h.from == there:
		return false
	}
	h.goal, h.from = feed.Goal{Since: now.Add(-needed)}, there
	h.poller.LoadUntil(h.goal)
	return true
}

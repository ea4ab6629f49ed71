package operations

import (
	"cmp"
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

// maxLoad is how many operations can be asked to be loaded, so that a slip of the finger
// does not fill the memory.
const maxLoad = 1_000_000

// loadWanted asks for older operations until a goal is reached.
type loadWanted struct{ goal feed.Goal }

func stopLoadKey() action.Action {
	return action.New("esc", "stop loading", "esc").Named("stop-loading").InFooter()
}

// loadCommand pages back until as many operations are loaded as the user wants to look at
// or to filter.
func (p *Page) loadCommand() page.Command {
	return page.Command{
		Name: "load", Title: "load older operations until so many are there", Arg: "100000",
		Values: func(typed string) []page.Value {
			return page.Containing([]string{"1000", "10000", "100000"}, typed)
		},
		Run: func(arg string) (tea.Msg, error) {
			n, err := strconv.Atoi(strings.ReplaceAll(arg, ",", ""))
			if err != nil || n < 1 || n > maxLoad {
				return nil, fmt.Errorf("%q is not a number between 1 and %s", arg, count(maxLoad))
			}
			return to(loadWanted{feed.Goal{Count: n}}), nil
		},
	}
}

// wantOlder asks for the next pages of history when the selection comes near the end of
// what is shown. With a filter or another order it does not: few rows may pass, and the
// whole history would be paged through without the user asking.
func (p *Page) wantOlder() tea.Cmd {
	list := p.table.List()
	if column, reverse := list.Sorted(); list.Filtered() || column != table.DefaultOrder || reverse {
		return nil
	}
	if p.stats != nil || p.historyFailed() || !list.NearEnd() {
		return nil
	}
	return p.loadOlder()
}

// loadOlder asks for the next pages of history, unless that is under way.
func (p *Page) loadOlder() tea.Cmd {
	if p.poller.LoadingHistory() || !p.timeline.HasOlder() {
		return nil
	}
	p.poller.LoadOlder()
	return p.poll()
}

// loadOlderNow is loadOlder because the user says so: also where paging broke.
func (p *Page) loadOlderNow() tea.Cmd {
	if p.broken() == "" || p.poller.LoadingHistory() {
		return p.loadOlder()
	}
	p.poller.RetryBroken()
	return p.poll()
}

// historyFailed reports whether history could not be loaded of a project, and the user has
// not asked again.
func (p *Page) historyFailed() bool {
	_, n, _ := p.poller.HistoryErr()
	return n > 0
}

// broken says where history stops because the service's paging broke, or nothing.
func (p *Page) broken() string {
	n, project := p.timeline.Broken()
	switch {
	case n == 0:
		return ""
	case !p.all():
		return "history stops here: the service's paging broke"
	case n > 1:
		return fmt.Sprintf("history of %s (and %s more) stops: the service's paging broke", p.name(project), count(n-1))
	}
	return "history of " + p.name(project) + " stops: the service's paging broke"
}

// load begins to page back until the goal is reached.
func (p *Page) load(goal feed.Goal) tea.Cmd {
	if p.timeline.Read() == 0 {
		p.session.Tell(page.Notice{Tone: style.Waiting, Text: "not now: the operations are not read yet"})
		return nil
	}
	if !p.poller.LoadUntil(goal) {
		p.tellGoal(goal)
	}
	return p.poll()
}

// tellGoal says how the loading for a goal ended, once it is no longer under way.
func (p *Page) tellGoal(goal feed.Goal) {
	n := p.timeline.Loaded()
	switch {
	case goal == feed.Goal{} || p.poller.Goal() == goal || p.historyFailed():
	case p.broken() != "":
		p.session.Tell(page.Notice{Tone: style.Waiting, Text: count(n) + " operations are loaded; " + p.broken()})
	case !goal.Since.IsZero():
		except, tone := p.extent().except, style.Good
		if except != "" {
			tone = style.Waiting
		}
		p.session.Tell(page.Notice{Tone: tone, Text: fmt.Sprintf("✓ complete for %s%s: %s operations are loaded", span(p.session.ServiceNow().Sub(goal.Since)), except, count(n))})
	case p.timeline.Ended():
		p.session.Tell(page.Notice{Tone: style.Good, Text: fmt.Sprintf("✓ all %s operations are loaded: the service has nothing older", count(n))})
	default:
		p.session.Tell(page.Notice{Tone: style.Good, Text: fmt.Sprintf("✓ %s operations are loaded", count(n))})
	}
}

// loadStops reports whether esc is for the load that is under way, and not for leaving a
// detail.
func (p *Page) loadStops() bool {
	return p.poller.Goal() != feed.Goal{} && p.stats == nil && !p.table.Opened()
}

// stopLoading asks for no further pages. Those that are under way are still taken in.
func (p *Page) stopLoading() {
	p.search.stopped = true
	p.poller.LoadUntil(feed.Goal{})
	p.session.Tell(page.Notice{Tone: style.Waiting, Text: fmt.Sprintf("stopped: %s operations are loaded, %s", count(p.timeline.Loaded()), p.extent().completeFor(p.session.ServiceNow()))})
}

// loadProgress is how far the load is, and how to stop it.
func (p *Page) loadProgress(f page.Frame) string {
	goal := p.poller.Goal()
	said := fmt.Sprintf(" ◌ loading older operations: %s of %s", count(p.timeline.Loaded()), count(goal.Count))
	if !goal.Since.IsZero() {
		wanted, e := f.Now.Sub(goal.Since), p.extent()
		said = fmt.Sprintf(" ◌ loading older operations: back to %s of %s", span(min(wanted, e.back(f.Now))), span(wanted.Round(time.Minute)))
		if e.Unread > 0 {
			said += ", " + e.completeFor(f.Now)
		}
	}
	if p.loadStops() {
		said += " · " + f.Keys.Label(stopLoadKey()) + " stops"
	}
	return said
}

const (
	// DefaultSearchBack is for how long failures and orders are searched where no setting
	// and no filter says it.
	DefaultSearchBack = 24 * time.Hour

	minSearchBack, maxSearchBack = time.Minute, 31 * 24 * time.Hour
)

// CheckSearchBack says what is wrong with the time that is searched, or nothing.
func CheckSearchBack(d time.Duration) error {
	if d < minSearchBack || d > maxSearchBack {
		return fmt.Errorf("must be between %s and %s, such as 24h", brief(minSearchBack), brief(maxSearchBack))
	}
	return nil
}

// search is a filter or an order whose answer needs operations that may not be loaded.
type search struct {
	of      searched
	goal    feed.Goal // that it began to load for
	from    extent    // what was there then: as long as that is all, it is not begun again
	stopped bool      // by the user
}

// searched is what a search is for: with another one, the load that it began is stopped.
type searched struct {
	project, query string
	column         int
	reverse        bool
}

// asked is how far back the filter or the order in force reaches, or 0 where it does not say.
func (p *Page) asked() time.Duration {
	column, reverse := p.table.List().Sorted()
	back, bounded := p.table.Below("age")
	if ended, ok := p.table.Below("ended"); ok {
		if ended = min(ended, math.MaxInt64-feed.MaxRun) + feed.MaxRun; !bounded || ended < back {
			back, bounded = ended, true
		}
	}
	switch {
	case bounded:
		return back
	case column != table.DefaultOrder, reverse, p.table.Query() == failedQuery:
		return cmp.Or(p.options.SearchBack, DefaultSearchBack)
	}
	return 0
}

// seek loads what the filter or the order in force asks for, and stops what was loaded for
// the one before. A filter that is being typed asks for nothing yet.
func (p *Page) seek() tea.Cmd {
	if p.table.Editing() {
		return nil
	}
	column, reverse := p.table.List().Sorted()
	s := &p.search
	if of := (searched{p.project.ID, p.table.Query(), column, reverse}); of != s.of {
		if s.goal != (feed.Goal{}) && s.goal == p.poller.Goal() || p.historyFailed() {
			p.poller.LoadUntil(feed.Goal{})
		}
		*s = search{of: of}
	}
	now, asked, there := p.session.ServiceNow(), p.asked(), p.extent()
	there.at, there.dated = time.Time{}, ""
	switch {
	case p.historyFailed():
		s.from = extent{} // once the user tries again
		return nil
	case asked <= there.back(now), s.stopped, p.timeline.Read() == 0, p.poller.Goal() != feed.Goal{}, s.from == there:
		return nil
	}
	s.goal, s.from = feed.Goal{Since: now.Add(-asked)}, there
	p.poller.LoadUntil(s.goal)
	return p.poll()
}

// loadOn loads as much again as is complete.
func (p *Page) loadOn() tea.Cmd {
	now := p.session.ServiceNow()
	return p.load(feed.Goal{Since: now.Add(-2*p.extent().back(now) - time.Minute)})
}

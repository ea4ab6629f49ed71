package operations

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/rowlist"
	"pgtower/ui/theme"
)

// maxLoad is how many operations can be asked to be loaded, so that a slip of the finger
// does not fill the memory.
const maxLoad = 1_000_000

// loadWanted asks for older operations until a goal is reached.
type loadWanted struct{ goal feed.Goal }

func stopLoadKey() keys.Action {
	return keys.New("esc", "stop loading", "esc").Named("stop-loading").InFooter()
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
	if column, reverse := list.Sorted(); list.Filtered() || column != rowlist.Natural || reverse {
		return nil
	}
	if p.stats != nil || p.poller.HistoryErr() != nil || !list.NearEnd() {
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
		p.session.Tell(page.Notice{Tone: theme.Waiting, Text: "not now: the operations are not read yet"})
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
	case goal == feed.Goal{} || p.poller.Goal() == goal || p.poller.HistoryErr() != nil:
	case p.broken() != "":
		p.session.Tell(page.Notice{Tone: theme.Waiting, Text: count(n) + " operations are loaded; " + p.broken()})
	case p.timeline.Ended():
		p.session.Tell(page.Notice{Tone: theme.Good, Text: fmt.Sprintf("✓ all %s operations are loaded: the service has nothing older", count(n))})
	default:
		p.session.Tell(page.Notice{Tone: theme.Good, Text: fmt.Sprintf("✓ %s operations are loaded", count(n))})
	}
}

// loadStops reports whether esc is for the load that is under way, and not for leaving a
// detail.
func (p *Page) loadStops() bool {
	return p.poller.Goal() != feed.Goal{} && p.stats == nil && !p.table.Opened()
}

// stopLoading asks for no further pages. Those that are under way are still taken in.
func (p *Page) stopLoading() {
	p.poller.LoadUntil(feed.Goal{})
	p.session.Tell(page.Notice{Tone: theme.Waiting, Text: fmt.Sprintf("stopped: %s operations are loaded", count(p.timeline.Loaded()))})
}

// loadProgress is how far the load is, and how to stop it.
func (p *Page) loadProgress(f page.Frame) string {
	said := fmt.Sprintf(" ◌ loading older operations: %s of %s", count(p.timeline.Loaded()), count(p.poller.Goal().Count))
	if p.loadStops() {
		said += " · " + f.Keys.Label(stopLoadKey()) + " stops"
	}
	return said
}

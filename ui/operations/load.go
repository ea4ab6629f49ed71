package operations

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/theme"
)

// maxLoad is how many operations can be asked to be loaded, so that a slip of the finger
// does not fill the memory.
const maxLoad = 1_000_000

// loadWanted asks for older operations until so many are loaded.
type loadWanted struct{ count int }

func stopLoadKey() keys.Action {
	return keys.New("esc", "stop loading", "esc").Named("stop-loading").InFooter()
}

// loadCommand pages back until as many operations are loaded as the person wants to look
// at or to filter.
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
			return to(loadWanted{n}), nil
		},
	}
}

// load begins to page back until so many operations are loaded. Each page is asked for
// when the one before it is there, so the budget of requests holds, and what polls and
// reads between the pages has its turn.
func (p *Page) load(target int) tea.Cmd {
	if p.loadDone(target) {
		return nil
	}
	p.target, p.older.err = target, nil
	return p.loadOlder()
}

// goOnLoading asks for the pages after those that have come, until there is enough.
func (p *Page) goOnLoading() tea.Cmd {
	if p.target == 0 {
		return nil
	}
	if p.older.err != nil || p.loadDone(p.target) {
		p.target = 0
		return nil
	}
	return p.loadOlder()
}

// loadDone says that there is nothing to load for a target, and tells the person why.
func (p *Page) loadDone(target int) bool {
	n := p.timeline.Loaded()
	switch {
	case n >= target:
		p.session.Tell(page.Notice{Tone: theme.Good, Text: fmt.Sprintf("✓ %s operations are loaded", count(n))})
	case p.timeline.Ended():
		p.session.Tell(page.Notice{Tone: theme.Good, Text: fmt.Sprintf("✓ all %s operations are loaded: the service has nothing older", count(n))})
	case len(p.timeline.Older(1)) == 0 && !p.older.loading:
		p.session.Tell(page.Notice{Tone: theme.Waiting, Text: "not now: the operations are not read yet"})
	default:
		return false
	}
	return true
}

// loadStops says that esc is for the load that is under way, and not for leaving a detail.
func (p *Page) loadStops() bool { return p.target > 0 && p.stats == nil && !p.table.Opened() }

// stopLoading asks for no further pages. Those that are under way are still taken in.
func (p *Page) stopLoading() {
	p.target = 0
	p.session.Tell(page.Notice{Tone: theme.Waiting, Text: fmt.Sprintf("stopped: %s operations are loaded", count(p.timeline.Loaded()))})
}

// loadProgress is how far the load is, and how to stop it.
func (p *Page) loadProgress(f page.Frame) string {
	said := fmt.Sprintf(" ◌ loading older operations: %s of %s", count(p.timeline.Loaded()), count(p.target))
	if p.loadStops() {
		said += " · " + f.Keys.Label(stopLoadKey()) + " stops"
	}
	return said
}

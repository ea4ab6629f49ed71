package operations

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// Actions declares the actions of the page. [page.UserActive] follows each.
func (p *Page) Actions() []action.Group {
	groups := p.shown().Actions()
	if !p.Editing() {
		ofRows, own := p.rowActions(), []action.Group{p.views.actions(p.showView), p.feedActions()}
		inTime := p.time.actions(p.statistics != nil)
		switch {
		case p.statistics != nil: // whose actions take precedence
			groups = slices.Concat(own, groups, unavailable("the statistics are shown", ofRows, inTime[0], p.table.Marks()))
		case p.time.open:
			groups = slices.Concat(inTime, []action.Group{ofRows}, own, groups)
		default:
			groups = slices.Concat([]action.Group{ofRows}, own, inTime, groups)
		}
	}
	enters := !p.enter().Hidden || p.statistics != nil
	for _, g := range groups {
		for i := range g.Actions {
			a := &g.Actions[i]
			switch {
			case a.ID == "details" && enters: // Enter does something else
				a.Footer, a.Label = action.NotShown, a.Keys[1]
			case a.ID == "details" && p.statistics == nil && p.table.Opened():
				a.Title, a.Short, a.Hidden, a.Footer = "show as JSON", "JSON", false, action.Leading
				a.Run = p.onRow(p.driver.readJSON)
			case a.ID == "mark":
				a.Footer = action.LowPriority
			}
		}
	}
	return groups
}

// unavailable returns the groups with all actions disabled.
func unavailable(why string, groups ...action.Group) []action.Group {
	for _, g := range groups {
		for i := range g.Actions {
			g.Actions[i].Disabled, g.Actions[i].Footer = why, action.NotShown
		}
	}
	return groups
}

// polled polls after do, which may change what is due.
func (p *Page) polled(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return p.poll()
	}
}

// onRow runs an action on the operation that the user saw as selected, if any.
func (s *state) onRow(act func(*row) tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if r, ok := s.table.Choose(); ok && r.Op != nil {
			return act(r)
		}
		return nil
	}
}

func (p *Page) toggleStatistics() tea.Cmd {
	if p.statistics != nil {
		p.statistics = nil
		return nil
	}
	p.statistics = newStatistics(p.state, p.ofAction, p.toggleStatistics)
	return p.statistics.refresh()
}

// enter declares what Enter does instead of opening the details, hidden if nothing.
func (p *Page) enter() action.Action {
	r, ok := p.table.Selected()
	a := action.Action{
		ID: "load-gap", Title: "load the gap", Keys: []string{"enter"}, Footer: action.Leading,
		Hidden: !ok || r.Op != nil || p.statistics != nil,
	}
	if ok && r.line != nil {
		a.Title = "load older"
	}
	a.Run = func() tea.Cmd {
		switch r, ok := p.table.Choose(); {
		case !ok:
			return nil
		case r.line != nil:
			p.loadOlder()
		case r.gap != nil:
			p.poller.LoadGap(*r.gap)
		}
		return p.poll()
	}
	return a
}

func (p *Page) rowActions() action.Group {
	r, ok := p.table.Selected()
	ok = ok && r.Op != nil
	none := when(!ok, "no operation is selected")
	unknown, unlisted := none, none // why requests about it, or about its project, are impossible
	if ok {
		unknown = when(models.NoID(r.Op.ID), "the operation has no id")
		unlisted = when(p.names[r.Project] == "", "the project is not in the list")
	}
	filter := func(id, title, key, query string) action.Action {
		return action.Action{
			ID: id, Title: title, Keys: []string{key}, Disabled: when(query == "", "your view of that name has no filter"),
			Run: func() tea.Cmd { return p.toggle(query) },
		}
	}
	failed := filter("failed", "show only failed", "f", p.views.filter(query.FailedView))
	failed.Short, failed.Footer = "failed", action.Shown
	unfinished := filter("unfinished", "show only unfinished", "u", p.views.filter(query.UnfinishedView))
	countedFailed := filter("counted-failed", "show only failed in the counted time", "F", p.window.failed())
	unfinished.Rare, countedFailed.Rare = true, true
	watch := p.onRow(func(r *row) tea.Cmd { p.news.watch(r); return p.poll() })
	uncopied := when(p.table.CountMarked() == 0, none)
	watching, often, ofRow := action.NotShown, action.Shown, action.LowPriority
	if ok && r.Running() {
		watching = action.Leading
	}
	watchTitle := cmp.Or(when(ok && p.watched[r.key()], "unwatch"), "watch")
	if !ok {
		often, ofRow = action.NotShown, action.NotShown
	}
	export := func() { p.askExport("operations-"+p.session.Now().UTC().Format("20060102-150405")+".csv", "") }
	nothing := when(p.table.Matches()+p.table.CountMarked() == 0, "no operations to export")
	return action.Group{Title: "Operations", Actions: []action.Action{
		p.enter(), failed,
		unfinished,
		countedFailed,
		{
			ID: "related", Title: "show related operations", Short: "related", Keys: []string{"="}, Footer: often, Disabled: none,
			Run: p.onRow(p.onward.chooseRelated),
		},
		{
			ID: "open-project", Title: "open the project", Short: "project", Keys: []string{"o"}, Footer: ofRow,
			Disabled: unlisted, Run: p.onRow(p.openProject),
		},
		{ID: "watch", Title: watchTitle, Keys: []string{"w"}, Footer: watching, Disabled: unknown, Run: watch},
		{ID: "copy", Title: "copy", Keys: []string{"y"}, Footer: ofRow, Disabled: uncopied, Run: action.Do(p.chooseCopy)},
		{ID: "export", Title: "export", Keys: []string{"e"}, Footer: action.LowPriority, Disabled: nothing, Run: action.Do(export)},
	}}
}

func (p *Page) feedActions() action.Group {
	choose := when(len(p.list.Projects) == 0, "the projects have not been loaded")
	unread := when(p.timeline().Read() == 0, "the operations have not been loaded")
	shown := when(p.all(), "already shown")
	pause := cmp.Or(when(p.paused(), "resume"), "pause")
	stats := cmp.Or(when(p.statistics != nil, "list"), "stats")
	every := func(interval time.Duration) tea.Cmd {
		return p.setPolls(func(o *feed.Options) { o.Interval = interval })
	}
	since := func(at time.Time) tea.Cmd {
		p.load(need{at, forUser})
		return p.poll()
	}
	return action.Group{Title: "Feed", Actions: []action.Action{
		{
			ID: "choose-project", Title: "choose a project", Short: "choose project", Keys: []string{"O"},
			Footer: action.LowPriority, Disabled: choose, Run: p.choose,
		},
		{ID: "all-projects", Rare: true, Title: "show all projects", Keys: []string{"a"}, Disabled: shown, Run: p.show(models.Project{})},
		{ID: "pause", Title: pause, Keys: []string{"p"}, Footer: action.LowPriority, Run: p.polled(p.togglePause)},
		{ID: "refresh", Title: "refresh", Keys: []string{"r"}, Disabled: when(p.paused(), "polling is paused"), Run: p.refreshAll},
		{
			ID: "statistics", Title: "show statistics", Short: stats, Keys: []string{"v"}, Footer: action.Shown,
			Run: p.toggleStatistics,
		},
		p.ofAction(),
		{
			ID: "window", Rare: true, Title: "change the counted time", Keys: []string{"i"},
			Arg: action.Duration("1h", windows, CheckWindow, p.setWindow),
			Run: func() tea.Cmd { return p.setWindow(p.window.next()) },
		},
		{
			ID: "project", Title: "show the operations of a project",
			Arg: &action.Arg{Example: "name", Complete: p.complete, Parse: p.parse},
		},
		{ID: "interval", Title: "change the polling interval", Arg: action.Duration("2s", intervals, CheckInterval, every)},
		{ID: "since", Title: "load all operations since a time", Disabled: unread, Arg: p.timeArg("3d", since)},
		{ID: "at", Title: "go to the operation at a time", Disabled: unread, Arg: p.timeArg("14:32", p.goTo)},
	}}
}

// when returns a reason if it applies, or "".
func when(is bool, reason string) string {
	if is {
		return reason
	}
	return ""
}

// refreshAll polls immediately, or lists the projects if there are none.
func (p *Page) refreshAll() tea.Cmd {
	if p.all() && len(p.list.Projects) == 0 {
		p.session.Emit(page.RefreshProjects{})
		return nil
	}
	return p.refreshNow()
}

// setPolls changes how often and how much is polled.
func (p *Page) setPolls(change func(*feed.Options)) tea.Cmd {
	o := p.poller.Options()
	change(&o)
	p.poller.SetOptions(o, p.session.Now())
	p.rows.facts = p.facts()
	return p.poll()
}

package operations

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// declared are the actions of the page that are not of a table, declared once.
type declared struct {
	page *Page

	enter           *action.Action // what Enter does instead of opening the details
	ofAction        *action.Action // what Enter does in the groups
	ofRows, ofViews action.Group
	ofFeed, inTime  action.Group
	timeMoves       action.Group
}

func declare(p *Page) *declared {
	d := &declared{page: p}
	d.enter, d.ofAction = d.enterAction(), d.showAction()
	d.ofRows, d.ofFeed = d.rowActions(), d.feedActions()
	d.ofViews = p.views.actions(p.showView)
	d.inTime, d.timeMoves = p.time.actions(p.counting)
	d.coverable(d.ofRows)
	d.coverable(d.inTime)
	return d
}

// with returns the actions beside those of the table on the screen.
func (d *declared) with(own []action.Group) []action.Group {
	switch {
	case d.page.counting(): // the actions of the groups take precedence
		groups := append([]action.Group{d.ofViews, d.ofFeed}, own...)
		return append(groups, d.ofRows, d.inTime, d.page.list.table.Marks())
	case d.page.time.open:
		return append([]action.Group{d.inTime, d.timeMoves, d.ofRows, d.ofViews, d.ofFeed}, own...)
	}
	return append([]action.Group{d.ofRows, d.ofViews, d.ofFeed, d.inTime, d.timeMoves}, own...)
}

// adopt makes the marks of a table actions of the page.
func (d *declared) adopt(marks action.Group) {
	marks.Actions[0].Footer = action.LowPriority
	d.coverable(marks)
}

// coverable makes the actions of rows unavailable while the groups cover the rows.
func (d *declared) coverable(g action.Group) {
	for _, a := range g.Actions {
		own := a.Disabled
		a.Disabled = func() string {
			switch {
			case d.page.counting():
				return "the groups are shown"
			case own == nil:
				return ""
			}
			return own()
		}
	}
}

// polled polls after do, which may change what is due.
func (d *declared) polled(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return d.page.poll()
	}
}

// enterAction declares what Enter does instead of opening the details: it loads what the selected row stands for.
func (d *declared) enterAction() *action.Action {
	return &action.Action{
		ID: "load-gap", Title: "load the gap", Keys: []string{"enter"}, Footer: action.Leading,
		Hidden: func() bool {
			r, ok := d.page.list.table.List().Selected()
			return !ok || r.Op != nil || d.page.counting()
		},
		Vary: func(l action.Look) action.Look {
			r, ok := d.page.list.table.List().Selected()
			if ok && r.line != nil {
				l.Title = "load older"
			}
			return l
		},
		Run: d.page.loadMissing,
	}
}

// showAction declares what Enter does in the groups: it shows the operations of one.
func (d *declared) showAction() *action.Action {
	p := d.page
	none := func() bool {
		if !p.counting() {
			return false
		}
		g, ok := p.groups.table.List().Selected()
		return !ok || filterFor(p.groups.as.by, g.Value) == ""
	}
	return &action.Action{
		ID: "action-operations", Title: "operations", Keys: []string{"enter"}, Footer: action.Leading,
		Hidden: func() bool { return !p.counting() }, Disabled: action.If(none, "no group is selected"), Run: p.showGroup,
	}
}

// filter declares an action that filters by what query returns, or shows all again.
func (d *declared) filter(id, title, key string, query func() string) *action.Action {
	return &action.Action{
		ID: id, Title: title, Keys: []string{key},
		Disabled: action.If(func() bool { return query() == "" }, "your view of that name has no filter"),
		Run:      func() tea.Cmd { return d.page.list.toggle(query()) },
	}
}

func (d *declared) rowActions() action.Group {
	p := d.page
	ofView := func(name string) func() string { return func() string { return p.views.filterOf(name) } }
	failed := d.filter("failed", "show only failed", "f", ofView(query.FailedView))
	failed.Short, failed.Footer = "failed", action.Shown
	unfinished := d.filter("unfinished", "show only unfinished", "u", ofView(query.UnfinishedView))
	counted := func() string { return failedIn(p.window) }
	countedFailed := d.filter("counted-failed", "show only failed in the counted time", "F", counted)
	unfinished.Rare, countedFailed.Rare = true, true
	uncopied := func() string {
		if p.list.table.List().CountMarked() > 0 {
			return ""
		}
		return p.list.noOperation()
	}
	nothing := func() bool { return p.list.table.List().Matches()+p.list.table.List().CountMarked() == 0 }
	return action.Group{Title: "Operations", Actions: []*action.Action{
		d.enter, failed, unfinished, countedFailed,
		{
			ID: "related", Title: "show related operations", Short: "related", Keys: []string{"="}, Footer: action.Shown,
			Disabled: p.list.noOperation, Run: p.list.onRow(p.onward.chooseRelated),
		},
		{
			ID: "open-project", Title: "open the project", Short: "project", Keys: []string{"o"}, Footer: action.LowPriority,
			Disabled: p.list.notListed, Run: p.list.onRow(p.scope.openProject),
		},
		{
			ID: "watch", Title: "watch", Keys: []string{"w"}, Vary: d.lookOfWatch, Disabled: p.list.unwatchable,
			Run: p.list.onRow(p.watch),
		},
		{
			ID: "copy", Title: "copy", Keys: []string{"y"}, Footer: action.LowPriority,
			Disabled: uncopied, Run: action.Do(p.copier.choose),
		},
		{
			ID: "export", Title: "export", Keys: []string{"e"}, Footer: action.LowPriority,
			Disabled: action.If(nothing, "no operations to export"), Run: action.Do(p.copier.exportNow),
		},
	}}
}

func (d *declared) lookOfWatch(l action.Look) action.Look {
	r, ok := d.page.list.selected()
	if ok && d.page.watches[r.key()] {
		l.Title = "unwatch"
	}
	if ok && r.Running() {
		l.Footer = action.Leading
	}
	return l
}

func (d *declared) feedActions() action.Group {
	p := d.page
	unlisted := func() bool { return len(p.scope.list.Projects) == 0 }
	unread := action.If(func() bool { return p.live.timeline().Read() == 0 }, "the operations have not been loaded")
	every := func(interval time.Duration) tea.Cmd {
		return p.setPolls(func(o *feed.Options) { o.Interval = interval })
	}
	since := func(at time.Time) tea.Cmd {
		p.load(need{at, forUser})
		return p.poll()
	}
	return action.Group{Title: "Feed", Actions: []*action.Action{
		{
			ID: "choose-project", Title: "choose a project", Short: "choose project", Keys: []string{"O"}, Run: p.scope.choose,
			Footer: action.LowPriority, Disabled: action.If(unlisted, "the projects have not been loaded"),
		},
		{
			ID: "all-projects", Rare: true, Title: "show all projects", Keys: []string{"a"},
			Disabled: action.If(p.scope.all, "already shown"), Run: p.scope.show(models.Project{}),
		},
		{
			ID: "pause", Title: "pause", Keys: []string{"p"}, Footer: action.LowPriority, Vary: d.lookOfPause,
			Run: d.polled(p.live.togglePause),
		},
		{
			ID: "refresh", Title: "refresh", Keys: []string{"r"},
			Disabled: action.If(p.live.paused, "polling is paused"), Run: p.refreshAll,
		},
		{
			ID: "statistics", Title: "show groups", Short: "groups", Keys: []string{"v"}, Footer: action.Shown,
			Vary: d.lookOfGroups, Run: p.toggleGroups,
		},
		d.ofAction,
		{
			ID: "group-by", Title: "group by", Keys: []string{"tab"}, Footer: action.Leading,
			Hidden: func() bool { return !p.counting() }, Run: func() tea.Cmd { return p.groupBy(p.nextDimension()) },
			Arg: action.Choice(p.dimensionNames, p.groupByName),
		},
		{
			ID: "copy-group", Title: "copy the report of the group", Short: "report", Keys: []string{"y"}, Footer: action.Shown,
			Hidden: func() bool { return !p.counting() }, Run: p.copyGroup,
		},
		{
			ID: "acknowledge", Title: "acknowledge the failure",
			Disabled: action.If(func() bool { return len(p.failures()) == 0 }, "nothing that failed is selected"),
			Run:      p.acknowledge,
		},
		{
			ID: "concentration", Rare: true, Title: "show where failures lie together", Keys: []string{"C"},
			Disabled: action.If(func() bool { return !p.together.shown(p.live.timeline()) }, "failures do not lie together"),
			Run:      p.showTogether,
		},
		{
			ID: "window", Rare: true, Title: "change the counted time", Keys: []string{"i"},
			Arg: action.Duration("1h", windows, CheckWindow, p.setWindow),
			Run: func() tea.Cmd { return p.setWindow(nextWindow(p.window)) },
		},
		{
			ID: "project", Title: "show the operations of a project",
			Arg: &action.Arg{Example: "name", Complete: p.scope.complete, Parse: p.scope.parse},
		},
		{ID: "interval", Title: "change the polling interval", Arg: action.Duration("2s", intervals, CheckInterval, every)},
		{ID: "since", Title: "load all operations since a time", Disabled: unread, Arg: p.scope.timeArg("3d", since)},
		{ID: "at", Title: "go to the operation at a time", Disabled: unread, Arg: p.scope.timeArg("14:32", p.goTo)},
	}}
}

func (d *declared) lookOfPause(l action.Look) action.Look {
	if d.page.live.paused() {
		l.Title = "resume"
	}
	return l
}

func (d *declared) lookOfGroups(l action.Look) action.Look {
	if d.page.counting() {
		l.Short = "list"
	}
	return l
}

// counting reports whether the groups are shown.
func (p *Page) counting() bool { return p.groups != nil }

// loadMissing loads what the selected row stands for: a gap, or older operations.
func (p *Page) loadMissing() tea.Cmd {
	r, ok := p.list.table.Choose()
	switch {
	case !ok:
		return nil
	case r.line != nil:
		p.loadOlder()
	case r.gap != nil:
		p.live.loadGap(*r.gap)
	}
	return p.poll()
}

func (p *Page) watch(r *row) tea.Cmd {
	p.watches.toggle(r, p.scope.operation(r), p.session)
	return p.poll()
}

// refreshAll polls immediately, or lists the projects if there are none.
func (p *Page) refreshAll() tea.Cmd {
	if p.scope.all() && len(p.scope.list.Projects) == 0 {
		p.session.Emit(page.RefreshProjects{})
		return nil
	}
	return p.refreshNow()
}

// setPolls changes how often and how much is polled.
func (p *Page) setPolls(change func(*feed.Options)) tea.Cmd {
	p.live.setOptions(change)
	p.list.locate()
	return p.poll()
}

// when returns a reason if it applies, or "".
func when(is bool, reason string) string {
	if is {
		return reason
	}
	return ""
}

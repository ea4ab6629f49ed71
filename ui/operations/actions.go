package operations

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// declared has the actions of the page that are not those of its table.
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
	d.ofViews = p.views.actions()
	d.inTime, d.timeMoves = p.time.actions(p.groups)
	d.coverable(d.ofRows)
	d.coverable(d.inTime)
	d.inTime.Actions = slices.Insert(d.inTime.Actions, 0, d.timelineAction())
	return d
}

// with returns all actions. groups are those of the page on the screen: first those of the rows or of the groups, then those of
// its table.
func (d *declared) with(groups []action.Group) []action.Group {
	switch {
	case d.page.groups.shown: // the actions of the groups take precedence
		shown := append([]action.Group{d.ofViews, d.ofFeed}, groups...)
		return append(shown, d.ofRows, d.inTime, d.page.list.table.Marks())
	case d.page.time.open:
		return slices.Concat([]action.Group{d.inTime, d.timeMoves, groups[0], d.ofViews, d.ofFeed}, groups[1:])
	}
	return slices.Concat(groups[:1], []action.Group{d.ofViews, d.ofFeed, d.inTime, d.timeMoves}, groups[1:])
}

// adopt prepares the actions that mark the rows of a table.
func (d *declared) adopt(marks action.Group) {
	marks.Actions[0].Footer = action.LowPriority
	d.coverable(marks)
}

// coverable makes the actions of rows unavailable while the groups cover the rows.
func (d *declared) coverable(g action.Group) {
	for _, a := range g.Actions {
		reason := a.Disabled
		a.Disabled = func() string { return d.covered(reason) }
	}
}

// covered returns why an action of the rows is unavailable, or "": the groups are shown, or a reason of its own.
func (d *declared) covered(reason func() string) string {
	switch {
	case d.page.groups.shown:
		return "the groups are shown"
	case reason == nil:
		return ""
	}
	return reason()
}

// enterAction declares what Enter does instead of opening the details: it loads what the selected row stands for.
func (d *declared) enterAction() *action.Action {
	return &action.Action{
		ID: "load-gap", Title: "load the gap", Keys: []string{"enter"}, Footer: action.Leading,
		Hidden: d.noGap, Vary: d.lookOfGap, Run: d.loadMissing,
	}
}

// noGap reports whether the selected row is an operation, or the groups cover it.
func (d *declared) noGap() bool {
	r, ok := d.page.list.shown().Selected()
	return !ok || r.Op != nil || d.page.groups.shown
}

func (d *declared) lookOfGap(l action.Look) action.Look {
	r, ok := d.page.list.shown().Selected()
	if ok && r.line != nil {
		l.Title = "load older"
	}
	return l
}

// loadMissing loads what the selected row stands for: a gap, or older operations.
func (d *declared) loadMissing() tea.Cmd {
	p := d.page
	r, ok := p.list.table.Choose()
	switch {
	case !ok:
		return nil
	case r.line != nil:
		p.loader.loadOlder()
	case r.gap != nil:
		p.live.loadGap(*r.gap)
	}
	return nil
}

// filter declares an action that filters as a view does, or shows all again.
func (d *declared) filter(id, title, key, view string) *action.Action {
	none := func() bool { return d.page.views.filterOf(view) == "" }
	return &action.Action{
		ID: id, Title: title, Keys: []string{key}, Run: action.With(d.toggleView, view),
		Disabled: action.If(none, "your view of that name has no filter"),
	}
}

func (d *declared) toggleView(name string) tea.Cmd {
	return d.page.list.toggle(d.page.views.filterOf(name))
}

func (d *declared) rowActions() action.Group {
	p := d.page
	failed := d.filter("failed", "show only failed", "f", query.FailedView)
	failed.Short, failed.Footer = "failed", action.Shown
	unfinished := d.filter("unfinished", "show only unfinished", "u", query.UnfinishedView)
	unfinished.Rare = true
	return action.Group{Title: "Operations", Actions: []*action.Action{
		d.enter, failed, unfinished,
		{
			ID: "related", Title: "show related operations", Short: "related", Keys: []string{"="},
			Footer: action.LowPriority, Disabled: p.list.noOperation,
			Run: p.list.onRow(p.onward.chooseRelated),
		},
		{
			ID: "open-project", Title: "open the project", Short: "project", Keys: []string{"o"},
			Footer: action.LowPriority, Disabled: p.list.notListed,
			Run: p.list.onRow(p.scope.openProject),
		},
		{
			ID: "watch", Title: "watch", Keys: []string{"w"}, Footer: action.OfRow, Vary: d.lookOfWatch,
			Disabled: p.list.unwatchable,
			Run:      p.list.onRow(d.watch),
		},
		{
			ID: "copy", Title: "copy", Keys: []string{"y"}, Footer: action.LowPriority, Keywords: []string{"report", "summary", "json", "curl", "clipboard"},
			Disabled: p.copier.nothingToCopy, Run: action.Do(p.copier.choose),
		},
	}}
}

// timelineAction declares the action that shows the timeline, or that of the selected group.
func (d *declared) timelineAction() *action.Action {
	return &action.Action{
		ID: "timeline", Title: "show the timeline", Short: "timeline", Keys: []string{"t"}, Footer: action.Shown,
		Keywords: []string{"zoom", "chart"},
		Hidden:   d.page.detailsShown, Disabled: action.If(d.page.groups.noFilter, "no group is selected"),
		Vary: d.lookOfTimeline, Run: d.toggleTimeline,
	}
}

func (d *declared) lookOfTimeline(l action.Look) action.Look {
	switch {
	case d.page.groups.shown:
		l.Title = "show the timeline of the group"
	case d.page.time.open:
		l.Title, l.Short, l.Footer = "show the list", "list", action.Leading
	}
	return l
}

func (d *declared) toggleTimeline() tea.Cmd {
	if d.page.groups.shown {
		return d.page.groupInTime()
	}
	d.page.time.toggle()
	return nil
}

func (d *declared) lookOfWatch(l action.Look) action.Look {
	r, ok := d.page.list.selected()
	if ok && d.page.watches[r.key()] {
		l.Title = "unwatch"
	}
	if !ok || !r.Running() {
		l.Footer = action.NotShown // what has ended needs no watch
	}
	return l
}

func (d *declared) watch(r *row) tea.Cmd {
	d.page.watches.toggle(r, d.page.scope.operation(r), d.page.session)
	return nil
}

// groupActions declares the actions of the groups, with the one that shows or hides them.
func (d *declared) groupActions() []*action.Action {
	g := d.page.groups
	return []*action.Action{
		{
			ID: "statistics", Title: "show groups", Short: "groups", Keys: []string{"v"},
			Keywords: []string{"errors", "statistics", "region", "organization", "branch"},
			Footer:   action.Shown, Vary: d.lookOfGroups, Run: d.toggleGroups,
		},
		d.ofAction,
		{
			ID: "group-by", Title: "group by", Keys: []string{"tab"}, Footer: action.Leading,
			Hidden: g.hidden, Run: g.groupByNext,
			Arg: action.Choice(g.names, g.groupByName),
		},
		{
			ID: "copy-group", Title: "copy the report of the group", Short: "report",
			Keys: []string{"y"}, Footer: action.Shown, Hidden: g.hidden, Run: d.copyGroup,
		},
	}
}

// showAction declares what Enter does in the groups: it shows the operations of one.
func (d *declared) showAction() *action.Action {
	g := d.page.groups
	return &action.Action{
		ID: "action-operations", Title: "operations", Keys: []string{"enter"},
		Footer: action.Leading, Hidden: g.hidden,
		Disabled: action.If(g.noFilter, "no group is selected"),
		Run:      d.page.showGroup,
	}
}

func (d *declared) lookOfGroups(l action.Look) action.Look {
	switch {
	case d.page.groups.shown && d.page.time.open:
		l.Short = "timeline" // where they were opened
	case d.page.groups.shown:
		l.Short = "list"
	}
	return l
}

func (d *declared) toggleGroups() tea.Cmd {
	if d.page.groups.shown {
		return d.page.groups.hide()
	}
	return d.page.groups.show(d.page.window)
}

// copyGroup copies the report of the chosen group.
func (d *declared) copyGroup() tea.Cmd {
	p := d.page
	chosen, ok := p.groups.page.Choose()
	if ok {
		text := p.copier.reportOf(p.groups.by.String()+" "+chosen.label, p.groups.operationsOf(chosen)).Text(true)
		p.session.Emit(page.Copy{Label: "the report of " + chosen.label, Text: models.NewSecret(text)})
	}
	return nil
}

func (d *declared) feedActions() action.Group {
	p := d.page
	unread := action.If(p.live.unread, "the operations have not been loaded")
	feedIs := []*action.Action{
		{
			ID: "choose-project", Title: "choose a project", Short: "choose project",
			Keys: []string{"O"}, Footer: action.LowPriority, Disabled: p.scope.unlisted,
			Run: p.scope.choose,
		},
		{
			ID: "all-projects", Rare: true, Title: "show all projects", Keys: []string{"a"},
			Disabled: action.If(p.scope.all, "already shown"), Run: p.scope.show(models.Project{}),
		},
		{
			ID: "pause", Title: "pause", Keys: []string{"p"}, Footer: action.LowPriority,
			Vary: d.lookOfPause,
			Run:  d.togglePause,
		},
		{
			ID: "refresh", Title: "refresh", Keys: []string{"r"},
			Disabled: action.If(p.live.paused, "polling is paused"), Run: d.refresh,
		},
	}
	further := []*action.Action{
		{
			ID: "acknowledge", Title: "acknowledge the failure", Run: d.acknowledge,
			Disabled: action.If(d.noFailure, "nothing that failed is selected"),
		},
		{
			ID: "concentration", Title: "show where failures lie together",
			Keywords: []string{"place", "region", "incident", "outage"}, Keys: []string{"C"}, Run: p.showTogether, Disabled: p.notTogether,
		},
		{
			ID: "window", Title: "change the counted time", Keys: []string{"i"},
			Arg: action.Duration("1h", windows, settings.CheckWindow, p.setWindow),
			Run: p.turnWindow,
		},
		{
			ID: "project", Title: "show the operations of a project",
			Arg: &action.Arg{Example: "name", Complete: p.scope.complete, Parse: p.scope.parse},
		},
		{
			ID: "interval", Title: "change the polling interval",
			Arg: action.Duration("2s", intervals, settings.CheckInterval, d.setInterval),
		},
		{
			ID: "since", Title: "load all operations since a time", Keywords: []string{"history", "older"}, Disabled: unread,
			Arg: timeArg(p.live, "3d", d.loadSince),
		},
		{
			ID: "at", Title: "go to the operation at a time", Disabled: unread,
			Arg: timeArg(p.live, "14:32", p.goTo),
		},
	}
	return action.Group{Title: "Feed", Actions: slices.Concat(feedIs, d.groupActions(), further)}
}

func (d *declared) lookOfPause(l action.Look) action.Look {
	if d.page.live.paused() {
		l.Title = "resume"
	}
	return l
}

func (d *declared) togglePause() tea.Cmd {
	d.page.live.togglePause()
	d.page.together.hurry()
	return d.page.together.search() // as of the pause, at once: later, nothing may change
}

// refresh polls immediately, or lists the projects if there are none.
func (d *declared) refresh() tea.Cmd {
	p := d.page
	if p.scope.all() && len(p.scope.list.Projects) == 0 {
		p.live.retry()
		p.session.Emit(page.RefreshProjects{})
		return nil
	}
	return p.refreshNow()
}

func (d *declared) setInterval(interval time.Duration) tea.Cmd {
	o := d.page.live.poller.Options()
	o.Interval = interval
	return d.page.setPolls(o)
}

func (d *declared) loadSince(since time.Time) tea.Cmd {
	d.page.loader.load(need{since, forUser})
	return nil
}

// noFailure reports whether the selected group or operation has no failure. It is called for each key, so it does not go through
// the operations as failures does.
func (d *declared) noFailure() bool {
	if d.page.groups.shown {
		g, ok := d.page.groups.page.List().Selected()
		return !ok || g.Failed == 0
	}
	r, ok := d.page.list.selected()
	return !ok || !r.Op.Status.Failed()
}

// failures returns the failures of the chosen group, or that of the selected operation.
func (d *declared) failures() map[incident.Failure]bool {
	p := d.page
	var failed []incident.Operation
	if p.groups.shown {
		if g, ok := p.groups.page.List().Selected(); ok {
			failed = p.groups.operationsOf(g)
		}
	} else if r, ok := p.list.selected(); ok {
		failed = append(failed, r.Incident())
	}
	out := map[incident.Failure]bool{}
	for _, o := range failed {
		if o.Status.Failed() {
			out[incident.FailureOf(o)] = true
		}
	}
	return out
}

func (d *declared) acknowledge() tea.Cmd {
	d.page.alerts.acknowledge(d.failures())
	return nil
}

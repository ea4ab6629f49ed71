package operations

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// Actions declares what can be done on the page. Each is followed by [Page.settle].
func (p *Page) Actions() []action.Group {
	groups := p.shown().Actions()
	if !p.Editing() {
		groups = append([]action.Group{p.rowActions(), p.feedActions()}, groups...)
	}
	loads := !p.enter().Hidden
	for _, g := range groups {
		for i := range g.Actions {
			a := &g.Actions[i]
			if a.ID == "details" && loads {
				a.Footer = action.NotShown // Enter loads
			}
			a.Run = p.settled(a.Run)
			if a.Arg != nil {
				parse := a.Arg.Parse
				a.Arg.Parse = func(arg string) (func() tea.Cmd, error) {
					run, err := parse(arg)
					return p.settled(run), err
				}
			}
		}
	}
	return groups
}

// settled returns run with what follows from everything that the user does.
func (p *Page) settled(run func() tea.Cmd) func() tea.Cmd {
	if run == nil {
		return nil
	}
	return func() tea.Cmd {
		p.table.Forget()
		cmd := run()
		return tea.Batch(cmd, p.settle())
	}
}

// polled returns what does something and polls at once.
func (p *Page) polled(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return p.poll()
	}
}

// onRow returns what acts on the operation that the user saw as selected.
func (p *Page) onRow(act func(row) tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if r, ok := p.table.Choose(); ok && r.op != nil {
			return act(r)
		}
		return nil
	}
}

// toggleStatistics shows the statistics in the place of the rows, or the rows again.
func (p *Page) toggleStatistics() {
	if p.statistics != nil {
		p.statistics = nil
	} else {
		p.statistics = newStatistics(p.state, action.Do(p.toggleStatistics))
	}
}

// enter is what Enter and a double click do where the selected row is no operation.
func (p *Page) enter() action.Action {
	r, ok := p.table.Selected()
	a := action.Action{
		ID: "load-gap", Title: "load the gap", Keys: []string{"enter"}, Footer: action.Shown,
		Hidden: !ok || r.op != nil || p.statistics != nil,
	}
	if r.line != nil {
		a.Title = "load older"
	}
	a.Run = func() tea.Cmd {
		switch r, ok := p.table.Choose(); {
		case !ok:
			return nil
		case r.line != nil:
			p.history.loadOn()
		case r.gap != nil:
			p.poller.LoadGap(*r.gap)
		}
		return p.poll()
	}
	return a
}

// rowActions act on the selected operation or on the rows shown.
func (p *Page) rowActions() action.Group {
	r, _ := p.table.Selected()
	none := when(r.op == nil, "no operation is selected")
	unknown := none // why it cannot be asked about
	if r.op != nil {
		unknown = when(models.NoID(r.op.ID), "it has no id")
	}
	filter := func(id, title, key, query string) action.Action {
		return action.Action{ID: id, Title: title, Keys: []string{key}, Run: func() tea.Cmd { return p.toggle(query) }}
	}
	failed := filter("failed", "failed", "f", failedQuery)
	failed.Footer = action.Shown
	watch := p.onRow(func(r row) tea.Cmd { p.news.watch(r); return p.poll() })
	watchAll := p.onRow(func(r row) tea.Cmd { p.news.watchAll(r.project); return p.poll() })
	copies := p.onRow(func(r row) tea.Cmd { p.chooseCopy(r); return nil })
	export := func() { p.askExport("operations-"+p.session.Now().UTC().Format("20060102-150405")+".csv", "") }
	nothing := when(p.table.Matches() == 0, "there is nothing to export")
	g := action.Group{Title: "Operations", Actions: []action.Action{
		p.enter(), failed,
		filter("unfinished", "unfinished", "u", unfinishedQuery),
		filter("counted-failed", "failed in the counted time", "F", p.window.failed()),
		filter("counted-finished", "finished in the counted time", "D", p.window.finished()),
		{ID: "watch", Title: "watch", Keys: []string{"w"}, Footer: action.LowPriority, Disabled: unknown, Run: watch},
		{ID: "watch-all", Title: "watch all unfinished of the project", Keys: []string{"W"}, Disabled: none, Run: watchAll},
		{ID: "copy", Title: "copy", Keys: []string{"y"}, Disabled: none, Run: copies},
		{ID: "json", Title: "JSON", Keys: []string{"J"}, Disabled: unknown, Run: p.onRow(p.readJSON)},
		{ID: "export", Title: "export", Keys: []string{"e"}, Disabled: nothing, Run: action.Do(export)},
	}}
	for i := range g.Actions {
		g.Actions[i].Hidden = g.Actions[i].Hidden || p.statistics != nil
	}
	return g
}

// feedActions act on the feed as a whole.
func (p *Page) feedActions() action.Group {
	choose := when(len(p.list.Projects) == 0, "the projects are not loaded")
	older := when(!p.timeline().HasOlder() && p.broken() == "", "there is nothing older")
	unread := when(p.timeline().Read() == 0, "the operations are not read yet")
	shown := when(p.all(), "already shown")
	pause := cmp.Or(when(p.paused(), "resume"), "pause")
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return p.stepInterval(by) } }
	return action.Group{Title: "Feed", Actions: []action.Action{
		{
			ID: "stop-loading", Title: "stop loading", Keys: []string{"esc"}, Footer: action.Shown, Hidden: !p.stoppable(),
			Run: action.Do(p.history.stop),
		},
		{ID: "choose-project", Title: "project", Keys: []string{"o"}, Footer: action.Shown, Disabled: choose, Run: action.Do(p.choose)},
		{ID: "all-projects", Title: "all projects", Keys: []string{"a"}, Disabled: shown, Run: p.show(models.Project{})},
		{ID: "pause", Title: pause, Keys: []string{"p"}, Footer: action.Shown, Run: p.polled(p.togglePause)},
		{ID: "faster", Title: "poll faster", Keys: []string{"+", "="}, Run: step(-1)},
		{ID: "slower", Title: "poll slower", Keys: []string{"-", "_"}, Run: step(+1)},
		{ID: "refresh", Title: "refresh", Keys: []string{"r"}, Disabled: when(p.paused(), "it is paused"), Run: p.refreshAll},
		{ID: "older", Title: "load older", Keys: []string{"m"}, Disabled: older, Run: p.polled(p.history.olderNow)},
		{ID: "statistics", Title: "statistics", Keys: []string{"v"}, Run: action.Do(p.toggleStatistics)},
		{
			ID: "window", Title: "count another time", Keys: []string{"i"}, Arg: p.windowArg(),
			Run: func() tea.Cmd { return p.setWindow(p.window.next()) },
		},
		{
			ID: "project", Title: "show the operations of a project",
			Arg: &action.Arg{Example: "name", Complete: p.complete, Parse: p.parse},
		},
		{ID: "interval", Title: "change the time between polls", Arg: p.intervalArg()},
		{ID: "load", Title: "load older operations until so many are there", Disabled: unread, Arg: p.loadArg()},
	}}
}

// when is a reason where it is one.
func when(is bool, reason string) string {
	if is {
		return reason
	}
	return ""
}

// refreshAll asks at once, for the projects first if there are none.
func (p *Page) refreshAll() tea.Cmd {
	if p.all() && len(p.list.Projects) == 0 {
		p.session.Emit(page.RefreshProjects{})
		return nil
	}
	return p.refreshNow()
}

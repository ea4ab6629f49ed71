package operations

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

func projectKey() action.Action {
	return action.New("o", "project", "o").Named("choose-project").InFooter()
}

func allKey() action.Action     { return action.New("a", "all projects", "a").Named("all-projects") }
func refreshKey() action.Action { return action.New("r", "refresh", "r").Named("refresh") }
func pauseKey() action.Action   { return action.New("p", "pause", "p").Named("pause").InFooter() }

func fasterKey() action.Action { return action.New("+", "poll faster", "+", "=").Named("faster") }

func slowerKey() action.Action { return action.New("-", "poll slower", "-", "_").Named("slower") }

func failedKey() action.Action     { return action.New("f", "failed", "f").Named("failed").InFooter() }
func unfinishedKey() action.Action { return action.New("u", "unfinished", "u").Named("unfinished") }
func windowKey() action.Action     { return action.New("i", "count another time", "i").Named("window") }

func countFailedKey() action.Action {
	return action.New("F", "failed in the counted time", "F").Named("counted-failed")
}

func countFinishedKey() action.Action {
	return action.New("D", "finished in the counted time", "D").Named("counted-finished")
}

func watchKey() action.Action { return action.New("w", "watch", "w").Named("watch").IfRoom() }
func watchAllKey() action.Action {
	return action.New("W", "watch all unfinished of the project", "W").Named("watch-all")
}
func statsKey() action.Action  { return action.New("v", "statistics", "v").Named("statistics") }
func copyKey() action.Action   { return action.New("y", "copy", "y").Named("copy") }
func jsonKey() action.Action   { return action.New("J", "JSON", "J").Named("json") }
func exportKey() action.Action { return action.New("e", "export", "e").Named("export") }
func olderKey() action.Action  { return action.New("m", "load older", "m").Named("older") }
func openGapKey() action.Action {
	return action.New("↵", "load the gap", "enter").Named("load-gap").InFooter()
}

// behind says that back leaves the operations of the project for where the person was
// before. Those of all projects are where the page begins: nothing is behind them.
func (p *Page) behind() bool { return !p.all() && p.session.Behind && !p.loadStops() }

// AllKeys is everything that can be done on the page, in whichever state it is.
func AllKeys() []action.Group {
	return append([]action.Group{
		{Title: "Operations", Actions: []action.Action{
			openGapKey(), failedKey(), unfinishedKey(), countFailedKey(), countFinishedKey(), watchKey(), watchAllKey(), copyKey(), jsonKey(), exportKey(),
		}},
		{Title: "Feed", Actions: []action.Action{
			projectKey(), allKey(), pauseKey(), fasterKey(), slowerKey(), refreshKey(), olderKey(), stopLoadKey(), statsKey(), windowKey(),
		}},
	}, table.AllKeys(action.Action{}, false)...)
}

// browser is whichever table is shown, as far as both are alike.
func (p *Page) browser() interface {
	Editing() bool
	Keys() []action.Group
} {
	if p.stats != nil {
		return p.stats
	}
	return p.table
}

// selected returns the selected operation, if one is shown and selected.
func (p *Page) selected() (row, bool) {
	if p.stats != nil {
		return row{}, false
	}
	r, ok := p.table.List().Selected()
	return r, ok && r.op != nil
}

// key does what a key asks for; what it has no use for is for the table.
func (p *Page) key(k tea.KeyPressMsg) tea.Cmd {
	// Whoever goes on has no wish to be brought back to where they were.
	p.resume = ""
	if p.Editing() {
		return p.toTable(k)
	}
	switch {
	case projectKey().Pressed(k):
		p.chooseProject()
		return nil
	case allKey().Pressed(k):
		return p.turnTo(models.Project{})
	case refreshKey().Pressed(k):
		if p.all() && len(p.projects.Projects) == 0 {
			return page.Say(page.WantProjects{})
		}
		return p.refreshNow()
	case pauseKey().Pressed(k):
		return p.pause()
	case fasterKey().Pressed(k):
		return p.setInterval(nextInterval(p.poller.Interval(), -1))
	case slowerKey().Pressed(k):
		return p.setInterval(nextInterval(p.poller.Interval(), +1))
	case windowKey().Pressed(k):
		return p.stepWindow()
	case statsKey().Pressed(k):
		return p.toggleStats()
	case p.stats != nil:
		return p.statsInput(k)
	case p.loadStops() && stopLoadKey().Pressed(k):
		p.stopLoading()
		return nil
	case p.filterOf(k) != "":
		return p.toggleFilter(p.filterOf(k))
	case olderKey().Pressed(k):
		return p.loadOlderNow()
	case exportKey().Pressed(k):
		p.askExport("operations-"+p.session.Now().UTC().Format("20060102-150405")+".csv", "")
		return nil
	}
	return p.rowKey(k)
}

// rowKey does what a key asks for the row that it was pressed for.
func (p *Page) rowKey(k tea.KeyPressMsg) tea.Cmd {
	var act func(row) tea.Cmd
	switch {
	case watchKey().Pressed(k):
		act = p.toggleWatch
	case watchAllKey().Pressed(k):
		act = func(r row) tea.Cmd { return p.watchAll(r.project) }
	case copyKey().Pressed(k):
		act = func(r row) tea.Cmd { p.chooseCopy(r); return nil }
	case jsonKey().Pressed(k):
		act = p.readRaw
	case openGapKey().Pressed(k):
		r, ok := p.table.Choose()
		switch {
		case ok && r.line != nil:
			return p.loadOn()
		case ok && r.gap != nil:
			p.poller.LoadGap(*r.gap)
			return p.poll()
		}
		return p.toTable(k)
	default:
		return p.toTable(k)
	}
	if r, ok := p.table.Choose(); ok && r.op != nil {
		return act(r)
	}
	return nil
}

// filterOf returns the filter that a key is for, or nothing.
func (p *Page) filterOf(k tea.KeyPressMsg) string {
	switch {
	case failedKey().Pressed(k):
		return failedQuery
	case unfinishedKey().Pressed(k):
		return unfinishedQuery
	case countFailedKey().Pressed(k):
		return p.window.failed()
	case countFinishedKey().Pressed(k):
		return p.window.finished()
	}
	return ""
}

// toggleFilter shows the rows of a filter alone, or all if it is in force already.
func (p *Page) toggleFilter(q string) tea.Cmd {
	if p.table.Query() == q {
		q = ""
	}
	return p.table.SetQuery(q)
}

// Keys declares what can be done on the page now.
func (p *Page) Keys() []action.Group {
	if p.Editing() {
		return p.browser().Keys()
	}
	project, all, refresh, load := projectKey(), allKey(), refreshKey(), olderKey()
	if len(p.projects.Projects) == 0 {
		project = project.Unless("the projects are not loaded")
	}
	if p.all() {
		all = all.Unless("they are shown")
	}
	if p.paused() {
		refresh = refresh.Unless("it is paused")
	}
	if !p.timeline.HasOlder() && p.broken() == "" {
		load = load.Unless("there is nothing older")
	}
	pause := pauseKey()
	if p.paused() {
		pause.SetHelp("p", "resume")
	}
	feed := action.Group{Title: "Feed", Actions: []action.Action{
		project, all, pause, fasterKey(), slowerKey(), refresh, load, statsKey(), windowKey(),
	}}
	if p.stats != nil {
		return append([]action.Group{feed}, p.stats.Keys()...)
	}
	if p.loadStops() {
		feed.Actions = append([]action.Action{stopLoadKey()}, feed.Actions...)
	}
	groups := append([]action.Group{p.rowKeys(), feed}, p.table.Keys()...)
	if r, ok := p.table.List().Selected(); ok && r.op == nil { // Enter loads
		for _, g := range groups {
			for i := range g.Actions {
				if a := &g.Actions[i]; a.Name == p.table.Open.Name {
					a.Footer = false
				}
			}
		}
	}
	return groups
}

// rowKeys are those that act on the selected operation or on the rows shown.
func (p *Page) rowKeys() action.Group {
	reason := ""
	r, ok := p.selected()
	if !ok {
		reason = "no operation is selected"
	}
	unknown := reason // why it cannot be asked about
	if ok && models.NoID(r.op.ID) {
		unknown = "it has no id"
	}
	export := exportKey()
	if p.table.List().Matches() == 0 {
		export = export.Unless("there is nothing to export")
	}
	g := action.Group{Title: "Operations", Actions: []action.Action{
		failedKey(), unfinishedKey(), countFailedKey(), countFinishedKey(),
		watchKey().Unless(unknown), watchAllKey().Unless(reason),
		copyKey().Unless(reason), jsonKey().Unless(unknown), export,
	}}
	if r, ok := p.table.List().Selected(); ok && r.op == nil {
		load := openGapKey()
		if r.line != nil {
			load.SetHelp("↵", "load older")
		}
		g.Actions = append([]action.Action{load}, g.Actions...)
	}
	return g
}

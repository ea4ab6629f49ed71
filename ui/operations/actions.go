package operations

import (
	"slices"
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
	enter           *action.Action // what Enter does instead of opening the details
	json            *action.Action // what Enter does in open details
	ofAction        *action.Action // what Enter does in the statistics
	ofRows, ofViews action.Group
	ofFeed, inTime  action.Group
	timeMoves       action.Group
}

func (p *Page) declare() {
	p.actions.enter, p.actions.ofAction = p.enterAction(), p.showActionAction()
	p.actions.json = &action.Action{
		Title: "show as JSON", Short: "JSON", Footer: action.Leading, Run: p.onRow(p.driver.readJSON),
	}
	p.actions.ofRows, p.actions.ofFeed = p.rowActions(), p.feedActions()
	p.actions.ofViews = p.views.actions(p.showView)
	p.actions.inTime, p.actions.timeMoves = p.time.actions(p.counting)
	p.coverable(p.actions.ofRows)
	p.coverable(p.actions.inTime)
}

// Actions returns the actions of the page, or those of an open filter. [page.UserActive] follows each.
func (p *Page) Actions() []action.Group {
	groups, d := p.shown().Actions(), &p.actions
	switch {
	case p.Editing():
		return groups
	case p.counting(): // the statistics' actions take precedence
		own := []action.Group{d.ofViews, d.ofFeed}
		return slices.Concat(own, groups, []action.Group{d.ofRows, d.inTime, p.table.Marks()})
	case p.time.open:
		return append([]action.Group{d.inTime, d.timeMoves, d.ofRows, d.ofViews, d.ofFeed}, groups...)
	}
	return append([]action.Group{d.ofRows, d.ofViews, d.ofFeed, d.inTime, d.timeMoves}, groups...)
}

// counting reports whether the statistics are shown.
func (p *Page) counting() bool { return p.statistics != nil }

// coverable makes the actions of rows unavailable while the statistics cover the rows.
func (p *Page) coverable(g action.Group) {
	for _, a := range g.Actions {
		own := a.Disabled
		a.Disabled = func() string {
			switch {
			case p.counting():
				return "the statistics are shown"
			case own == nil:
				return ""
			}
			return own()
		}
	}
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
	p.statistics = newStatistics(p.state, p.actions.ofAction, p.toggleStatistics)
	return p.statistics.refresh()
}

// enterAction declares what Enter does instead of opening the details: it loads what the selected row stands for.
func (p *Page) enterAction() *action.Action {
	return &action.Action{
		ID: "load-gap", Title: "load the gap", Keys: []string{"enter"}, Footer: action.Leading,
		Hidden: func() bool {
			r, ok := p.table.Selected()
			return !ok || r.Op != nil || p.counting()
		},
		Vary: func(l action.Look) action.Look {
			if r, ok := p.table.Selected(); ok && r.line != nil {
				l.Title = "load older"
			}
			return l
		},
		Run: p.loadMissing,
	}
}

// loadMissing loads what the selected row stands for: a gap, or older operations.
func (p *Page) loadMissing() tea.Cmd {
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

// selectedRow returns the row of the selected operation.
func (s *state) selectedRow() (r *row, ok bool) {
	r, ok = s.table.Selected()
	return r, ok && r.Op != nil
}

func (s *state) noOperation() string {
	if _, ok := s.selectedRow(); !ok {
		return "no operation is selected"
	}
	return ""
}

// notListed returns why the project of the selected operation cannot be shown, or "".
func (s *state) notListed() string {
	r, ok := s.selectedRow()
	if ok && s.names[r.Project] == "" {
		return "the project is not in the list"
	}
	return s.noOperation()
}

// unwatchable returns why the selected operation cannot be requested, or "".
func (s *state) unwatchable() string {
	r, ok := s.selectedRow()
	if ok && models.NoID(r.Op.ID) {
		return "the operation has no id"
	}
	return s.noOperation()
}

func (s *state) lookOfWatch(l action.Look) action.Look {
	r, ok := s.selectedRow()
	if ok && s.watched[r.key()] {
		l.Title = "unwatch"
	}
	if ok && r.Running() {
		l.Footer = action.Leading
	}
	return l
}

// filters declares an action that filters by what filter returns, or shows all again.
func (p *Page) filters(id, title, key string, filter func() string) *action.Action {
	return &action.Action{
		ID: id, Title: title, Keys: []string{key},
		Disabled: action.If(func() bool { return filter() == "" }, "your view of that name has no filter"),
		Run:      func() tea.Cmd { return p.toggle(filter()) },
	}
}

func (p *Page) rowActions() action.Group {
	ofView := func(name string) func() string { return func() string { return p.views.filter(name) } }
	failed := p.filters("failed", "show only failed", "f", ofView(query.FailedView))
	failed.Short, failed.Footer = "failed", action.Shown
	unfinished := p.filters("unfinished", "show only unfinished", "u", ofView(query.UnfinishedView))
	countedFailed := p.filters("counted-failed", "show only failed in the counted time", "F", p.window.failed)
	unfinished.Rare, countedFailed.Rare = true, true
	uncopied := func() string {
		if p.table.CountMarked() > 0 {
			return ""
		}
		return p.noOperation()
	}
	nothing := func() bool { return p.table.Matches()+p.table.CountMarked() == 0 }
	return action.Group{Title: "Operations", Actions: []*action.Action{
		p.actions.enter, failed, unfinished, countedFailed,
		{
			ID: "related", Title: "show related operations", Short: "related", Keys: []string{"="}, Footer: action.Shown,
			Disabled: p.noOperation, Run: p.onRow(p.onward.chooseRelated),
		},
		{
			ID: "open-project", Title: "open the project", Short: "project", Keys: []string{"o"}, Footer: action.LowPriority,
			Disabled: p.notListed, Run: p.onRow(p.openProject),
		},
		{
			ID: "watch", Title: "watch", Keys: []string{"w"}, Vary: p.lookOfWatch, Disabled: p.unwatchable,
			Run: p.onRow(func(r *row) tea.Cmd { p.news.watch(r); return p.poll() }),
		},
		{
			ID: "copy", Title: "copy", Keys: []string{"y"}, Footer: action.LowPriority,
			Disabled: uncopied, Run: action.Do(p.chooseCopy),
		},
		{
			ID: "export", Title: "export", Keys: []string{"e"}, Footer: action.LowPriority,
			Disabled: action.If(nothing, "no operations to export"), Run: action.Do(p.exportNow),
		},
	}}
}

// exportNow asks for the file to export to.
func (p *Page) exportNow() {
	p.askExport("operations-"+p.session.Now().UTC().Format("20060102-150405")+".csv", "")
}

func (p *Page) feedActions() action.Group {
	unlisted := func() bool { return len(p.list.Projects) == 0 }
	unread := action.If(func() bool { return p.timeline().Read() == 0 }, "the operations have not been loaded")
	every := func(interval time.Duration) tea.Cmd {
		return p.setPolls(func(o *feed.Options) { o.Interval = interval })
	}
	since := func(at time.Time) tea.Cmd {
		p.load(need{at, forUser})
		return p.poll()
	}
	return action.Group{Title: "Feed", Actions: []*action.Action{
		{
			ID: "choose-project", Title: "choose a project", Short: "choose project", Keys: []string{"O"},
			Footer: action.LowPriority, Disabled: action.If(unlisted, "the projects have not been loaded"), Run: p.choose,
		},
		{
			ID: "all-projects", Rare: true, Title: "show all projects", Keys: []string{"a"},
			Disabled: action.If(p.all, "already shown"), Run: p.show(models.Project{}),
		},
		{
			ID: "pause", Title: "pause", Keys: []string{"p"}, Footer: action.LowPriority, Vary: p.lookOfPause,
			Run: p.polled(p.togglePause),
		},
		{
			ID: "refresh", Title: "refresh", Keys: []string{"r"},
			Disabled: action.If(p.paused, "polling is paused"), Run: p.refreshAll,
		},
		{
			ID: "statistics", Title: "show statistics", Short: "stats", Keys: []string{"v"}, Footer: action.Shown,
			Vary: p.lookOfStatistics, Run: p.toggleStatistics,
		},
		p.actions.ofAction,
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

func (s *state) lookOfPause(l action.Look) action.Look {
	if s.paused() {
		l.Title = "resume"
	}
	return l
}

func (p *Page) lookOfStatistics(l action.Look) action.Look {
	if p.counting() {
		l.Short = "list"
	}
	return l
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

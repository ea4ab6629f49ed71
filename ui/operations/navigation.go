package operations

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// screen returns what is shown as a view without a name or columns.
func (p *Page) screen() query.SavedView {
	project := cmp.Or(p.scope.project.ID, query.AllProjects)
	return query.SavedView{Filter: p.list.table.Query(), Project: project, Sort: p.list.order()}
}

// ViewState returns the user's position. At the top of the feed, that is no row.
func (p *Page) ViewState() page.ViewState {
	t := p.list.table
	state := page.ViewState{
		Project: p.scope.project.ID, Step: p.onward.step, Query: t.Query(), Open: t.Opened(),
		Statistics: p.groups.shown,
	}
	if p.groups.shown {
		state.Row, state.Open = p.groups.page.ViewState().Row, p.groups.page.Opened()
		return state
	}
	k, restoring := t.List().Restoring()
	r, ok := t.List().Selected()
	switch {
	case restoring:
		state.Row, state.Began = k, p.onward.began
	case ok && r.line == nil && t.List().Held():
		state.Row = r.key()
		if r.Op != nil {
			state.Began = r.Op.CreatedAt
		}
	}
	return state
}

// showOperations shows the operations of a project, and restores an earlier position in them.
func (p *Page) showOperations(msg page.ShowOperations) (cmd tea.Cmd) {
	same, back := msg.Project.ID == p.scope.project.ID, msg.Back
	p.scope.project = msg.Project
	if !same {
		p.resetList()
		p.list.locate()
		cmd = p.tabs.refresh()
	}
	if back == nil {
		return cmd
	}
	if back.Query != p.list.table.Query() {
		cmd = tea.Batch(cmd, p.list.filter(back.Query))
	}
	if same && back.Step == p.onward.step {
		return cmd
	}
	p.onward.step, p.onward.jump, p.onward.began = back.Step, jump{}, back.Began
	p.groups.shown = false
	switch {
	case back.Statistics:
		cmd = tea.Batch(cmd, p.groups.show(p.window))
		p.groups.page.Restore(back.Row, back.Open)
	case back.Row != key{}:
		p.list.goTo(back.Row, back.Open)
	default:
		cmd = tea.Batch(cmd, p.list.top())
	}
	return cmd
}

// showAsked shows the project that was asked for at the start by its id or its name, once that is listed.
func (p *Page) showAsked(list page.ProjectList) tea.Cmd {
	asked := p.scope.asked
	project, err := models.FindProject(list.Projects, asked)
	if asked == "" || err != nil && !list.Settled {
		return nil
	}
	p.scope.asked = ""
	switch {
	case err == nil && project.ID != p.scope.project.ID:
		return p.showOperations(page.ShowOperations{Project: project})
	case err != nil:
		p.session.Notify(style.Waiting, style.Sentence(err.Error()))
	}
	return nil
}

// turnToView applies a view. Settings of the previous view that this one leaves out return to their defaults.
func (p *Page) turnToView(view query.SavedView) tea.Cmd {
	from, _ := p.views.current()
	project := p.scope.project
	switch {
	case view.Project == query.AllProjects, view.Project == "" && from.Project != "":
		project = models.Project{}
	case view.Project != "" && view.Project != project.ID:
		project = p.scope.listed(view.Project)
	}
	cmd := p.showOperations(page.ShowOperations{Project: project})
	p.groups.shown, p.views.last = false, view.Name
	if view.Sort != "" || from.Sort != "" {
		cmd = tea.Batch(cmd, p.list.sort(view.Sort))
	}
	return tea.Batch(cmd, p.list.filter(view.Filter))
}

// showView goes to a view, from any page.
func (p *Page) showView(view query.SavedView) tea.Cmd {
	if !view.OfOperations() {
		p.session.Emit(page.ShowView{View: view})
		return nil
	}
	cmd := p.turnToView(view)
	p.session.Emit(page.ShowOperations{Project: p.scope.project})
	return cmd
}

// goTo goes to a time. It is a step at once, even if older operations have to be loaded first. Closing the groups is
// a step of its own, which stays even if there is no operation to go to.
func (p *Page) goTo(target time.Time) tea.Cmd {
	p.onward.start(target, p.groups.shown)
	p.groups.shown = false
	p.loader.load(need{target, forUser})
	p.session.Emit(page.ShowOperations{Project: p.scope.project})
	return nil
}

// showGroup shows the operations of the chosen group.
func (p *Page) showGroup() tea.Cmd {
	g, ok := p.groups.page.Choose()
	if !ok {
		return nil
	}
	filter := p.list.narrowed(p.groups.filterOf(g))
	p.groups.shown = false
	return p.onward.filterBy(filter)
}

// groupInTime shows the operations of the group in the timeline.
func (p *Page) groupInTime() tea.Cmd {
	cmd := p.showGroup()
	if !p.groups.shown && !p.time.open {
		p.time.toggle()
	}
	return cmd
}

// showTogether shows the failures of the first place where they lie together, then those of the next ones, and then all
// operations again.
func (p *Page) showTogether() tea.Cmd {
	p.groups.shown = false
	return p.onward.filterBy(p.together.result.next(p.list.table.Query()))
}

// notTogether returns that failures do not lie together, in words that follow the title of the action, or that this is unknown, or "".
func (p *Page) notTogether() string {
	_, _, spans := p.together.searched()
	switch {
	case p.together.known():
		return ""
	case len(spans) == 0:
		return "unknown: the last " + style.InUnits(slices.Min(incident.Spans())+feed.MaxRun) + " are not complete"
	}
	return "they do not"
}

// turnWindow changes the window to the next one.
func (p *Page) turnWindow() tea.Cmd { return p.setWindow(nextWindow(p.window)) }

// setWindow changes the window, and the filter if that is the window's.
func (p *Page) setWindow(length time.Duration) (cmd tea.Cmd) {
	failed := failedIn(p.window)
	p.window = length
	p.session.Notify(style.Muted, "Counting the last "+style.InUnits(length))
	if p.list.table.Query() == failed {
		cmd = p.list.filter(failedIn(length))
	}
	if p.groups.shown {
		cmd = tea.Batch(cmd, p.groups.show(length))
	}
	return cmd
}

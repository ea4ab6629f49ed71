package operations

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/picker"
)

// all says that the operations of all projects are shown.
func (p *Page) all() bool { return p.project.ID == "" }

// inScope returns the ids of the projects whose operations are shown, as far as they
// are known.
func (p *Page) inScope() []string {
	if !p.all() {
		return []string{p.project.ID}
	}
	ids := make([]string, len(p.projects.Projects))
	for i := range p.projects.Projects {
		ids[i] = p.projects.Projects[i].ID
	}
	return ids
}

// feed returns what is known of a project, which outlives the turns from one project
// to another.
func (p *Page) feed(project string) *feed.Feed {
	f := p.feeds[project]
	if f == nil {
		f = feed.New()
		p.feeds[project] = f
	}
	return f
}

// show makes the timeline and the table of the projects in scope.
func (p *Page) show() {
	ids := p.inScope()
	feeds := make([]feed.ProjectFeed, len(ids))
	for i, id := range ids {
		feeds[i] = feed.ProjectFeed{Project: id, Feed: p.feed(id)}
	}
	p.timeline = feed.NewTimeline(feeds...)
	for id := range p.plan.gone {
		p.timeline.Retire(id)
	}
	p.rows = newRows(p.timeline)
	p.rows.place()
	p.table = p.newTable()
	p.stats = nil
	p.marks = nil
	p.older, p.target = older{}, 0
	p.visit++
}

// turnTo shows the operations of a project, or of all for one without an id.
func (p *Page) turnTo(project models.Project) tea.Cmd {
	if project.ID == p.project.ID {
		p.project = project
		return nil
	}
	p.project, p.resume = project, ""
	p.show()
	p.poll.forget()
	p.plan.queue = nil
	if p.poll.paused() {
		// Somebody who turns to a project wants to see it, once at least.
		p.poll.once = true
		return p.startRound()
	}
	return p.soon()
}

// comeBackTo shows the operations of a project as the person left them. What they see
// already is not moved under them: there, the filter alone may be another one.
func (p *Page) comeBackTo(project models.Project, at page.Place) tea.Cmd {
	same := project.ID == p.project.ID
	cmd := p.turnTo(project)
	if at.Query != p.table.Query() {
		cmd = tea.Batch(cmd, p.table.SetQuery(at.Query))
	}
	if same {
		return cmd
	}
	p.resume, p.back, p.sought = at.Row, at, 0
	return tea.Batch(cmd, p.comeBack())
}

// tookProjects takes in which projects there are. What is loaded of those that are
// there still stays.
func (p *Page) tookProjects(list page.ProjectList) tea.Cmd {
	p.projects = list
	p.names = make(map[string]string, len(list.Projects))
	for i := range list.Projects {
		project := &list.Projects[i]
		p.names[project.ID] = project.Name
		if project.ID == p.project.ID {
			p.project = *project
		}
	}
	p.learn()
	clear(p.plan.gone)
	if !p.all() {
		return nil
	}
	for i := range list.Projects {
		id := list.Projects[i].ID
		p.timeline.Add(id, p.feed(id))
	}
	if list.Complete {
		p.retireMissing()
	}
	if !p.poll.began.IsZero() && len(p.plan.asked) > 0 {
		return p.refresh()
	}
	return tea.Batch(p.refresh(), p.soon())
}

// retireMissing stops asking about projects that are no longer in the list.
func (p *Page) retireMissing() {
	for id := range p.feeds {
		if _, ok := p.names[id]; !ok {
			p.timeline.Retire(id)
		}
	}
}

// name is how a project is called on the screen.
func (p *Page) name(project string) string {
	if name := p.names[project]; name != "" {
		return name
	}
	return project
}

// chooseProject lets the person pick what to watch.
func (p *Page) chooseProject() {
	items := []picker.Item{{ID: "", Title: "all projects", Then: page.ShowOperations{}}}
	for _, project := range p.projects.Projects {
		items = append(items, picker.Item{
			ID: project.ID, Title: project.Name, Note: project.ID,
			Then: page.ShowOperations{Project: project},
		})
	}
	p.session.Tell(page.Open{Dialog: picker.New("Operations of which project?", items, p.project.ID)})
}

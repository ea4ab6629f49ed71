// Package operations is the live feed of a project's system operations.
package operations

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/picker"
)

// Service is what the page asks the control API for.
type Service interface {
	// Operations returns a page of a project's operations (section 4.5).
	Operations(ctx context.Context, project string, r models.PageRequest) (models.OperationPage, error)
	// Operation reads one operation (section 4.6).
	Operation(ctx context.Context, project, id string) (models.Operation, error)
}

// Options are what the person can set about the feed.
type Options struct {
	// Interval is the time from the end of one poll to the next.
	Interval time.Duration
	// PageSize is how many operations are asked for at once.
	PageSize int
	// Place is where the feed begins: a project, and a row in it.
	Place page.Place
}

// Page is the state of the feed.
type Page struct {
	session *page.Session
	service Service
	options Options

	project models.Project
	visit   int // tells answers for this project from those for the ones before
	rows    *rows
	table   *browse.Model[row]
	poll    poll
	older   older
	fresh   map[string]bool // rows that the last poll brought or changed
	resume  string          // the row to select once it is there

	projects page.ProjectList
	asked    bool // the person was asked for a project
}

// older is the state of paging back through history, and of opening gaps.
type older struct {
	cursor string // what is being loaded, or empty
	err    error
}

// New makes the page for a session.
func New(session *page.Session, service Service, options Options) *Page {
	p := &Page{session: session, service: service, options: options, resume: options.Place.Row}
	p.open(models.Project{ID: options.Place.Project})
	return p
}

// open turns to a project and forgets the one before.
func (p *Page) open(project models.Project) {
	p.project = project
	p.rows = &rows{feed: models.NewFeed()}
	p.table = newTable(p.rows)
	p.visit++
	p.poll = poll{interval: p.options.Interval}
	p.older = older{}
	p.fresh = nil
}

// Start begins to poll, if the project is known.
func (p *Page) Start() tea.Cmd {
	if p.project.ID == "" {
		return nil
	}
	return p.pollHead()
}

// Shown asks for a project if none was chosen.
func (p *Page) Shown() tea.Cmd {
	if p.project.ID != "" || p.asked || len(p.projects.Projects) == 0 {
		return nil
	}
	if len(p.projects.Projects) == 1 && p.projects.Complete {
		return p.turnTo(p.projects.Projects[0])
	}
	if !p.projects.Complete {
		return nil
	}
	p.asked = true
	return p.choose()
}

func (p *Page) turnTo(project models.Project) tea.Cmd {
	if project.ID == p.project.ID {
		p.project = project
		return nil
	}
	p.resume = ""
	p.open(project)
	return p.pollHead()
}

// Place is the project and the selected row.
func (p *Page) Place() page.Place {
	return page.Place{Project: p.project.ID, Row: p.table.List().SelectedID()}
}

// Editing says that keys are text for the filter.
func (p *Page) Editing() bool { return p.table.Editing() }

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.ProjectList:
		p.projects = msg
		for _, known := range msg.Projects {
			if known.ID == p.project.ID {
				p.project = known
			}
		}
	case page.ShowOperations:
		return p.turnTo(msg.Project)
	case tick:
		if msg.visit == p.visit && msg.round == p.poll.round && !p.poll.busy {
			return p.pollHead()
		}
	case polled:
		if msg.visit == p.visit {
			return p.tookPoll(msg)
		}
	case reread:
		if msg.visit == p.visit {
			return p.tookReread(msg)
		}
	case olderLoaded:
		if msg.visit == p.visit {
			return p.tookOlder(msg)
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		return p.input(msg)
	}
	return nil
}

// tookPoll merges a page of a poll and goes on: through the gap that it left, then to
// the unfinished operations that it did not speak of, then to the next tick.
func (p *Page) tookPoll(msg polled) tea.Cmd {
	if msg.err != nil {
		return p.endPoll(msg.err)
	}
	first := !p.rows.feed.Loaded()
	change := p.rows.feed.Merge(msg.page)
	if msg.page.Cursor == "" {
		p.fresh = map[string]bool{}
	}
	if !first {
		p.mark(change)
	}
	p.refresh()
	if change.Gap != nil && msg.depth < maxDepth {
		return p.pollPage(change.Gap.Cursor, msg.depth+1)
	}
	if overdue := p.rows.feed.Overdue(maxReread); len(overdue) > 0 {
		return p.rereadAll(overdue)
	}
	return p.endPoll(nil)
}

func (p *Page) tookReread(msg reread) tea.Cmd {
	var failed error
	for _, a := range msg.answers {
		switch {
		case a.err == nil:
			p.mark(p.rows.feed.Update(a.operation, a.asOf))
		case models.KindOf(a.err) == models.KindNotFound:
			p.mark(p.rows.feed.Vanish(a.id, a.asOf))
		default:
			failed = a.err
		}
	}
	p.refresh()
	return p.endPoll(failed)
}

// endPoll notes how the poll ended and arms the next one.
func (p *Page) endPoll(err error) tea.Cmd {
	wait := p.poll.end(err, p.session.Now())
	next := p.session.After(page.Operations, wait, tick{p.visit, p.poll.round})
	if err != nil {
		return tea.Batch(next, page.Say(page.Failed{Err: err}))
	}
	return tea.Batch(next, p.wantOlder())
}

// mark remembers which rows are new or changed until the next poll.
func (p *Page) mark(c models.Change) {
	for _, op := range c.Added {
		p.fresh[op.ID] = true
	}
	for _, r := range c.Changed {
		p.fresh[r.After.ID] = true
	}
}

func (p *Page) refresh() {
	p.rows.place()
	p.table.Refresh()
	if p.resume != "" && p.table.List().Select(p.resume) {
		p.resume = ""
	}
}

// wantOlder asks for the next page of history when the selection comes near the end of
// what is loaded. With a filter it does not: a filter that few rows pass would page
// through the whole history on its own.
func (p *Page) wantOlder() tea.Cmd {
	if p.table.Filtered() || p.older.err != nil || !p.table.List().NearEnd() {
		return nil
	}
	return p.loadOlder()
}

// loadOlder asks for the next page of history, unless that is under way.
func (p *Page) loadOlder() tea.Cmd {
	cursor, ok := p.rows.feed.Older()
	if !ok || p.older.cursor != "" {
		return nil
	}
	return p.loadPage(cursor)
}

func (p *Page) tookOlder(msg olderLoaded) tea.Cmd {
	p.older = older{err: msg.err}
	if msg.err != nil {
		return page.Say(page.Failed{Err: msg.err})
	}
	p.rows.feed.Merge(msg.page)
	p.refresh()
	return p.wantOlder()
}

// input does what a key asks for.
func (p *Page) input(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && !p.Editing() {
		switch {
		case chooseKey().Pressed(k):
			return p.choose()
		case refreshKey().Pressed(k):
			return p.refreshNow()
		case olderKey().Pressed(k):
			p.older.err = nil
			return p.loadOlder()
		case openGapKey().Pressed(k):
			if row, ok := p.table.List().Selected(); ok && row.gap != nil {
				return p.loadPage(row.gap.Cursor)
			}
		}
	}
	p.table.Update(msg)
	return p.wantOlder()
}

// refreshNow polls without waiting for the tick.
func (p *Page) refreshNow() tea.Cmd {
	if p.poll.busy || p.project.ID == "" {
		return nil
	}
	p.older.err = nil
	return p.pollHead()
}

// choose lets the person pick a project.
func (p *Page) choose() tea.Cmd {
	items := make([]picker.Item, 0, len(p.projects.Projects))
	for _, project := range p.projects.Projects {
		items = append(items, picker.Item{
			ID: project.ID, Title: project.Name, Note: project.ID,
			Then: page.ShowOperations{Project: project},
		})
	}
	return page.Say(page.Open{Dialog: picker.New("Operations of which project?", items, p.project.ID)})
}

func chooseKey() keys.Action  { return keys.New("o", "project", "o").InFooter() }
func refreshKey() keys.Action { return keys.New("r", "refresh", "r").InFooter() }
func olderKey() keys.Action   { return keys.New("m", "load older", "m") }
func openGapKey() keys.Action { return keys.New("↵", "load the gap", "enter") }

// Keys declares what can be done on the page now.
func (p *Page) Keys() []keys.Group {
	if p.Editing() {
		return p.table.Keys()
	}
	choose, refresh, load := chooseKey(), refreshKey(), olderKey()
	if len(p.projects.Projects) == 0 {
		choose = choose.Unless("the projects are not loaded")
	}
	if p.project.ID == "" {
		refresh = refresh.Unless("no project is chosen")
	}
	if _, more := p.rows.feed.Older(); !more {
		load = load.Unless("there is nothing older")
	}
	actions := []keys.Action{choose, refresh, load}
	if row, ok := p.table.List().Selected(); ok && row.gap != nil {
		actions = append([]keys.Action{openGapKey().InFooter()}, actions...)
	}
	feed := keys.Group{Title: "Operations", Actions: actions}
	return append([]keys.Group{feed}, p.table.Keys()...)
}

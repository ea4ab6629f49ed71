// Package projects lists the projects of the account.
package projects

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Service is what the page asks the control API for.
type Service interface {
	// Projects returns a page of the project list (section 4.4).
	Projects(ctx context.Context, r models.PageRequest) (models.ProjectPage, error)
}

// Options are what the user can set about the list.
type Options struct {
	// Feed is how the operations of the projects are polled.
	Feed feed.Options
	// Pinned are the ids of the projects that the profile pins.
	Pinned []string
	// Profile is the name of the profile in the configuration, empty where it has none.
	Profile string
}

// Page is the state of the list.
type Page struct {
	session *page.Session
	service Service
	options Options

	rows   *rows
	table  *table.Model[*models.Project, string]
	pinned atomic.Pointer[map[string]bool]

	read     reading // what the load under way has brought so far
	busy     bool
	asked    bool       // the user asked for the load under way
	loaded   time.Time  // when the list was last complete
	partial  string     // why there may be more projects than could be read, or empty
	err      error      // of the last load
	failures int        // loads that failed in a row
	loads    int        // loads that ended
	next     time.Time  // when it is tried again after a failure
	alarm    page.Alarm // when the list is read again
}

// New makes the page for a session.
func New(session *page.Session, service Service, o Options) *Page {
	p := &Page{session: session, service: service, options: o, rows: &rows{}}
	p.pinned.Store(&map[string]bool{})
	p.table = p.newTable()
	return p
}

// Reconnect goes on with another key. What was under way was cancelled; a [page.Resumed] that
// follows asks again.
func (p *Page) Reconnect(service Service) { p.service = service }

// Start loads the list: other pages need the projects too.
func (p *Page) Start() tea.Cmd {
	p.setPinned(p.options.Pinned)
	return p.load()
}

// Shown does nothing: the list is loaded when the session starts.
func (p *Page) Shown() tea.Cmd { return nil }

// Place is the selected row.
func (p *Page) Place() page.Place {
	place := page.Place{Query: p.table.Query(), Open: p.table.Opened()}
	if project, ok := p.table.Selected(); ok {
		place.Row = project.ID
	}
	return place
}

// AsOf is when the list was last complete.
func (p *Page) AsOf() time.Time { return p.loaded }

// Title is empty: the list of projects is no news.
func (p *Page) Title() string { return "" }

// Ticks reports that nothing on the page goes on with the seconds.
func (p *Page) Ticks() bool { return false }

// Editing reports whether keys are text for the filter.
func (p *Page) Editing() bool { return p.table.Editing() }

// Actions declares what can be done on the page.
func (p *Page) Actions() []action.Group {
	if p.Editing() {
		return p.table.Actions()
	}
	pin, loading := "pin", ""
	if project, ok := p.table.Selected(); ok && p.isPinned(project) {
		pin = "unpin"
	}
	if p.isLoading() {
		loading = "it is loading"
	}
	group := action.Group{Title: "Projects", Actions: []action.Action{
		p.enter(),
		{ID: "pin", Title: pin, Keys: []string{"*"}, Disabled: p.unnamed(), Run: p.togglePin},
		{ID: "refresh", Title: "refresh", Keys: []string{"r"}, Footer: action.Shown, Disabled: loading, Run: p.refresh},
	}}
	return append([]action.Group{group}, p.table.Actions()...)
}

// enter is what Enter and a double click do.
func (p *Page) enter() action.Action {
	return action.Action{
		ID: "open-operations", Title: "operations", Keys: []string{"enter"}, Label: "↵", Footer: action.Shown,
		Disabled: p.unnamed(), Run: action.Do(p.openOperations),
	}
}

// unnamed returns why no project can be acted on by its id, or nothing.
func (p *Page) unnamed() string {
	switch project, ok := p.table.Selected(); {
	case !ok:
		return "there is no project"
	case models.NoID(project.ID):
		return "it has no id"
	}
	return ""
}

func (p *Page) openOperations() {
	project, ok := p.table.Choose()
	if !ok {
		return
	}
	p.session.Emit(page.ShowOperations{Project: *project})
	if p.rows.shared[project.ID] {
		p.notice(sharedID)
	}
}

func (p *Page) notice(text string) { p.session.Emit(page.Notice{Tone: style.Waiting, Text: text}) }

func (p *Page) refresh() tea.Cmd {
	p.asked = true
	return p.load()
}

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loaded:
		return p.took(msg)
	case due:
		if msg.after == p.loads {
			return p.load()
		}
		return nil
	case page.RefreshProjects, page.Resumed:
		return p.load()
	}
	return p.table.Update(msg)
}

// Status says how old the list is.
func (p *Page) Status(now time.Time) page.Status {
	switch {
	case p.isLoading():
		return page.Status{Tone: style.Waiting, Text: "◌ loading"}
	case p.err != nil:
		return page.Status{Tone: style.Bad, Text: "✗ not refreshed"}
	}
	return page.Status{Tone: style.Muted, Text: "read " + style.Ago(p.loaded, now)}
}

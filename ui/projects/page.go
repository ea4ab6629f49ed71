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

	rows    *rows
	table   *table.Model[*models.Project, string]
	loading []models.Project // what the load under way has brought so far
	busy    bool
	asked   bool // the user asked for the load under way
	pinned  atomic.Pointer[map[string]bool]
	loaded  time.Time  // when the list was last complete
	err     error      // of the last load
	fails   int        // loads that failed in a row
	reads   int        // loads that went well
	next    time.Time  // when it is tried again after that
	partial string     // why there may be more projects than could be read, or empty
	alarm   page.Alarm // when the list is read again
}

// Resumed tells the page that its session goes on with another key. What was under way
// was cancelled; a [page.Woke] that follows asks again.
type Resumed struct{ Service Service }

// New makes the page for a session.
func New(session *page.Session, service Service, o Options) *Page {
	p := &Page{session: session, service: service, options: o, rows: &rows{}}
	p.pinned.Store(&map[string]bool{})
	p.table = p.newTable()
	return p
}

// Start loads the list: other pages need the projects too.
func (p *Page) Start() tea.Cmd { return tea.Batch(p.setPinned(p.options.Pinned), p.load()) }

// Shown does nothing: the list is loaded when the session starts.
func (p *Page) Shown() tea.Cmd { return nil }

// Place is the selected row.
func (p *Page) Place() page.Place {
	place := page.Place{Query: p.table.Query(), Open: p.table.Opened()}
	if project, ok := p.table.List().Selected(); ok {
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

// Commands are what the palette can do here.
func (p *Page) Commands() []page.Command { return p.table.Commands() }

// Editing says that keys are text for the filter.
func (p *Page) Editing() bool { return p.table.Editing() }

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loaded:
		return p.took(msg)
	case retry:
		if msg.after == p.fails {
			return p.load()
		}
	case reread:
		if msg.after == p.reads {
			return p.load()
		}
	case Resumed:
		p.service = msg.Service
		return nil
	case page.WantProjects, page.Woke:
		return p.load()
	case tea.KeyPressMsg:
		if !p.Editing() {
			switch {
			case operationsKey().Pressed(msg):
				if project, ok := p.table.List().Selected(); ok {
					return p.openOperations(*project)
				}
			case refreshKey().Pressed(msg):
				p.asked = true
				return p.load()
			case pinKey().Pressed(msg):
				return p.pin()
			}
		}
	}
	return p.toTable(msg)
}

func (p *Page) openOperations(project models.Project) tea.Cmd {
	p.session.Tell(page.ShowOperations{Project: project})
	if !p.rows.shared[project.ID] {
		return nil
	}
	return page.Say(page.Notice{Tone: style.Waiting, Text: sharedID})
}

func (p *Page) toTable(msg tea.Msg) tea.Cmd {
	cmd, _ := p.table.Update(msg)
	return cmd
}

// reading reports whether the list is being read for the first time, again after it could
// not be read, or because the user asked. Otherwise it is read again without a word.
func (p *Page) reading() bool { return p.busy && (p.asked || p.err != nil || p.loaded.IsZero()) }

func (p *Page) load() tea.Cmd {
	if p.busy {
		return nil
	}
	p.busy, p.loading = true, nil
	return p.loadPage("", 0)
}

// took adds a page of the list, and asks for the next one. The list on the screen is
// replaced when all of the new one is there, so that a refresh does not empty it; only
// the first load shows the pages as they come.
func (p *Page) took(msg loaded) tea.Cmd {
	if msg.err != nil {
		return p.failed(msg.err)
	}
	before := len(p.loading)
	p.loading = appendNew(p.loading, msg.page.Projects)
	more := !msg.page.Last() && len(p.loading) > before
	p.partial = msg.page.Damage
	if more && (msg.depth == maxPages || len(p.loading) >= maxProjects) {
		more, p.partial = false, "pgtower stopped after "+table.Plural(len(p.loading), "project")
	}
	if !more {
		p.busy, p.asked, p.err, p.fails, p.loaded = false, false, nil, 0, p.session.Now()
	}
	var cmds []tea.Cmd
	if !more || p.loaded.IsZero() {
		p.rows.set(p.loading)
		cmds = append(cmds, p.table.Refresh(), p.tell())
	}
	if !more && p.partial != "" {
		cmds = append(cmds, page.Say(page.Notice{Tone: style.Waiting, Text: "there may be more projects than could be read: " + p.partial}))
	}
	if more {
		cmds = append(cmds, p.loadPage(msg.page.Next, msg.depth+1))
	} else {
		p.reads++
		cmds = append(cmds, p.alarm.Set(p.session, page.Projects, rereadAfter(p.options.Feed, len(p.rows.all)), reread{p.reads}))
	}
	return tea.Batch(cmds...)
}

// failed notes that the list could not be read. What depends on it waits, so it is tried
// again without anybody asking, at longer and longer intervals.
func (p *Page) failed(err error) tea.Cmd {
	p.busy, p.asked, p.err = false, false, err
	wait := min(firstRetry<<min(p.fails, maxFails), lastRetry)
	p.fails++
	wait = max(wait, models.RetryAfterOf(err))
	p.next = p.session.Now().Add(wait)
	p.session.Tell(page.Failed{Err: err})
	return tea.Batch(p.tell(), p.alarm.Set(p.session, page.Projects, wait, retry{p.fails}))
}

// tell lets the other pages know the projects.
func (p *Page) tell() tea.Cmd {
	return page.Say(page.ProjectList{
		Projects: p.rows.all, Pinned: *p.pinned.Load(),
		Complete: !p.loaded.IsZero() && p.partial == "", Err: p.err, Next: p.next,
	})
}

func operationsKey() action.Action {
	return action.New("↵", "operations", "enter").Named("open-operations").InFooter()
}

func refreshKey() action.Action { return action.New("r", "refresh", "r").Named("refresh").InFooter() }

func detailsKey() action.Action {
	return action.New("d", "details", "d", "l", "right").Named("details").InFooter()
}

// AllKeys is everything that can be done on the page, in whichever state it is.
func AllKeys() []action.Group {
	group := action.Group{Title: "Projects", Actions: []action.Action{operationsKey(), pinKey(), refreshKey()}}
	return append([]action.Group{group}, table.AllKeys(detailsKey(), false)...)
}

// Keys declares what can be done on the page now.
func (p *Page) Keys() []action.Group {
	if p.Editing() {
		return p.table.Keys()
	}
	open, pin, refresh := operationsKey(), pinKey(), refreshKey()
	if project, ok := p.table.List().Selected(); !ok {
		open, pin = open.Unless("there is no project"), pin.Unless("there is no project")
	} else if models.NoID(project.ID) {
		open, pin = open.Unless("it has no id"), pin.Unless("it has no id")
	} else if p.isPinned(project) {
		pin = action.New("*", "unpin", "*").Named("pin")
	}
	if p.reading() {
		refresh = refresh.Unless("it is loading")
	}
	group := action.Group{Title: "Projects", Actions: []action.Action{open, pin, refresh}}
	return append([]action.Group{group}, p.table.Keys()...)
}

// Status says how old the list is.
func (p *Page) Status(now time.Time) page.Status {
	switch {
	case p.reading():
		return page.Status{Tone: style.Waiting, Text: "◌ loading"}
	case p.err != nil:
		return page.Status{Tone: style.Bad, Text: "✗ not refreshed"}
	}
	return page.Status{Tone: style.Muted, Text: "read " + style.Ago(p.loaded, now)}
}

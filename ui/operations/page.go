// Package operations is the live feed of the platform's system operations: of one
// project, or of all of them merged by time.
package operations

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// Service is what the page asks the control API for.
type Service interface {
	// Operations returns a page of a project's operations (section 4.5).
	Operations(ctx context.Context, project string, r models.PageRequest) (models.OperationPage, error)
	// Operation reads one operation (section 4.6).
	Operation(ctx context.Context, project, id string) (models.Operation, error)
	// OperationJSON reads one operation as the service sends it.
	OperationJSON(ctx context.Context, project, id string) ([]byte, error)
}

// Options are what the user can set about the feed.
type Options struct {
	// Interval is the time from one round of polls to the next.
	Interval time.Duration
	// PageSize is how many operations are asked for at once.
	PageSize int
	// Budget is how many requests a second a round may make.
	Budget int
	// Window is the time that is counted, [DefaultWindow] if it is zero.
	Window time.Duration
	// SearchBack is how far back failures and orders are searched, [DefaultSearchBack] if it
	// is zero.
	SearchBack time.Duration
	// Still has nothing move on the screen but when something happens.
	Still bool
	// Project is the id of the project whose operations are shown first, or empty for all.
	Project string
}

// Page is the state of the feed.
type Page struct {
	*state

	driver     *driver
	cells      *cells
	history    *history
	window     window
	changes    changes
	failures   failures
	watches    watches
	rows       *rows
	table      *table.Model[row, key]
	statistics *statistics // shown in place of the rows, or nil
	reopen     bool        // the row that is restored is to be opened
}

// New makes the page for a session.
func New(session *page.Session, service Service, options Options) *Page {
	s := &state{
		scope:  &scope{session: session, project: models.Project{ID: options.Project}, names: names{}},
		poller: feed.NewPoller(feed.Options{Interval: options.Interval, Budget: options.Budget, PageSize: options.PageSize}),
		still:  options.Still,
	}
	p := &Page{
		state: s, driver: &driver{state: s, service: service},
		history:  &history{state: s, length: cmp.Or(options.SearchBack, DefaultSearchBack)},
		window:   window{state: s, length: cmp.Or(options.Window, DefaultWindow)},
		failures: failures{told: map[key]struct{}{}},
		watches:  watches{scope: s.scope, of: map[key]bool{}},
	}
	p.cells = newCells(s, p.watches.of)
	p.turn()
	p.takeSnapshot()
	return p
}

// Reconnect goes on with another key. What was under way was cancelled; a [page.Resumed] that
// follows asks again.
func (p *Page) Reconnect(service Service) { p.driver.service = service }

// Start begins to poll, as far as it is known what.
func (p *Page) Start() tea.Cmd { return p.poll() }

// Shown does nothing: the feed is live whether or not it is on the screen.
func (p *Page) Shown() tea.Cmd { return nil }

// Place is the project, the filter and the selected row. A user who follows the feed is
// at its top, whichever row that is.
func (p *Page) Place() page.Place {
	place := page.Place{Project: p.project.ID, Query: p.table.Query(), Open: p.table.Opened()}
	if k, ok := p.table.Restoring(); ok {
		place.Row, place.Open = k.String(), p.reopen
	} else if r, ok := p.table.Selected(); ok && r.line == nil && p.table.Chosen() {
		place.Row = r.key().String()
	}
	return place
}

// Status is how current the feed is, and of several projects how old the oldest answer.
func (p *Page) Status(now time.Time) page.Status { return p.condition(now).Status }

// AsOf is when the last good answer came, or the time at which a paused feed is frozen.
func (p *Page) AsOf() time.Time {
	if p.paused() {
		return p.frozenAt()
	}
	return p.answeredAt
}

// Title counts what runs, and what failed since the user looked, for the terminal's title.
func (p *Page) Title() string {
	running := count(p.poller.Running()) + " running"
	if n := p.failures.unseen; n > 0 {
		return count(n) + " failed since you looked · " + running
	}
	return running
}

// Editing reports whether keys are text for the filter.
func (p *Page) Editing() bool {
	if p.statistics != nil {
		return p.statistics.table.Editing()
	}
	return p.table.Editing()
}

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case page.Looked:
		p.failures.unseen = 0
	case page.ProjectList:
		p.poller.SetProjects(p.setProjects(msg), msg.Complete)
		p.takeSnapshot()
		cmd = tea.Batch(p.refresh(), p.poll())
	case page.ShowOperations:
		cmd = p.turnTo(msg)
	case page.Resumed:
		cmd = p.refreshNow()
	case due:
		cmd = p.poll()
	case answered:
		cmd = p.answered(msg)
	case exported:
		export{p.state, p.table}.done(msg)
	case document:
		msg.show(p.session)
	default:
		cmd = p.toTable(msg)
	}
	return tea.Batch(cmd, p.settle())
}

// toTable gives a message to the table: all but the input to the one below the statistics.
func (p *Page) toTable(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case page.Click, page.Wheel, tea.KeyPressMsg, tea.PasteMsg:
		p.table.Forget()
		if p.statistics != nil {
			return p.statistics.table.Update(msg)
		}
	}
	cmd := p.table.Update(msg)
	if p.statistics != nil {
		cmd = tea.Batch(cmd, p.statistics.table.Update(msg))
	}
	p.failures.atTop(p.table.Cursor() == 0)
	return cmd
}

// turnTo shows the operations of a project. Where the user comes back to them they are as they
// were left, but what is on the screen already is not moved: there, only the filter may change.
func (p *Page) turnTo(msg page.ShowOperations) tea.Cmd {
	same := msg.Project.ID == p.project.ID
	p.project = msg.Project
	var cmds []tea.Cmd
	if !same {
		p.turn()
		p.rows.place(p.extent())
		cmds = append(cmds, p.poll())
	}
	if back := msg.Back; back != nil {
		if back.Query != p.table.Query() {
			cmds = append(cmds, p.table.SetQuery(back.Query))
		}
		if !same && back.Row != "" {
			p.reopen, p.history.restores = back.Open, 0
			p.table.Restore(parseKey(back.Row), back.Open)
		}
	}
	return tea.Batch(cmds...)
}

// turn makes the rows and the table of the projects in scope.
func (p *Page) turn() {
	p.poller.SetScope(p.project.ID)
	p.rows = newRows(p.timeline())
	p.table = table.New(table.Config[row, key]{
		Source: p.rows, Columns: p.cells.columns(), Order: "time", Fields: p.cells.fields(),
		Say: p.say, Detail: p.cells.record, Enter: p.enter, PaneFrom: paneFrom, Follow: true,
		Session: p.session, Page: page.Operations, Behind: p.behind,
	})
	p.statistics = nil
	p.changes.of, p.failures.away = nil, 0
}

// behind reports whether back leads out of the operations of a project. Those of all projects
// are where the page begins: nothing is behind them.
func (p *Page) behind() bool { return !p.all() && p.session.Behind && !p.stoppable() }

// poll asks for what there is to ask for now.
func (p *Page) poll() tea.Cmd {
	visible := map[string]bool{}
	for _, r := range p.table.Visible() {
		visible[r.project] = true
	}
	p.poller.Watch(p.watches.keys(), visible)
	p.poller.Keep(feed.WindowSince(p.session.ServiceNow(), p.window.length))
	return p.driver.poll()
}

// refreshNow asks at once, or says why not.
func (p *Page) refreshNow() tea.Cmd {
	p.driver.refresh()
	return p.poll()
}

// answered takes answers in and goes on.
func (p *Page) answered(msg answered) tea.Cmd {
	now := p.session.Now()
	p.changes.begin(p.poller.Began())
	goal, shown := p.poller.Goal(), false
	shows := func(r row) bool { return (p.all() || r.project == p.project.ID) && p.table.Wanted(r) }
	for _, a := range msg.answers {
		shown = shown || p.timeline().Has(a.Project)
		c := p.driver.take(a, now)
		p.changes.take(a.Project, c, p.cells)
		p.failures.take(a.Project, c, shows)
		p.watches.take(a.Project, c)
	}
	p.failures.tell(p.scope)
	p.takeSnapshot()
	cmds := []tea.Cmd{p.driver.rest(msg.rest)}
	if shown {
		p.history.tellGoal(goal)
		cmds = append(cmds, p.refresh())
	}
	return tea.Batch(append(cmds, p.poll())...)
}

// refresh takes in that operations came or changed.
func (p *Page) refresh() tea.Cmd {
	p.rows.place(p.extent())
	cmd := p.table.Refresh()
	p.failures.atTop(p.table.Following())
	if p.statistics != nil {
		cmd = tea.Batch(cmd, p.statistics.refresh(p.timeline()))
	}
	return cmd
}

// settle brings about what the rows need after anything was done: those on the screen stay,
// and older ones are loaded that the selection, the filter or the order asks for.
func (p *Page) settle() tea.Cmd {
	cmd := p.hold()
	near := p.statistics == nil && p.history.near(p.table)
	restoring := p.history.restore(p.table)
	if p.history.seek(p.table) || near || restoring {
		cmd = tea.Batch(cmd, p.poll())
	}
	return cmd
}

// footLines are as many rows as come on the screen when errors below them leave it.
const footLines = 3

// hold keeps what the user looks at where it is, when a project that is read for the
// first time would make it wait for older pages. A feed that is followed is not held.
func (p *Page) hold() tea.Cmd {
	last := -1
	if p.table.Chosen() || p.table.Arranged() {
		for _, r := range p.table.Visible() {
			if i, ok := p.timeline().Find(r.project, r.key().id); ok {
				last = max(last, i)
			}
		}
	}
	if last >= 0 {
		last += footLines
	}
	before := p.timeline().Len()
	p.timeline().Hold(last)
	if p.timeline().Len() == before {
		return nil
	}
	p.rows.place(p.extent())
	return p.table.Refresh()
}

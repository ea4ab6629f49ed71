// Package operations is the live feed of the platform's operations: of one project, or of all of them merged by time.
package operations

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/moment"
	"pgtower/models/naming"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/models/settings"
	"pgtower/models/status"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// Service is the part of the control API that the page uses.
type Service interface {
	feed.Service
	naming.Service
	// OperationJSON reads one operation as the service sends it.
	OperationJSON(ctx context.Context, project, id string) ([]byte, error)
}

// Options are the user's settings of the feed.
type Options struct {
	feed.Options

	Window       time.Duration  // the time that is counted; 0: [incident.DefaultWindow]
	Since        moment.Time    // since when the range reaches at first; zero: that of [settings.Defaults]
	ReduceMotion bool           // nothing on the screen moves unless something happens
	Names        naming.Store   // remembers what branches and computes are called; nil: nothing does
	Project      string         // the id or the name of the project to show first; "" for all
	Linked       string         // the id of the first project to choose, or ""
	Status       *status.Source // the service's public status page; nil for none
	LastSeen     time.Time      // when the rows of an earlier run were last read, by the service's clock; zero: unknown

	Views      *[]query.SavedView           // the user's, to which the page adds; nil for none
	View       string                       // the name of the first view, or ""
	SaveView   func(query.SavedView) error  // saves a view in place of one with its name; it may block. Nil if impossible
	DeleteView func(name string) error      // deletes a saved view; it may block. Nil if none is saved
	ViewText   func(query.SavedView) string // returns a view as a part of a configuration file
	Unsaved    string                       // why SaveView is nil, with which views last until the end of the program
}

// Page is the feed on the screen. It passes messages to its parts, and gives each part what it needs of the others. Only live
// changes the poller, only list the table, and only loader the range.
type Page struct {
	session  *page.Session
	scope    *scope
	live     *live
	list     *list
	loader   *loader
	window   time.Duration // the time that is counted
	watches  watches
	news     news
	alerts   *alerts
	onward   *onward
	views    *views
	tabs     viewTabs
	together together
	vendor   *statusPage // what the service says of itself
	lastSeen lastSeen
	copier   *copier
	groups   *groups
	time     *timelineView
	actions  *declared
	begin    string // the name of the first view, or ""
	kept     naming.Store
	above    int    // the lines above the table, as last drawn
	ruled    bool   // the rule below, as last drawn, shows for how long the operations are complete
	still    bool   // nothing counts down on the screen
	asking   asking // what needed names when they were last asked for
	came     bool   // an answer about the scope came that the screen does not show yet
}

// New makes the page for a session.
func New(session *page.Session, service Service, options Options) *Page {
	s := &scope{session: session, names: names{}, linked: options.Linked, asked: options.Project}
	if models.ReadsAsID(options.Project) { // it need not be listed first
		s.project.ID = options.Project
	}
	l := newLive(session, service, options.Options)
	w := watches{}
	rows := newList(&display{session: session, scope: s, live: l, watches: w})
	window := cmp.Or(options.Window, incident.DefaultWindow)
	p := &Page{
		session: session, scope: s, live: l, list: rows, watches: w, window: window,
		begin: options.View, kept: options.Names, still: options.ReduceMotion,
		loader: &loader{list: rows, first: cmp.Or(options.Since, settings.Defaults().Since)},
		alerts: newAlerts(session, s, l),
		onward: &onward{session: session, scope: s, list: rows},
		copier: &copier{session: session, list: rows},
		groups: &groups{session: session, list: rows, window: window},
	}
	l.poller.Listen(p.told)
	p.copier.window = func() time.Duration { return p.window }
	p.time = &timelineView{
		session: session, scope: s, live: l, list: rows, older: p.loader.loadOlder, by: automatic,
		port: viewport{span: defaultSpan}, next: tally[made]{list: rows, rests: indexRest},
	}
	p.views = &views{
		session: session, own: cmp.Or(options.Views, new([]query.SavedView)), save: options.SaveView,
		forget: options.DeleteView, text: options.ViewText, unsaved: options.Unsaved,
		screen: p.screen, show: p.showView, chosen: rows.chosenColumns, check: rows.check, changed: p.tabs.refresh,
	}
	p.tabs = viewTabs{viewCounts: viewCounts{list: rows, views: p.views, atOnce: 50_000}}
	p.together.list, p.together.rests = rows, factRest
	p.vendor = &statusPage{Reader: status.NewReader(session.Polls.Poller, options.Status), live: l}
	p.copier.vendor, p.copier.together = p.vendor, &p.together
	p.lastSeen = lastSeen{since: options.LastSeen}
	p.actions = declare(p)
	p.groups.enter = p.actions.ofAction
	p.resetList()
	return p
}

// resetList goes to the top of the scope.
func (p *Page) resetList() {
	p.live.open(p.scope)
	p.time.forget()
	p.list.reset(listpage.Config[row]{
		Actions: p.actions.ofRows.Actions, Describe: p.describe, Export: p.copier.taken, ExportFooter: action.LowPriority,
		Table: table.Config[*row]{
			Enter: p.actions.enter, Raw: p.live.json, Body: p.time.body(),
			OwnColumns: p.views.columns, KeepColumns: p.views.keepColumns,
			Topped:    p.time.reorder,
			CanGoBack: func() bool { return p.scope.single() && p.session.CanGoBack },
		},
	})
	p.actions.adopt(p.list.table.Marks())
	p.groups.shown, p.onward.jump, p.loader.asked = false, jump{}, false
	p.news.changed, p.news.away = map[key]table.Change{}, 0
}

// Reconnect continues with another key. A [page.Resumed] follows, which polls again.
func (p *Page) Reconnect(c *control.Connection) {
	p.live.reconnect(c.API)
	p.vendor.Use(c.Status)
}

// Start begins to poll.
func (p *Page) Start() (cmd tea.Cmd) {
	view, err := query.FindView(*p.views.own, p.begin)
	switch {
	case err != nil:
	case view.OfOperations():
		cmd = p.turnToView(view)
	default:
		p.session.Emit(page.ShowView{View: view})
	}
	return tea.Batch(cmd, p.recallNames())
}

// Shown does nothing: the feed is live whether or not it is on the screen.
func (p *Page) Shown() tea.Cmd { return nil }

// Status returns how current the feed is.
func (p *Page) Status(now time.Time) page.Status {
	c := p.live.currency(p.scope, now, p.still)
	return c.condition().Status
}

// AsOf returns the time of the last good response, or the time at which a paused feed is frozen.
func (p *Page) AsOf() time.Time {
	if p.live.paused() {
		return p.live.frozenAt()
	}
	return p.live.answeredAt
}

// Watching reports whether an operation runs that the user watches.
func (p *Page) Watching() bool { return len(p.watches) > 0 }

// Title counts the operations that run, and the alerts since the user was last active.
func (p *Page) Title() string {
	return p.alerts.unseen() + count(p.live.timeline().Unfinished()) + " running"
}

// Actions returns the actions of the page, or those of an open filter. [page.UserActive] follows each.
func (p *Page) Actions() []action.Group {
	groups := p.front().Actions()
	if p.Editing() {
		return groups
	}
	return p.actions.with(groups)
}

// front returns the page on the screen: the operations or their groups.
func (p *Page) front() page.Page {
	if p.groups.shown {
		return p.groups.page
	}
	return p.list.table
}

// detailsShown reports whether the details of an operation are shown.
func (p *Page) detailsShown() bool { return p.list.table.Opened() && !p.groups.shown }

// Editing reports whether keys are text for the filter.
func (p *Page) Editing() bool { return p.front().Editing() }

// ChosenValues returns the API's fields of the operation that the user saw as selected, with the name of its project. A
// group has none of them.
func (p *Page) ChosenValues() models.Fields {
	if p.groups.shown {
		return nil
	}
	return p.list.table.ChosenValues()
}

// ColumnNames returns the names by which users choose columns.
func (p *Page) ColumnNames() []string { return p.list.table.ColumnNames() }

// CheckFilter returns what is wrong with a text as a filter of operations, or nil.
func (p *Page) CheckFilter(text string) error { return p.list.table.CheckFilter(text) }

// Placeholders returns the names of an operation's values in templates of addresses and commands.
func (p *Page) Placeholders() []string {
	return slices.Collect(maps.Keys(p.list.row("", new(models.Operation)).values()))
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	filtering := !p.list.shown().UpToDate()
	switch msg := msg.(type) {
	case page.UserActive:
		p.session.Polls.Attend()
		p.alerts.looked()
	case page.ProjectList:
		p.live.setProjects(p.scope.setProjects(msg), msg.Settled)
		cmd = tea.Batch(p.refresh(), p.showAsked(msg))
		p.list.choose() // by the names that are known now
	case page.ShowOperations:
		p.scope.asked = "" // the user has gone somewhere
		cmd = p.showOperations(msg)
	case page.Resumed:
		cmd = p.refreshNow()
	case page.Budget:
		o := p.live.poller.Options()
		o.Budget = int(msg)
		cmd = p.setPolls(o)
	case alertsDue:
		cmd = p.alerts.tell()
	case page.Answered:
		cmd = p.answered(msg)
	case page.Result:
		cmd = msg()
	case page.Step:
		cmd = msg()
	case page.Click, page.Wheel, page.Drag, tea.KeyPressMsg, tea.PasteMsg:
		cmd = p.input(msg)
	}
	return tea.Batch(cmd, p.afterMessage(filtering && p.list.shown().UpToDate()))
}

// input passes an input of the user to the part that is on the screen.
func (p *Page) input(msg tea.Msg) tea.Cmd {
	p.list.stay()
	view, ok := p.tabs.clicked(msg)
	if ok {
		return p.turnToView(view)
	}
	click, clicked := msg.(page.Click)
	if clicked && p.together.at(click.Y) {
		return p.showTogether()
	}
	return p.front().Update(below(msg, p.above))
}

// answered shows the answers. Without any, it only finds the gaps again, which depend on the time.
func (p *Page) answered(answers page.Answered) tea.Cmd {
	p.list.rows.gaps = p.live.poller.Gaps(p.live.claimedAt())
	if len(answers) == 0 {
		return nil
	}
	health := p.live.fleet.Count(p.window, p.session.Skew)
	p.session.Emit(page.ProjectHealth(health)) // once for all answers: it repaints the projects
	cmd := p.alerts.tell()
	named := p.namesCame(answers)
	if named {
		p.alerts.renamed()
		cmd = tea.Batch(cmd, p.alerts.tell())
	}
	if named || p.came {
		p.came = false
		cmd = tea.Batch(cmd, p.refresh())
	}
	p.lastSeen.tell(p)
	return cmd
}

// told passes an answer about operations to the parts of the page.
func (p *Page) told(a feed.Answer, now time.Time) {
	p.news.startCycle(p.live.poller.Began())
	p.came = p.came || p.live.timeline().Has(a.Project)
	p.live.told(a, now)
	p.live.seeAdded(a)
	p.alerts.receive(p.views.inForce(), a)
	p.alerts.ended(p.watches.end(p.news.receive(a, p.list))) // after the views, whose alert comes first
}

// Shows reports whether answers about a subject update the ages on the screen.
func (p *Page) Shows(s poll.Subject) bool { return p.live.shows(s) }

// afterMessage updates the parts after each message, in this order. filtered reports whether it brought the rows of the filter.
func (p *Page) afterMessage(filtered bool) tea.Cmd {
	var cmd tea.Cmd
	if filtered {
		cmd = p.groups.refresh()
	}
	if p.list.shown().Cursor() == 0 {
		p.news.away = 0
	}
	cmd = tea.Batch(cmd, p.list.hold()) // first: the timeline and the range depend on which rows are shown
	cmd = tea.Batch(cmd, p.time.update())
	p.list.follow()
	p.loader.load(p.needs()...) // after the timeline, which needs what it shows
	p.onward.arrive(p.list.extent(), p.live.loading())
	p.attend() // after a jump, which decides what is looked at
	p.vendor.attend(&p.together)
	return cmd
}

// needs returns what the parts of the page want to have loaded.
func (p *Page) needs() []need {
	now, t := p.session.ServiceNow(), p.list.table
	needs := []need{{feed.WindowSince(now, p.window), forCounts}}
	back, instant := p.filterBack()
	if back > 0 && !t.Editing() {
		needs = append(needs, need{instant.Add(-back), forFilter})
	}
	row, restoring := t.List().Restoring()
	if restoring && !p.onward.began.IsZero() && !p.list.rows.Has(row) {
		needs = append(needs, need{p.onward.began, forRow})
	}
	back = p.time.reach(now)
	if back > 0 {
		needs = append(needs, need{now.Add(-back), forTimeline})
	}
	older, ok := p.loader.older()
	if ok && !p.groups.shown && !t.List().Arranged() && t.List().Held() && t.List().NearEnd() {
		needs = append(needs, older)
	}
	return needs
}

// filterBack returns how far back the filter reaches from the time that is shown, or 0 if that is not limited, or not known
// before an answer.
func (p *Page) filterBack() (back time.Duration, instant time.Time) {
	instant = p.live.shownAt()
	now := p.live.present(instant)
	if now.IsZero() {
		return 0, instant
	}
	back = query.Back(func(field string) (time.Duration, bool) { return p.list.table.UpperBound(field, now) })
	return back, instant
}

// attend tells the poller what the user looks at, watches and marked.
func (p *Page) attend() {
	rows, projects := p.list.onScreen()
	p.live.attend(p.watches.keys(), projects, rows)
	p.live.lookAt(p.list.looked())
	p.askNames()
}

// refresh shows what was read.
func (p *Page) refresh() tea.Cmd {
	return tea.Batch(
		p.list.refresh(), p.tabs.refresh(), p.together.search(), p.groups.refresh(),
	)
}

// setPolls changes how often and how much is polled.
func (p *Page) setPolls(o feed.Options) tea.Cmd {
	p.live.setOptions(o)
	p.list.locate()
	return nil
}

// refreshNow polls immediately, or tells the user why it cannot.
func (p *Page) refreshNow() tea.Cmd {
	p.live.retry()
	return nil
}

// View draws the feed or its groups, below what there is room for: the tabs of the views, and where failures lie together.
func (p *Page) View(f page.Frame) []string {
	f = p.live.frozen(f)
	lines := p.header(f)
	p.above = len(lines)
	f.Height -= p.above
	if !p.groups.shown && !p.list.table.Opened() {
		p.list.keepPlace(p.above)
	}
	return append(lines, p.front().View(f)...)
}

// header returns the lines above the table.
func (p *Page) header(f page.Frame) (lines []string) {
	p.tabs.tabs, p.tabs.told, p.together.lines = nil, false, 0
	p.ruled = f.Height >= page.RuleFrom
	if p.detailsShown() {
		return nil // the details need the lines
	}
	if f.Height >= tabsFrom {
		lines = append(lines, p.tabs.line(f, p.list.extent()))
	}
	if f.Height < togetherFrom || p.groups.shown {
		return lines
	}
	says := p.vendor.draw(f, &p.together)
	switch {
	case p.together.known():
		drawn := p.together.draw(f, says)
		p.together.first, p.together.lines = len(lines), len(drawn)
		lines = append(lines, drawn...)
	case says != "":
		lines = append(lines, style.Fit(" "+style.Cut(says, f.Width-1), f.Width))
	}
	p.ruled = f.Height >= page.RuleFrom && !p.tabs.told
	return lines
}

// Rule returns what stands in the rule below the page, as last drawn.
func (p *Page) Rule() page.Rule { return p.front().Rule() }

// Describe describes the feed or its groups, as of the same time as View.
func (p *Page) Describe(f page.Frame) announce.Description {
	return p.front().Describe(p.live.frozen(f))
}

// Ticks reports whether an operation on the screen is running.
func (p *Page) Ticks() bool {
	switch {
	case p.live.paused() || p.groups.shown:
		return false
	case p.time.open && !p.list.table.Opened():
		return p.time.runs()
	}
	return p.list.running()
}

// Package operations is the live feed of the platform's operations: of one project, or of all of them merged by time.
package operations

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
	"pgtower/ui/timeline"
)

// Service is the part of the control API that the page uses.
type Service interface {
	feed.Service
	// OperationJSON reads one operation as the service sends it.
	OperationJSON(ctx context.Context, project, id string) ([]byte, error)
}

// Options are the user's settings of the feed.
type Options struct {
	feed.Options

	Window       time.Duration // the time that is counted; 0: [DefaultWindow]
	Since        time.Duration // how far back the range reaches at first; 0: [DefaultSince]
	ReduceMotion bool          // nothing on the screen moves unless something happens
	Project      string        // the id of the project to show first; "" for all
	Linked       string        // the id of the first project to choose, or ""

	Views      *[]query.SavedView           // the user's, to which the page adds; nil for none
	View       string                       // the name of the first view, or ""
	SaveView   func(query.SavedView) error  // saves a view in place of one with its name; it may block. Nil if impossible
	DeleteView func(name string) error      // deletes a saved view; it may block. Nil if none is saved
	ViewText   func(query.SavedView) string // returns a view as a part of a configuration file
	Unsaved    string                       // why SaveView is nil, with which views last until the end of the program
}

// Page is the state of the feed.
type Page struct {
	*state

	driver     *driver
	loader     loader
	jump       *jump
	window     window
	news       *news
	alerts     *alerts
	onward     *onward
	views      *views
	begin      string      // the name of the first view, or ""
	statistics *statistics // shown instead of the rows, or nil
	time       *timelineView
	actions    declared
}

// New makes the page for a session.
func New(session *page.Session, service Service, options Options) *Page {
	s := &state{
		scope:  &scope{session: session, project: models.Project{ID: options.Project}, names: names{}, linked: options.Linked},
		poller: feed.NewPoller(options.Options), watched: map[key]bool{}, reduceMotion: options.ReduceMotion,
	}
	p := &Page{
		state: s, driver: &driver{state: s, service: service, fleet: feed.NewFleet()},
		loader: loader{length: cmp.Or(options.Since, DefaultSince)},
		window: window{state: s, length: cmp.Or(options.Window, DefaultWindow)},
		onward: &onward{state: s},
	}
	p.time = &timelineView{state: s, older: p.loadOlder, span: defaultSpan, by: automatic}
	p.views = &views{state: s, own: cmp.Or(options.Views, new([]query.SavedView)), save: options.SaveView, forget: options.DeleteView, text: options.ViewText, unsaved: options.Unsaved}
	p.alerts = newAlerts(s, p.views, p.driver.fleet)
	p.news = &news{state: s, alerts: p.alerts}
	p.begin = options.View
	p.jump = &jump{state: s, onward: p.onward}
	s.rows = &rows{facts: s.facts()}
	p.declare()
	p.newTable()
	return p
}

// Reconnect continues with another key. A [page.Resumed] follows, which polls again.
func (p *Page) Reconnect(service Service) { p.driver.service = service }

// Start begins to poll.
func (p *Page) Start() (cmd tea.Cmd) {
	if view, err := query.FindView(*p.views.own, p.begin); err == nil {
		cmd = p.turnToView(view)
	}
	return tea.Batch(cmd, p.poll())
}

// Shown does nothing: the feed is live whether or not it is on the screen.
func (p *Page) Shown() tea.Cmd { return nil }

// Status returns how current the feed is.
func (p *Page) Status(now time.Time) page.Status { return p.condition(now).Status }

// AsOf returns the time of the last good response, or the time at which a paused feed is frozen.
func (p *Page) AsOf() time.Time {
	if p.paused() {
		return p.frozenAt()
	}
	return p.answeredAt
}

// Title counts the operations that run, and the alerts since the user was last active.
func (p *Page) Title() string {
	return p.alerts.unseen() + count(p.timeline().Unfinished()) + " running"
}

// shown returns the table on the screen: the operations or the statistics.
func (p *Page) shown() interface {
	Actions() []action.Group
	Editing() bool
	ChosenValues() models.Fields
	Update(msg tea.Msg) tea.Cmd
} {
	if p.statistics != nil {
		return p.statistics.table
	}
	return p.table
}

// Editing reports whether keys are text for the filter.
func (p *Page) Editing() bool { return p.shown().Editing() }

// ChosenValues returns the API's fields of the operation that the user saw as selected, with the name of its project.
func (p *Page) ChosenValues() models.Fields { return p.shown().ChosenValues() }

// Update handles a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	filtering := !p.table.Settled()
	switch msg := msg.(type) {
	case page.UserActive:
		p.alerts.looked()
	case page.ProjectList:
		p.poller.SetProjects(p.setProjects(msg), msg.Settled)
		cmd = tea.Batch(p.refresh(), p.poll())
	case page.ShowOperations:
		cmd = p.showOperations(msg)
	case page.Resumed:
		cmd = p.refreshNow()
	case page.Budget:
		cmd = p.setPolls(func(o *feed.Options) { o.Budget = int(msg) })
	case due:
		cmd = p.poll()
	case alertsDue:
		cmd = p.alerts.tell()
	case answered:
		cmd = p.answered(msg)
	case page.Result:
		cmd = msg()
	case page.Click, page.Wheel, page.Drag, tea.KeyPressMsg, tea.PasteMsg:
		p.table.StopRestoring()
		if view, ok := p.views.clicked(msg); ok {
			cmd = p.turnToView(view)
		} else {
			cmd = p.shown().Update(p.views.below(msg))
		}
	case viewCounts:
		return p.views.counted(msg)
	}
	if p.statistics != nil && filtering && p.table.Settled() {
		cmd = tea.Batch(cmd, p.statistics.refresh())
	}
	return tea.Batch(cmd, p.settle())
}

// newTable makes the table of the scope.
func (p *Page) newTable() {
	p.poller.SetScope(p.project.ID)
	p.rows = &rows{of: p.state, operations: p.timeline(), facts: p.rows.facts}
	p.table = table.New(table.Config[*row]{
		Source: p.rows, Columns: p.columns(), Values: (*row).values, Order: "time", Fields: fields(p.timeline), Examples: []string{
			"suspend", "status:failed", "is:slow or is:retried", "took:>5s", "!check", "after:14:30", `error:"timeout"`,
		},
		Say: p.say, Detail: p.record, Enter: p.actions.enter, Deeper: p.actions.json, Follow: true, Markable: func(r *row) bool { return r.Op != nil },
		Session: p.session, Page: page.Operations, Body: p.time.body(), Lead: p.lead,
		OwnColumns: p.views.columns, KeepColumns: p.views.keepColumns,
		CanGoBack: func() bool { return !p.all() && p.session.CanGoBack },
	})
	marks := p.table.Marks()
	marks.Actions[0].Footer = action.LowPriority
	p.coverable(marks)
	p.statistics, p.jump.to, p.loader.asked = nil, time.Time{}, false
	p.time.forget()
	p.news.changed, p.news.away = map[key]table.Change{}, 0
}

// poll requests what is due.
func (p *Page) poll() tea.Cmd {
	p.attend()
	return p.driver.poll()
}

// attend tells the poller what the user looks at, watches and marked.
func (p *Page) attend() {
	visible := map[string]bool{}
	var held []key
	for r := range p.table.Visible() {
		visible[r.Project] = true
		held = append(held, r.key())
	}
	if r, ok := p.table.Selected(); ok {
		held = append(held, r.key())
	}
	for _, r := range p.table.Marked() {
		held = append(held, r.key())
	}
	p.poller.Watch(slices.Collect(maps.Keys(p.watched)), visible)
	p.poller.Hold(held)
}

// refreshNow polls immediately, or tells the user why it cannot.
func (p *Page) refreshNow() tea.Cmd {
	now := p.session.Now()
	p.poller.Refresh(now)
	if f := p.freshness(); f.State == feed.Limited {
		p.session.Notify(style.Waiting, "Rate limited: next try in "+style.Until(f.Next, now))
	}
	return p.poll()
}

// answered takes in responses.
func (p *Page) answered(msg answered) tea.Cmd {
	now, shown := p.session.Now(), false
	if began := p.poller.Began(); !began.Equal(p.news.cycle) {
		p.news.cycle, p.news.changed = began, map[key]table.Change{}
	}
	p.attend()
	hasError := func(o models.Operation) bool { return o.Error != "" }
	for _, a := range msg.answers {
		p.errors = p.errors || hasError(a.Operation) || slices.ContainsFunc(a.Page.Items, hasError)
		shown = shown || p.timeline().Has(a.Project)
		c := p.driver.take(a, now)
		p.alerts.take(a, c)
		p.news.take(a, c)
	}
	p.session.Emit(page.ProjectHealth(p.driver.fleet.Count(p.poller, p.window.length, p.session.Skew)))
	cmd := p.alerts.tell()
	if msg.rest != nil {
		cmd = tea.Batch(cmd, msg.rest())
	}
	if shown {
		cmd = tea.Batch(cmd, p.refresh())
	}
	return tea.Batch(cmd, p.poll())
}

// refresh shows what was read.
func (p *Page) refresh() tea.Cmd {
	p.rows.facts = p.facts()
	p.rows.place()
	cmd := tea.Batch(p.table.Refresh(), p.views.count())
	if p.statistics != nil {
		cmd = tea.Batch(cmd, p.statistics.refresh())
	}
	return cmd
}

// settle follows each message: it keeps the rows on the screen in place, and loads older ones if needed.
func (p *Page) settle() tea.Cmd {
	if p.table.Cursor() == 0 {
		p.news.away = 0
	}
	cmd := p.hold()
	p.time.update()
	moved := p.load(p.needs()...)
	p.jump.arrive()
	if moved {
		cmd = tea.Batch(cmd, p.poll())
	}
	return cmd
}

// View draws the feed or its statistics.
func (p *Page) View(f page.Frame) []string {
	return p.views.draw(p.frozen(f), func(f page.Frame) []string {
		if p.statistics != nil {
			return p.statistics.table.Draw(f, p.statistics.description(f))
		}
		return p.table.Draw(f, p.description(f))
	})
}

// Describe describes the feed or its statistics, as of the same time as View.
func (p *Page) Describe(f page.Frame) announce.Description {
	if f = p.frozen(f); p.statistics != nil {
		return p.statistics.table.Describe(f, p.statistics.description(f))
	}
	d := p.description(f)
	d.Picture = p.time.picture(f)
	return p.table.Describe(f, d)
}

// Ticks reports whether an operation on the screen is running.
func (p *Page) Ticks() bool {
	switch {
	case p.paused() || p.statistics != nil:
		return false
	case p.table.Opened():
		r, ok := p.table.Selected()
		return ok && r.Running()
	case p.time.open:
		return p.time.runs()
	}
	for r := range p.table.Visible() {
		if r.Running() {
			return true
		}
	}
	return false
}

func (p *Page) description(f page.Frame) table.Description[*row] {
	whose := style.Sentence(p.title())
	if !p.all() {
		whose = "Project " + p.title()
	}
	if view, ok := p.views.current(); ok && view.Filter != "" {
		whose += ", view " + view.Name
	}
	return table.Description[*row]{
		ID: page.Operations, Name: page.Operations.Title(), State: p.said(f),
		Scope:   announce.Part{Name: "scope", Key: p.scopeKey(), Text: whose},
		Summary: p.window.summary(f), Empty: p.empty(f), Nothing: p.nothing(f), Trouble: p.trouble(f),
		Note: p.note(f), News: p.news.events(), Partial: p.partial,
		Changed: func(r *row) table.Change { return p.news.changed[r.key()] },
		Divider: func(r *row) string { return r.line.divider(f.Now) },
		At: func(r *row) time.Time {
			if r.Running() {
				return f.Tick
			}
			return f.Now
		},
	}
}

// note returns the line about rows that are not on the screen.
func (p *Page) note(f page.Frame) table.Note {
	muted := func(text, key string) table.Note {
		return table.Note{Tone: style.Muted, Text: text, Announced: announce.Part{Key: key}}
	}
	came, end := p.table.Arrivals() > 0, p.table.EndShown()
	note := table.Note{}
	switch {
	case p.loader.why != forRange && p.extent().Full == 0 && p.loading():
		// A screen reader reads the progress on request only.
		note = muted("◌ "+style.Sentence(p.loader.progress(p.extent(), f.Now)), "loading")
	case came && !p.sorted(), p.news.away > 0:
		return p.news.note(f)
	case p.broken() != "" && (end || p.table.Filtered()) && !p.timeline().HasOlder():
		note = table.Note{Tone: style.Waiting, Text: style.Sentence(p.broken()) + ". " + f.Key("refresh") + ": try again."}
	case p.timeline().Ended() && end && !p.table.Filtered():
		note = muted("End of history.", "")
	case p.table.Arranged(), p.time.incomplete(f.Now):
		e, needed, mark := p.extent(), p.needed(), table.PartialMark
		if p.time.open {
			mark = timeline.UnknownMark
		}
		// Passing time is not announced.
		note = muted(e.note(f, needed, mark), fmt.Sprint("complete ", needed > 0 && e.back(f.Now) >= needed))
	}
	if came {
		note.Announced = p.news.note(f).Announced
	}
	return note
}

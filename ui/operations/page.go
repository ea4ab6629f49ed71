// Package operations is the live feed of the platform's system operations: of one
// project, or of all of them merged by time.
package operations

import (
	"cmp"
	"context"
	"sync/atomic"
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

// Options are what the person can set about the feed.
type Options struct {
	// Interval is the time from one round of polls to the next.
	Interval time.Duration
	// PageSize is how many operations are asked for at once.
	PageSize int
	// Budget is how many requests a second a round may make.
	Budget int
	// Window is the time that the strip counts, [DefaultWindow] if it is zero.
	Window time.Duration
	// SearchBack is how far back failures and orders are searched, [DefaultSearchBack] if it
	// is zero.
	SearchBack time.Duration
	// Still has nothing move on the screen but when something happens.
	Still bool
	// Project is the id of the project whose operations are shown first, or empty for all.
	Project string
}

// Resumed tells the page that its session goes on with another key. What was under way
// was cancelled; a [page.Woke] that follows asks again.
type Resumed struct{ Service Service }

// Page is the state of the feed.
type Page struct {
	session *page.Session
	service Service
	options Options

	projects page.ProjectList
	names    map[string]string // of the projects, by their ids
	poller   *feed.Poller
	project  models.Project // whose operations are shown; without an id, those of all

	timeline *feed.Timeline
	rows     *rows
	table    *table.Model[row, key]
	stats    *table.Model[feed.ActionStats, models.Action] // shown in place of the rows, or nil
	facts    atomic.Pointer[facts]

	alarm      page.Alarm // when there may be something to ask for
	pausedAt   time.Time  // when polling was paused, or zero
	answeredAt time.Time  // when the last good answer came
	window     window
	search     search
	failures   failures
	texts      texts
	marks      map[key]table.Change // what the last cycle brought or changed
	marked     time.Time            // when that cycle began
	watch      map[key]bool         // whose end the user is told of
	anomalies  feed.Anomaly         // what was odd about the answers, and has been said
	resume     string               // the row to select once it is there
	back       page.Place           // what else to come back to
	sought     int                  // how often older pages were asked for because of it
}

// New makes the page for a session.
func New(session *page.Session, service Service, options Options) *Page {
	p := &Page{
		session: session, service: service, options: options,
		names:    map[string]string{},
		project:  models.Project{ID: options.Project},
		poller:   feed.NewPoller(feed.Options{Interval: options.Interval, Budget: options.Budget, PageSize: options.PageSize}),
		window:   window{length: cmp.Or(options.Window, DefaultWindow)},
		failures: failures{told: map[key]struct{}{}},
		watch:    map[key]bool{},
	}
	p.texts = newTexts()
	p.facts.Store(&facts{})
	p.show()
	return p
}

// Start begins to poll, as far as it is known what.
func (p *Page) Start() tea.Cmd { return p.poll() }

// Shown does nothing: the feed is live whether or not it is on the screen.
func (p *Page) Shown() tea.Cmd { return nil }

// Place is the project, the filter and the selected row. Somebody who follows the feed is
// at its top, whichever row that is.
func (p *Page) Place() page.Place {
	place := page.Place{Project: p.project.ID, Query: p.table.Query(), Open: p.table.Opened()}
	if p.resume != "" {
		place.Row, place.Open = p.resume, p.back.Open
		return place
	}
	if r, ok := p.table.List().Selected(); ok && r.line == nil && p.table.List().Chosen() {
		place.Row = p.rows.Key(r).String()
	}
	return place
}

// Editing says that keys are text for the filter.
func (p *Page) Editing() bool { return p.browser().Editing() }

// Update does the bookkeeping of a message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	cmd := p.update(msg)
	return tea.Batch(cmd, p.seek())
}

func (p *Page) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.ProjectList:
		return p.tookProjects(msg)
	case page.ShowOperations:
		if msg.Back != nil {
			return p.comeBackTo(msg.Project, *msg.Back)
		}
		return p.turnTo(msg.Project)
	case page.Looked:
		p.failures.unseen = 0
		return nil
	case Resumed:
		p.service = msg.Service
		return nil
	case page.Woke:
		return p.refreshNow()
	case due:
		return p.poll()
	case answered:
		return p.took(msg)
	case intervalWanted:
		return p.setInterval(msg.interval)
	case windowWanted:
		return p.setWindow(msg.length)
	case loadWanted:
		return p.load(msg.goal)
	case exportWanted:
		return p.export(msg.name)
	case exported:
		return p.tookExported(msg)
	case raw:
		return p.tookRaw(msg)
	case tea.KeyPressMsg:
		return p.key(msg)
	default:
		return p.toTable(msg)
	}
}

// toTable gives a message to whatever table is shown.
func (p *Page) toTable(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Click:
		p.resume = ""
		if msg.Y == 0 && p.stats == nil {
			return p.clickStrip(msg.X)
		}
	case page.Wheel:
		p.resume = ""
	}
	var cmd tea.Cmd
	if p.stats != nil && !p.table.Owns(msg) {
		cmd, _ = p.stats.Update(msg)
		return cmd
	}
	cmd, _ = p.table.Update(msg)
	if p.table.List().Cursor() == 0 {
		p.failures.away = 0
	}
	if _, arranged := msg.(table.Filtered[row]); arranged {
		cmd = tea.Batch(cmd, p.comeBack())
	}
	return tea.Batch(cmd, p.hold(), p.wantOlder())
}

// refresh takes in that operations came or changed.
func (p *Page) refresh() tea.Cmd {
	p.rows.place(p.extent())
	cmd := p.table.Refresh()
	if p.table.List().Following() {
		p.failures.away = 0
	}
	cmd = tea.Batch(cmd, p.comeBack(), p.hold())
	if p.stats != nil {
		cmd = tea.Batch(cmd, p.refreshStats())
	}
	return cmd
}

// maxSought is how many times older pages are asked for, to find the row that the person
// was on.
const maxSought = 10

// comeBack selects the row that the person was on, paging back for it if need be.
func (p *Page) comeBack() tea.Cmd {
	switch {
	case p.resume == "":
		return nil
	case p.table.ComeBack(parseKey(p.resume), p.back.Open):
		p.resume = ""
		return nil
	case p.sought < maxSought && !p.poller.LoadingHistory() && p.table.List().Settled():
		p.sought++
		return p.loadOlder()
	}
	return nil
}

// footLines are as many rows as come on the screen when errors below them leave it.
const footLines = 3

// hold keeps what the person looks at where it is, when a project that is read for the
// first time would make it wait for older pages. A feed that is followed is not held.
func (p *Page) hold() tea.Cmd {
	list := p.table.List()
	last := -1
	if list.Chosen() || list.Arranged() {
		for _, r := range list.Visible() {
			if i, ok := p.timeline.Find(r.project, p.rows.Key(r).id); ok {
				last = max(last, i)
			}
		}
	}
	if last >= 0 {
		last += footLines
	}
	before := p.timeline.Len()
	p.timeline.Hold(last)
	if p.timeline.Len() == before {
		return nil
	}
	p.rows.place(p.extent())
	return p.table.Refresh()
}

package operations

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/moment"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// batchDelay is how long an answer waits for others: rows that arrive repaint half of the screen.
const batchDelay = 150 * time.Millisecond

// live makes the requests that are due, and passes on their answers. Nothing else changes the poller of the operations.
type live struct {
	session *page.Session
	service Service
	turns   *poll.Poller
	poller  *feed.Poller
	fleet   *feed.Fleet // the health of all projects
	timer   page.Timer  // the next call of the turns

	pausedAt   time.Time    // zero if the feed is not paused
	answeredAt time.Time    // when the last good response came
	anomalies  feed.Anomaly // already shown to the user
	errors     bool         // any operation that was read has an error
}

func newLive(session *page.Session, service Service, options feed.Options) *live {
	turns := poll.New(options.Budget)
	poller := feed.NewPoller(turns, service, options)
	return &live{session: session, service: service, turns: turns, poller: poller, fleet: feed.NewFleet(poller)}
}

type due struct{}

// answered is a batch of answers that came close together.
type answered struct {
	answers []poll.Answer
	// rest waits for the other answers of the same call; it may be nil. Call it on the UI's goroutine.
	rest func() tea.Cmd
}

type deliver = func(page.ID, func(context.Context) tea.Msg) tea.Cmd // [page.Session.Do] or [page.Session.DoQuietly]

func (l *live) timeline() *feed.Timeline { return l.poller.Timeline() }

// span returns what can be claimed of the operations now.
func (l *live) span() feed.Span { return l.poller.Span(l.session.Now()) }

// claimedAt returns the time at which claims are made: that of the rows if the feed is paused or the session is over, or now.
func (l *live) claimedAt() time.Time {
	switch {
	case l.paused():
		return l.frozenAt()
	case l.session.Ended():
		return l.answeredAt
	}
	return l.session.Now()
}

// present returns a time of the service's clock as the present, for times that the user gives. There is none before a
// project was read.
func (l *live) present(at time.Time) moment.Now {
	if l.timeline().Read() == 0 {
		return moment.Now{}
	}
	return l.session.Present(at)
}

// stalledAt returns since when nothing was read, by the service's clock, or zero while something is read.
func (l *live) stalledAt() time.Time {
	span := l.span()
	if !stalled(span) || span.AsOf.IsZero() {
		return time.Time{}
	}
	return l.session.Service(span.AsOf)
}

// shownAt returns the time that is shown, by the service's clock: since when nothing was read, the time at which a paused
// feed is frozen, or now. Everything that is counted is counted as of it.
func (l *live) shownAt() time.Time {
	at := l.stalledAt()
	switch {
	case !at.IsZero():
		return at
	case l.paused():
		return l.session.Service(l.frozenAt())
	}
	return l.session.ServiceNow()
}

// loading reports whether operations of the range are being loaded, or will be.
func (l *live) loading() bool {
	return l.poller.Loading(l.session.Now()) || l.span().Unread > 0
}

// poll sends the requests that are due, and sets the timer. Only polls of what is shown update the ages on the screen.
func (l *live) poll() tea.Cmd {
	requests, wait := l.turns.Next(l.session.Now())
	var polls, others []poll.Request
	for _, r := range requests {
		if l.timeline().Has(r.Of) && r.Subject == feed.Newest(r.Of) {
			polls = append(polls, r)
		} else {
			others = append(others, r)
		}
	}
	next := l.timer.Set(l.session, page.Operations, wait, due{})
	return tea.Batch(next, l.ask(polls, l.session.Do), l.ask(others, l.session.DoQuietly))
}

func (l *live) ask(requests []poll.Request, do deliver) tea.Cmd {
	if len(requests) == 0 {
		return nil
	}
	n := len(requests)
	b := &batch{do: do, requests: requests, answers: make(chan poll.Answer, n), left: n}
	return do(page.Operations, b.start)
}

// batch is some requests that were sent at once.
type batch struct {
	do       deliver
	requests []poll.Request
	answers  chan poll.Answer
	left     int // the answers that are still to come
	panics   page.PanicCatcher
}

func (b *batch) start(ctx context.Context) tea.Msg {
	for _, r := range b.requests {
		go b.ask(ctx, r)
	}
	return b.wait(ctx)
}

func (b *batch) ask(ctx context.Context, r poll.Request) {
	a := poll.Answer{Request: r, Err: poll.ErrLost}
	defer func() { b.answers <- a }()
	defer b.panics.Catch()
	a = r.Do(ctx)
}

// wait waits for the next answer, and a moment for those that come close behind it.
func (b *batch) wait(context.Context) tea.Msg {
	got := answered{answers: []poll.Answer{<-b.answers}}
	late := time.After(batchDelay)
	for waits := true; waits && len(got.answers) < b.left; {
		select {
		case a := <-b.answers:
			got.answers = append(got.answers, a)
		case <-late:
			waits = false
		}
	}
	b.panics.Deliver()
	b.left -= len(got.answers)
	if b.left > 0 {
		got.rest = func() tea.Cmd { return b.do(page.Operations, b.wait) }
	}
	return got
}

// told takes in what was answered.
func (l *live) told(a feed.Answer, now time.Time) {
	l.errors = l.errors || a.Operation.Error != ""
	for i := range a.Page.Items {
		l.errors = l.errors || a.Page.Items[i].Error != ""
	}
	news := a.Change.Anomalies &^ l.anomalies
	if news != 0 {
		l.anomalies |= news
		l.session.Notify(style.Waiting, strings.Join(news.Sentences(), " "))
	}
	switch {
	case a.Err == nil:
		l.answeredAt = now
	case models.KindOf(a.Err) != models.KindCanceled && !models.Unsent(a.Err):
		err := a.Err
		_, broken := l.poller.Err(a.Project)
		if broken == nil {
			err = models.Doing(err, "list operations") // not one project
		}
		l.session.Emit(page.Failed{Err: err})
	}
}

// reconnect continues with another key.
func (l *live) reconnect(service Service) {
	l.service = service
	l.poller.Connect(l.turns, service)
}

// attend tells the poller what the user looks at, watches and marked.
func (l *live) attend(watched []key, projects map[string]bool, held []key) {
	l.poller.Watch(watched, projects)
	l.poller.Hold(held)
}

// hold shows at least the rows up to last, and reports whether that changed anything.
func (l *live) hold(last int) bool {
	before := l.timeline().Len()
	l.timeline().Hold(last)
	return l.timeline().Len() != before
}

// open shows the projects in scope.
func (l *live) open(s *scope) { l.poller.SetScope(s.project.ID) }

// choose has projects polled first, those of all in scope that the filter leaves.
func (l *live) choose(projects map[string]bool) { l.poller.Choose(projects) }

func (l *live) setProjects(polled []feed.Project, settled bool) {
	l.poller.SetProjects(polled, settled)
}

func (l *live) loadGap(gap feed.ProjectGap) { l.poller.LoadGap(gap) }

// setRange reports whether the range changed.
func (l *live) setRange(wanted feed.Range) bool {
	before := l.poller.Range()
	l.poller.SetRange(wanted)
	return l.poller.Range() != before
}

// json returns what reads an operation as the service sends it, or nil.
func (l *live) json(r *row) func(context.Context) ([]byte, error) {
	if r.Op == nil || models.NoID(r.Op.ID) {
		return nil
	}
	service, project, id := l.service, r.Project, r.Op.ID
	return func(ctx context.Context) ([]byte, error) { return service.OperationJSON(ctx, project, id) }
}

// retry polls immediately, or tells the user why it cannot.
func (l *live) retry() {
	now := l.session.Now()
	l.session.TryAgain()
	l.turns.Refresh(now)
	l.poller.Refresh(now)
	span := l.span()
	if span.State == feed.Limited {
		l.session.Notify(style.Waiting, "Rate limited: next try in "+style.Until(span.Next, now))
	}
}

// setOptions changes how often and how much is polled.
func (l *live) setOptions(change func(*feed.Options)) {
	o := l.poller.Options()
	change(&o)
	l.turns.SetBudget(o.Budget, l.session.Now())
	l.poller.SetOptions(o)
}

// broken returns which history ends because of the service's paging, or "".
func (l *live) broken(s *scope) string {
	n, project := l.timeline().Broken()
	switch {
	case n == 0:
		return ""
	case !s.all():
		return "history stops here: the service's paging broke"
	case n > 1:
		more := count(n - 1)
		return fmt.Sprintf("history of %s (and %s more) stops: the service's paging broke", s.name(project), more)
	}
	return "history of " + s.name(project) + " stops: the service's paging broke"
}

func (l *live) paused() bool { return !l.pausedAt.IsZero() }

func (l *live) togglePause() {
	if l.paused() {
		l.pausedAt = time.Time{}
	} else {
		l.pausedAt = l.session.Now()
	}
	l.poller.SetPaused(l.paused())
}

// frozenAt returns the time that a paused feed shows: later than the pause if the user chose another project since.
func (l *live) frozenAt() time.Time {
	if l.answeredAt.After(l.pausedAt) {
		return l.answeredAt
	}
	return l.pausedAt
}

// frozen returns the frame at the time that is shown.
func (l *live) frozen(f page.Frame) page.Frame {
	if l.paused() {
		at := l.session.Service(l.frozenAt())
		f.Now, f.Tick = at, at
	}
	return f
}

// facts returns what filters and orders need of what was read until now. What is slow does not depend on the scope.
func (l *live) facts(s *scope) *query.Facts {
	limits := l.fleet.Limits()
	slow := func(a models.Action) (time.Duration, bool) { return limits[a], limits[a] > 0 }
	bound := l.poller.Options().Bound()
	return &query.Facts{
		Names: s.names, Orgs: s.orgs, Regions: s.regions, Slow: slow, Skew: l.session.Skew,
		Bound: bound,
	}
}

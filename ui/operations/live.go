package operations

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/moment"
	"pgtower/models/naming"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// live reads operations. Nothing else changes their poller.
type live struct {
	session    *page.Session
	service    Service
	poller     *feed.Poller
	fleet      *feed.Fleet   // the health of all projects
	names      *naming.Names // of branches and computes
	shownNames int           // the number of their changes that are shown

	pausedAt   time.Time    // zero if the feed is not paused
	answeredAt time.Time    // when the last good response came
	anomalies  feed.Anomaly // already shown to the user
	errors     bool         // any operation that was read has an error
}

func newLive(session *page.Session, service Service, options feed.Options) *live {
	session.Polls.Every = options.Interval // a gap becomes one by its age
	poller := feed.NewPoller(session.Polls.Poller, service, options)
	return &live{
		session: session, service: service, poller: poller, fleet: feed.NewFleet(poller),
		names: naming.New(session.Polls.Poller, service),
	}
}

func (l *live) timeline() *feed.Timeline { return l.poller.Timeline() }

// unread reports whether no project of the scope was read.
func (l *live) unread() bool { return l.timeline().Read() == 0 }

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

// present returns a time of the service's clock as the present, for times that the user gives. It is zero before a
// project was read.
func (l *live) present(instant time.Time) moment.Now {
	if l.unread() {
		return moment.Now{}
	}
	return l.session.Present(instant)
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
// feed is frozen, or now. All counts are as of it.
func (l *live) shownAt() time.Time {
	stalled := l.stalledAt()
	switch {
	case !stalled.IsZero():
		return stalled
	case l.paused():
		return l.session.Service(l.frozenAt())
	}
	return l.session.ServiceNow()
}

// loading reports whether operations of the range are being loaded, or will be.
func (l *live) loading() bool {
	return l.poller.Loading() || l.span().Unread > 0
}

// shows reports whether answers about a subject update the ages on the screen.
func (l *live) shows(s poll.Subject) bool { return s == feed.Newest(s.Of) && l.timeline().Has(s.Of) }

// told updates the state of the feed with an answer.
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
	case a.Err == nil && a.ID != "" && l.paused(): // of what is watched: the others are as old as before
	case a.Err == nil:
		l.answeredAt = now
	case models.KindOf(a.Err) != models.KindCanceled:
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
	l.poller.Connect(service)
	l.names.Connect(service)
}

// attend tells the poller what the user looks at, watches and marked.
func (l *live) attend(watched []key, projects map[string]bool, rows []key) {
	l.poller.Watch(watched, projects)
	l.poller.Hold(rows)
}

// lookAt asks for the names of the branches on the screen, unless the feed is paused, and for those of their computes if they
// are shown, too.
func (l *live) lookAt(rows []*row, computes bool) {
	projects := map[string]bool{}
	for _, r := range rows {
		projects[r.Project] = computes
	}
	if l.paused() {
		projects = nil
	}
	l.names.Look(projects)
	for _, r := range rows {
		l.names.See(r.Project, r.Op)
	}
}

// seeAdded asks for the names of new operations whose projects need names even if they are not on the screen.
func (l *live) seeAdded(a feed.Answer) {
	if l.names.Asked(a.Project) {
		for _, op := range a.Change.Added {
			l.names.See(a.Project, op)
		}
	}
}

// namesCame reports whether answers brought names that are not shown yet. An answer that refuses the key ends the session.
func (l *live) namesCame(answers page.Answered) bool {
	for _, a := range answers {
		if naming.Reads(a.Subject) && models.KindOf(a.Err) == models.KindUnauthorized {
			l.session.Emit(page.Failed{Err: a.Err})
		}
	}
	came := l.names.Changes() != l.shownNames
	l.shownNames = l.names.Changes()
	return came
}

// hold shows at least the rows up to last, and reports whether that changed anything.
func (l *live) hold(last int) bool {
	length := l.timeline().Len()
	l.timeline().Hold(last)
	return l.timeline().Len() != length
}

// open shows the projects in scope.
func (l *live) open(s *scope) { l.poller.SetScope(s.project.ID) }

// choose polls these projects first.
func (l *live) choose(projects map[string]bool) { l.poller.Choose(projects) }

func (l *live) setProjects(polled []feed.Project, settled bool) {
	l.poller.SetProjects(polled, settled)
}

func (l *live) loadGap(gap feed.ProjectGap) { l.poller.LoadGap(gap) }

// json returns a function that reads an operation as the service sends it, or nil.
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
	l.session.Polls.Refresh(l.poller, now)
	l.poller.Refresh(now)
	l.names.Refresh()
	span := l.span()
	if span.State == feed.Limited {
		l.session.Notify(style.Waiting, "Rate limited: next try in "+style.Until(span.Next, now))
	}
}

// setOptions changes how often and how much is polled.
func (l *live) setOptions(o feed.Options) {
	l.poller.SetOptions(o)
	l.session.Polls.Every = o.Interval
}

// broken returns which history ends because of the service's paging, or "".
func (l *live) broken(s *scope) string {
	n, project := l.timeline().Broken()
	switch {
	case n == 0:
		return ""
	case s.single():
		return "history stops here: the service's paging broke"
	case n > 1:
		others := count(n - 1)
		return fmt.Sprintf("history of %s (and %s more) stops: the service's paging broke", s.name(project), others)
	}
	return "history of " + s.name(project) + " stops: the service's paging broke"
}

func (l *live) paused() bool { return !l.pausedAt.IsZero() }

func (l *live) togglePause() {
	if l.paused() {
		l.pausedAt = time.Time{}
		l.poller.Resume()
	} else {
		l.pausedAt = l.session.Now()
		l.poller.Pause()
	}
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
		paused := l.session.Service(l.frozenAt())
		f.Now, f.Tick = paused, paused
	}
	return f
}

// facts returns what filters and orders need to know, as of now. What is slow does not depend on the scope.
func (l *live) facts(s *scope) *query.Facts {
	limits := l.fleet.Limits()
	slow := func(a models.Action) (time.Duration, bool) { return limits[a], limits[a] > 0 }
	bound := l.poller.Options().Bound()
	return &query.Facts{
		Names: s.names, Orgs: s.orgs, Regions: s.regions, Slow: slow, Skew: l.session.Skew,
		Bound: bound, Book: l.names.Book(),
	}
}

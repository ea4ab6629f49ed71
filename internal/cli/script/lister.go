package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/moment"
	"pgtower/models/naming"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/models/report"
	"pgtower/ui/style"
)

const (
	quick         = time.Second // how long a list takes without progress being shown
	checkInterval = time.Second // at which a command checks whether it is done, if no response comes
)

// lister lists operations by the requests that are due, and follows them.
type lister struct {
	Listing
	reported

	from     *Source
	poller   *feed.Poller
	receive  func(feed.Answer, time.Time) // what follows an answer about operations; nil: nothing does
	listed   time.Time                    // the last request of the project list
	answered time.Time                    // the last response without an error

	projects []models.Project // that are listed

	filter  query.OperationFilter
	present moment.Now      // when the command began; see [lister.locate]
	began   time.Time       // at the latest, by the service's clock
	floor   time.Time       // since when operations are listed, by the service's clock; zero: at any time
	had     int             // how many operations were loaded at the last request for more
	tries   int             // requests for more since the last one that loaded any
	wanted  map[string]bool // the projects whose names were asked for, and whether those of their computes were
	untimed int             // how many of those that were listed have no readable time
}

func newLister(from *Source, h Listing) *lister {
	o := from.options
	polling := feed.Options{Interval: o.Interval, Budget: o.Budget, PageSize: o.PageSize}
	from.Account.SetFeed(polling)
	l := &lister{from: from, Listing: h, poller: feed.NewPoller(from.loop.Poller, from.API, polling)}
	l.poller.Listen(l.received)
	return l
}

// received handles an answer about operations.
func (l *lister) received(a feed.Answer, now time.Time) {
	l.from.doubt(a)
	if l.receive != nil {
		l.receive(a, now)
	}
}

// begin reads the projects, and completes the listing by the service's clock.
func (l *lister) begin(ctx context.Context) error {
	o, tries := l.from.options, maxTries
	if l.Follow {
		tries = 0
	}
	l.listed = l.from.process.Clock()
	projects, err := l.from.listProjects(ctx, tries)
	if err != nil {
		return err
	}
	l.answered = l.from.process.Clock()
	if !l.Follow { // new projects are not listed
		l.from.Account.Detach()
	}
	l.setProjects(projects)
	l.filter, err = query.ParseOperations(o.Filter, l.from.facts(), l.poller.Timeline())
	if err != nil {
		return err
	}
	if err := l.locate(ctx); err != nil || !l.filterNames(projects) {
		return err
	}
	return l.readNames(ctx)
}

// filterSince returns since when a filter is searched without --since.
func (l *lister) filterSince() moment.Time {
	back := l.filter.Back(l.present)
	if back > 0 {
		return moment.Ago(back)
	}
	return l.from.options.Since
}

// setProjects polls the projects of a list.
func (l *lister) setProjects(list []models.Project) {
	var polled []feed.Project
	for i := range list {
		if project := &list[i]; !models.NoID(project.ID) {
			l.from.name(project)
			pinned := l.from.options.isPinned(project)
			polled = append(polled, feed.Project{ID: project.ID, ChangedAt: project.ChangedAt(), Pinned: pinned})
		}
	}
	l.projects = list
	l.poller.SetProjects(polled, len(l.from.options.Projects) > 0 || l.from.Account.Settled())
}

// load reads what is listed, and returns the operations that match the filter, newest first, and how many rows of
// the timeline they were chosen from.
func (l *lister) load(ctx context.Context) (lines []line, chosen int, err error) {
	loaded := func(now time.Time) bool { return hungUp(l.from.process.Stdout) || l.loadOn(now) }
	if err := l.run(ctx, loaded); err != nil {
		return nil, 0, err
	}
	l.from.hide()
	if l.from.printsNames() {
		l.from.recallNames() // before the lines, which have what is known then
	}
	lines, chosen = l.choose()
	if l.needsNames(lines) {
		if err := l.readNames(ctx); err != nil {
			return nil, 0, err
		}
		lines, chosen = l.choose()
	}
	return lines, chosen, nil
}

// choose returns the loaded operations that match the filter, newest first, and how many rows they were chosen from.
func (l *lister) choose() (lines []line, chosen int) {
	rows, now := l.poller.Timeline().Rows(), l.from.filterTime()
	l.untimed = 0
	for chosen < rows.Len() && !rows.PlacedAt(chosen).Before(l.floor) {
		if l.Limit > 0 && len(lines) == l.Limit {
			break
		}
		op, project := rows.At(chosen), rows.ProjectAt(chosen)
		switch {
		case l.placeless(project, op):
			l.untimed++
			lines = append(lines, l.from.line("added", project, op))
		case l.filter.Match(project, op, now):
			lines = append(lines, l.from.line("added", project, op))
		}
		chosen++
	}
	return append(lines, l.placelessBelow(rows, chosen)...), chosen
}

// placeless reports whether an operation lacks the time that decides if it is listed. It must match the filter with some time.
func (l *lister) placeless(project string, op *models.Operation) bool {
	filtered := l.filter.Back(l.present) > 0
	began := op.CreatedAt.IsZero() && (filtered || !l.floor.IsZero())
	if !began && (!filtered || !incident.Untimed(op)) {
		return false
	}
	now, zoned := l.present.Time(), l.from.filterTime()
	return l.filter.Match(project, timed(op, now), zoned) || l.filter.Match(project, timed(op, now.AddDate(-1, 0, 0)), zoned)
}

// unfinishedBefore returns the unfinished operations that were read and began before the time that is listed.
func (l *lister) unfinishedBefore() (lines []line) {
	for project, op := range l.poller.Timeline().All() {
		early := !op.CreatedAt.IsZero() && op.CreatedAt.Before(l.floor) && !op.Done()
		if early && l.filter.Match(project, op, l.from.filterTime()) {
			lines = append(lines, l.from.line("added", project, op))
		}
	}
	return lines
}

// timed returns an operation with a time in place of those that could not be read.
func timed(op *models.Operation, instant time.Time) *models.Operation {
	copied := *op
	if copied.CreatedAt.IsZero() {
		copied.CreatedAt = instant
	}
	if copied.UpdatedAt.IsZero() {
		copied.UpdatedAt = instant
	}
	return &copied
}

// placelessBelow returns the operations without a readable time that are older by their place in the service's list.
func (l *lister) placelessBelow(rows feed.Rows, from int) (lines []line) {
	for i := from; i < rows.Len() && l.Limit == 0; i++ {
		if op, project := rows.At(i), rows.ProjectAt(i); l.placeless(project, op) {
			lines = append(lines, l.from.line("added", project, op))
			l.untimed++
		}
	}
	return lines
}

// run makes the requests that are due. At least once a second it calls step, which reports whether to end. A refused key is an
// error.
func (l *lister) run(ctx context.Context, step func(time.Time) bool) error {
	return l.from.loop.Run(ctx, l.heard, step)
}

// heard handles an answer of any kind: after a list of projects, they are polled; after names, the filter uses them. A refused key
// is an error.
func (l *lister) heard(a poll.Answer, now time.Time) error {
	if models.KindOf(a.Err) == models.KindUnauthorized {
		return a.Err
	}
	if account.Reads(a.Subject) {
		l.reportLists()
		l.setProjects(l.from.Account.Projects())
		return nil
	}
	if naming.Reads(a.Subject) {
		l.filter.SetBook(l.from.parts.Book())
		return nil
	}
	if a.Err == nil {
		l.answered = now
	}
	return nil
}

// showProgress shows how much is loaded, or why nothing is.
func (l *lister) showProgress(now time.Time) {
	span, text := l.poller.Span(now), "loading: "+style.Count(l.poller.Timeline().Loaded())+" operations"
	outage := l.outage(now)
	switch {
	case outage != "":
		text = outage
	case span.Unread > 0:
		text += ", " + models.Plural(span.Unread, "project") + " not read yet"
	case !span.Since.IsZero():
		text += ", back to " + l.from.times.At(span.Since)
	}
	l.from.progress(text)
}

// enough reports whether all operations to list are loaded, of the projects that can be read.
func (l *lister) enough() bool {
	since := l.span().Since
	if since.IsZero() || !l.floor.IsZero() && !since.After(l.floor) {
		return true
	}
	if l.Limit == 0 {
		return false
	}
	rows, passed := l.poller.Timeline().Rows(), 0
	for i := range l.poller.Timeline().Complete() {
		if l.filter.Match(rows.ProjectAt(i), rows.At(i), l.from.filterTime()) {
			passed++
		}
	}
	return passed >= l.Limit
}

// loadOn has the poller load more. It reports whether all that can be loaded is.
func (l *lister) loadOn(now time.Time) bool {
	if l.Follow {
		l.reportTrouble(now)
	}
	if now.Sub(l.listed) > quick {
		l.showProgress(now)
	}
	p := l.poller
	switch {
	case l.stopped(now):
		return true
	case !l.read(), p.Loading():
		return false
	case l.enough():
		return true
	}
	l.tries++
	if n := p.Timeline().Loaded(); n != l.had {
		l.had, l.tries = n, 0
	}
	if l.tries == ownTries {
		return true
	}
	reach := feed.Range{Since: l.floor, Asked: true}
	if l.Limit > 0 {
		reach.Since = l.span().Since.Add(-1)
	}
	p.SetRange(reach)
	if l.tries > 0 {
		p.RetryOlder()
	}
	return false
}

// read reports whether the newest page of every project was read, or cannot be read soon.
func (l *lister) read() bool {
	span := l.span()
	return span.Unread == 0 && !slices.ContainsFunc(span.Without, l.isTried)
}

// isTried reports whether a project that could not be read is tried again soon.
func (l *lister) isTried(project string) bool {
	fails, err := l.poller.Err(project)
	return models.Passing(err) && fails < ownTries
}

// span returns what can be claimed of the operations now.
func (l *lister) span() feed.Span { return l.poller.Span(l.from.process.Clock()) }

// stopped reports whether to give up, because the service does not respond or limits the requests for long. --follow
// never gives up.
func (l *lister) stopped(now time.Time) bool {
	span := l.poller.Span(now)
	limited := span.State == feed.Limited && span.Next.Sub(now) > maxWait
	return !l.Follow && (limited || span.Unanswered >= maxTries)
}

// missing returns why the list is incomplete, or nil.
func (l *lister) missing(now time.Time) error {
	span := l.poller.Span(now)
	since := l.from.times.At(span.Since)
	project, _, err := l.poller.RangeErr()
	switch {
	case l.stopped(now):
		limited := errors.New("the service limits the requests until " + l.from.times.Clock(span.Next))
		return fmt.Errorf("incomplete: %w", cmp.Or(span.Err, limited))
	case len(span.Without) > 0:
		_, err := l.poller.Err(span.Without[0])
		return fmt.Errorf("incomplete: cannot read %s: %w", l.named(span.Without...), err)
	case l.from.unlisted != nil:
		return fmt.Errorf("incomplete: %w", l.from.unlisted)
	case l.enough():
		return nil
	case err != nil:
		return fmt.Errorf("incomplete before %s: cannot read %s: %w", since, l.named(project), err)
	}
	return fmt.Errorf("incomplete before %s: the service's paging of %s broke", since, l.named(span.Lacking))
}

// errUntimed returns the error of a list with n operations without a readable time, or nil if there are none.
func errUntimed(n int) error {
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s without a readable time: whether they are of this time is unknown", models.Plural(n, "operation"))
}

// stale names the projects that were not read again lately, as of a time: "53 of 60 projects (billing and 52 more)".
func (l *lister) stale(now time.Time) string {
	ids := l.poller.Stale(now)
	if len(ids) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s (%s)", len(ids), models.Plural(l.poller.Span(now).Projects, "project"), l.named(ids...))
}

// sayLate tells as of when the list is, if some projects were not read again lately.
func (l *lister) sayLate() {
	now := l.from.process.Clock()
	if span, stale := l.poller.Span(now), l.stale(now); stale != "" {
		l.from.say("known to %s; not read since: %s", l.from.times.Clock(l.from.present(span.AsOf).Time()), stale)
	}
}

// claim sets for which time a report is complete.
func (l *lister) claim(r *report.Report) {
	now := l.from.process.Clock()
	span := l.poller.Span(now)
	for _, id := range span.Without {
		r.Unread = append(r.Unread, l.named(id))
	}
	if l.from.unlisted != nil || l.from.partial != "" || span.Unread > 0 || span.AsOf.IsZero() {
		return
	}
	r.From, r.AsOf, r.Stale = span.Since, l.from.present(span.AsOf).Time(), l.stale(now)
	if len(span.Without) > 0 {
		_, err := l.poller.Err(span.Without[0])
		r.Without = l.named(span.Without...) + " (" + models.Brief(err) + ")"
	}
}

// named returns the name of the first project, and how many more there are.
func (l *lister) named(ids ...string) string {
	name := cmp.Or(l.from.names[ids[0]], ids[0])
	if len(ids) > 1 {
		name += fmt.Sprintf(" and %d more", len(ids)-1)
	}
	return name
}

// outage returns the trouble with the whole service, or "".
func (l *lister) outage(now time.Time) string {
	span := l.poller.Span(now)
	silence := now.Sub(l.answered) > l.poller.Options().Bound()+feed.RequestTimeout
	switch {
	case span.State == feed.Limited:
		wait := max(time.Second, span.Next.Sub(now).Round(time.Second))
		return "rate limited by the service; next try in " + style.Every(wait)
	case span.State == feed.Silent, span.State == feed.Offline:
		return fmt.Sprintf("no response: %v; retrying", span.Err)
	case span.Projects > 1 && (span.State == feed.Failing || len(span.Without) > 1 && silence):
		return fmt.Sprintf("cannot read any project: %v; retrying", span.Err)
	case l.alone != nil:
		return fmt.Sprintf("%v; retrying", l.alone)
	}
	return ""
}

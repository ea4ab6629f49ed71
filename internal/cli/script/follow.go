package script

import (
	"cmp"
	"context"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
)

// followFrom prints the operations that begin from now on, and the changes of those that were listed. The newest operations, as
// many as written, were listed or left out by the filter.
func (l *lister) followFrom(ctx context.Context, out *output[line], written int) error {
	return l.follow(ctx, written, func(_ feed.Answer, events []*feed.Event, _ time.Time) error {
		return l.printEvents(out, events)
	})
}

// printEvents prints the events of operations that match the filter, and all gaps.
func (l *lister) printEvents(out *output[line], events []*feed.Event) error {
	names := []string{feed.Added: "added", feed.Changed: "changed", feed.Missing: "gap", feed.Filled: "filled"}
	for _, e := range events {
		if e.Operation == nil {
			e.Operation = &models.Operation{}
		} else if !l.filter.Match(e.Project, e.Operation, l.from.filterTime()) {
			continue
		}
		l.seeNames(e.Project, e.Operation)
		record := l.from.line(names[e.Kind], e.Project, e.Operation)
		record.since, record.until = e.Since, e.Until
		out.write(record)
	}
	return out.Flush()
}

// follow calls tell with each answer and its events, and at least once a second with the events that the time causes. It ends
// with an error of tell, if the standard output has no reader any more, or if only the user can end a trouble. The newest
// operations, as many as written, are no events.
func (l *lister) follow(ctx context.Context, written int, tell func(feed.Answer, []*feed.Event, time.Time) error) error {
	since := l.began
	if !l.Since.IsZero() {
		since = l.floor
	}
	l.reportLists()
	f := feed.Follow(l.poller, since, written)
	var failed error
	l.receive = func(a feed.Answer, now time.Time) {
		failed = cmp.Or(failed, tell(a, f.Receive(a, now), now))
	}
	err := l.run(ctx, func(now time.Time) bool {
		failed = cmp.Or(failed, tell(feed.Answer{}, f.Missing(now), now), l.blocked(now))
		if failed == nil {
			l.reportTrouble(now)
		}
		return failed != nil || hungUp(l.from.process.Stdout)
	})
	return cmp.Or(failed, err)
}

// blocked returns why nothing can be followed until the user changes something, or nil. A host name that was
// found before may be found again, as on a laptop that wakes up.
func (l *lister) blocked(now time.Time) error {
	span := l.poller.Span(now)
	silent := span.State == feed.Silent || span.State == feed.Offline
	block := models.BlockOf(span.Err)
	if silent && (block == models.UserBlock || block == models.NameBlock && !l.from.answered) {
		return models.Doing(span.Err, "list operations")
	}
	return nil
}

// recovery is how long after trouble with the whole service the projects that still fail are reported.
const recovery = time.Minute

// reported is the trouble that was reported, and what decides when more is reported.
type reported struct {
	unread     []string               // the projects that were reported as unreadable
	unreadable []string               // those that were unreadable when it was last looked at
	changed    time.Time              // the last change of them
	troubled   time.Time              // the last trouble with the whole service
	refused    map[models.ListID]bool // the lists that were reported as unreadable
	alone      error                  // why an operation cannot be read on its own, or nil
}

// reportLists reports when the trouble of a list of projects begins, and when it ends. No answer at all is trouble with
// the whole service, which is reported as such.
func (l *lister) reportLists() {
	troubled := map[models.ListID]bool{}
	for _, trouble := range l.from.Account.Troubles() {
		id := trouble.List
		answered := models.Answered(trouble.Err) || models.KindOf(trouble.Err) == models.KindUnknown
		if !answered && !l.refused[id] {
			continue
		}
		troubled[id] = true
		if !l.refused[id] {
			l.from.say("%v", models.About("cannot read the "+l.from.Account.ListName(id), 0, trouble.Err))
		}
	}
	for id := range l.refused {
		if !troubled[id] {
			l.from.say("can read the %s again", l.from.Account.ListName(id))
		}
	}
	l.refused = troubled
}

// reportTrouble reports when trouble begins and when it ends: with the service at once, with projects after two intervals
// without changes, because it may be the beginning or the end of trouble with all of them.
func (l *lister) reportTrouble(now time.Time) {
	if outage := l.outage(now); outage != "" {
		l.troubled = now
		l.from.report(outage)
		return
	}
	failing := l.poller.Span(now).Without
	if !slices.Equal(failing, l.unreadable) {
		l.unreadable, l.changed = slices.Clone(failing), now
	}
	calm := now.Sub(l.troubled)
	spreading := len(except(failing, l.unread)) > 0
	recovering := l.from.trouble && (!l.answered.After(l.troubled) || spreading && calm < recovery)
	if !recovering && min(calm, now.Sub(l.changed)) >= l.poller.Options().Bound() {
		l.tellProjects()
	}
}

// tellProjects tells that there is no trouble with the whole service any more, and which projects cannot be read.
func (l *lister) tellProjects() {
	began, ended := except(l.unreadable, l.unread), except(l.unread, l.unreadable)
	l.from.report("")
	if len(began) > 0 {
		_, err := l.poller.Err(began[0])
		l.from.say("cannot read %s: %v", l.named(began...), err)
	}
	if len(ended) > 0 {
		l.from.say("can read %s again", l.named(ended...))
	}
	l.unread = l.unreadable
}

// except returns ids without those of others.
func except(ids, others []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(others, id) })
}

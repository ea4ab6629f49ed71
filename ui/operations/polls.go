package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// batchDelay is how long an answer waits for others: rows that arrive repaint half of the screen.
const batchDelay = 150 * time.Millisecond

// driver sends the requests of the poller when they are due.
type driver struct {
	*state

	service   Service
	fleet     *feed.Fleet  // the health of all projects
	timer     page.Timer   // the next call of the poller
	anomalies feed.Anomaly // already shown to the user
}

type due struct{}

// answered is a batch of answers that came close together.
type answered struct {
	answers []feed.Answer
	// rest waits for the other answers of the same call; it may be nil. Call it on the UI's goroutine.
	rest func() tea.Cmd
}

type deliver = func(page.ID, func(context.Context) tea.Msg) tea.Cmd // [page.Session.Do] or [page.Session.DoQuietly]

// poll sends the requests that are due, and sets the timer. Only polls of what is shown update the ages on the screen.
func (d *driver) poll() tea.Cmd {
	requests, wait := d.poller.Next(d.session.Now())
	var polls, others []feed.Request
	for _, r := range requests {
		if d.timeline().Has(r.Project) && r.Purpose == feed.Head {
			polls = append(polls, r)
		} else {
			others = append(others, r)
		}
	}
	next := d.timer.Set(d.session, page.Operations, wait, due{})
	return tea.Batch(next, d.ask(polls, d.session.Do), d.ask(others, d.session.DoQuietly))
}

func (d *driver) ask(requests []feed.Request, do deliver) tea.Cmd {
	if len(requests) == 0 {
		return nil
	}
	service := d.service
	return do(page.Operations, func(ctx context.Context) tea.Msg {
		answers, panics := make(chan feed.Answer, len(requests)), &page.PanicCatcher{}
		for _, r := range requests {
			go func() {
				a := feed.Answer{Request: r}
				defer func() { answers <- a }()
				defer panics.Catch()
				a = r.Ask(ctx, service)
			}()
		}
		return wait(answers, len(requests), panics, do)
	})
}

// wait waits for the next answer, and a moment for those that come close behind it.
func wait(answers chan feed.Answer, left int, panics *page.PanicCatcher, do deliver) answered {
	got := answered{answers: []feed.Answer{<-answers}}
	late := time.After(batchDelay)
	for waits := true; waits && len(got.answers) < left; {
		select {
		case a := <-answers:
			got.answers = append(got.answers, a)
		case <-late:
			waits = false
		}
	}
	panics.Deliver()
	if left -= len(got.answers); left > 0 {
		got.rest = func() tea.Cmd {
			return do(page.Operations, func(context.Context) tea.Msg { return wait(answers, left, panics, do) })
		}
	}
	return got
}

// take takes in an answer, and returns what changed.
func (d *driver) take(a feed.Answer, now time.Time) feed.Change {
	c := d.poller.Take(a, now)
	d.fleet.Take(a.Project, c)
	if news := c.Anomalies &^ d.anomalies; news != 0 {
		d.anomalies |= news
		d.session.Notify(style.Waiting, strings.Join(news.Sentences(), " "))
	}
	switch {
	case a.Err == nil:
		d.answeredAt = now
	case models.KindOf(a.Err) != models.KindCanceled && !models.Unsent(a.Err):
		err := a.Err
		if _, broken := d.poller.Err(a.Project); broken == nil {
			err = models.Doing(err, "list operations") // not one project
		}
		d.session.Emit(page.Failed{Err: err})
	}
	return c
}

// news is what polls added or changed, which the rows mark.
type news struct {
	*state

	alerts  *alerts
	cycle   time.Time            // the last cycle that brought news
	changed map[key]table.Change // in it
	away    int                  // the failures among the rows since the table was last at its top
}

// take takes in what an answer changed. Operations of history are no news.
func (n *news) take(a feed.Answer, c feed.Change) {
	if a.Purpose == feed.Head || a.Purpose == feed.Join {
		for _, op := range c.Added[:c.News] {
			r := n.row(a.Project, op)
			n.changed[r.key()] = table.Added
			n.fail(r)
		}
	}
	for _, revised := range c.Changed {
		r := n.row(a.Project, revised.After)
		n.changed[r.key()] |= n.changes(n.row(a.Project, revised.Before), r)
		// An operation that fails at every attempt is one failure.
		if before := revised.Before; before.FailuresCount == 0 && !before.Status.Failed() || before.Status.Final() {
			n.fail(r)
		}
		if n.watched[r.key()] && r.Op.Done() {
			n.alerts.ended(r)
		}
	}
}

func (n *news) changes(before, after *row) (m table.Change) {
	now := n.session.ServiceNow()
	for i, column := range n.columns()[:newsColumns] {
		was, _ := column.Cell(before, now)
		if is, _ := column.Cell(after, now); was != is {
			m |= 1 << i
		}
	}
	return m
}

func (n *news) fail(r *row) {
	if r.Op.Status.Failed() && (n.all() || r.Project == n.project.ID) && n.table.MatchesFilter(r) {
		n.away++
	}
}

// note counts the new rows above the selection, and the failures. It is not announced: each row was.
func (n *news) note(f page.Frame) table.Note {
	arrivals, top := n.table.Arrivals(), f.Key("top")
	came, failed := count(arrivals)+" new", count(n.away)+" failed"
	out := table.Note{Tone: style.Bad, Text: "▲ " + came + ", " + failed + " · " + top + ": newest"}
	said := came + " above, " + failed
	switch {
	case n.away == 0:
		out, said = table.Note{Tone: style.Fresh, Text: "▲ " + came + " · " + top + ": newest"}, came+" above"
	case arrivals == 0:
		return table.Note{Tone: style.Bad, Text: "✗ " + failed + " · " + f.Key("counted-failed") + ": show"}
	}
	out.Announced = announce.Part{Name: "arrivals", Text: said + ". " + announce.Key(top) + ": go to the top.", Quiet: true}
	return out
}

// events are what changed in the rows of the table, oldest first, but for the one that the last alert named.
func (n *news) events() []announce.Event {
	var all []*row
	for k, change := range n.changed {
		if i, ok := n.timeline().Find(k.Project, k.ID); ok && change != 0 && k != n.alerts.named {
			if r := n.row(k.Project, n.timeline().At(i)); n.table.MatchesFilter(r) {
				all = append(all, r)
			}
		}
	}
	slices.SortFunc(all, func(a, b *row) int {
		return cmp.Or(a.Op.UpdatedAt.Compare(b.Op.UpdatedAt), strings.Compare(a.Op.ID, b.Op.ID))
	})
	events := make([]announce.Event, len(all))
	for i, r := range all {
		word := style.StatusOf(r.Op).Word
		said := word + ": " + n.operation(r)
		if n.changed[r.key()] == table.Added && !r.Op.Done() {
			said = word + ", new: " + n.operation(r)
		}
		if took, ok := r.Took(n.session.ServiceNow()); ok && r.Op.Done() {
			said += " after " + style.DurationWords(took)
		}
		if failures := int(r.Op.FailuresCount); failures > 0 {
			said += ", " + style.Plural(failures, "failure")
		}
		events[i] = announce.Event{Key: fmt.Sprint(r.key(), word, r.Op.FailuresCount), Kind: word, Text: said}
	}
	return events
}

func (n *news) watch(r *row) {
	k, title := r.key(), n.operation(r)
	switch {
	case n.watched[k]:
		delete(n.watched, k)
		n.session.Notify(style.Muted, "no longer watching "+title)
	case r.Op.Done():
		n.session.Notify(style.Waiting, title+" already ended")
	default:
		n.watched[k] = true
		n.session.Notify(style.Good, "◉ watching "+title+"; you will be notified when it ends")
	}
}

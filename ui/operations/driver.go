package operations

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// patience is how long a request may take. The project is asked again later.
	patience = 15 * time.Second
	// gather is how long an answer waits for others: each time that rows arrive, half of the screen is written anew.
	gather = 150 * time.Millisecond
)

// driver makes the requests that the poller wants made, when it wants them.
type driver struct {
	*state

	service   Service
	alarm     page.Alarm   // when there may be something to ask for
	anomalies feed.Anomaly // that the user was told of
}

type due struct{}

// answered is answers that came close together.
type answered struct {
	answers []feed.Answer
	rest    tea.Cmd // waits for others that were asked for together with these, or nil
}

// deliver is [page.Session.Do] or [page.Session.DoQuietly].
type deliver = func(page.ID, func(context.Context) tea.Msg) tea.Cmd

// poll starts what there is to ask for now, and sets the alarm for the next time. Ages on the screen go on with the
// polls of what is shown only.
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
	next := d.alarm.Set(d.session, page.Operations, wait, due{})
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
				ctx, cancel := context.WithTimeout(ctx, patience)
				defer cancel()
				if r.ID != "" {
					a.Operation, a.Err = service.Operation(ctx, r.Project, r.ID)
				} else {
					a.Page, a.Err = service.Operations(ctx, r.Project, r.PageRequest)
				}
				a.Page.AsOf = r.AsOf
			}()
		}
		return wait(answers, len(requests), panics, do)
	})
}

// wait waits for the next answer, and a moment for those that come close behind it.
func wait(answers chan feed.Answer, left int, panics *page.PanicCatcher, do deliver) answered {
	got := answered{answers: []feed.Answer{<-answers}}
	late := time.After(gather)
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
		got.rest = do(page.Operations, func(context.Context) tea.Msg { return wait(answers, left, panics, do) })
	}
	return got
}

// take takes an answer in, and returns the news in it. Operations that history brings are none.
func (d *driver) take(a feed.Answer, now time.Time) feed.Change {
	polled := (a.Purpose == feed.Head || a.Purpose == feed.Join) && d.poller.Feed(a.Project).Loaded()
	c := d.poller.Take(a, now)
	if !polled {
		c.Added = nil
	}
	if news := c.Anomalies &^ d.anomalies; news != 0 {
		d.anomalies |= news
		d.session.Tell(style.Waiting, strings.Join(news.Sentences(), " "))
	}
	switch {
	case a.Err == nil:
		d.answeredAt = now
	case models.KindOf(a.Err) != models.KindCanceled && !models.Unsent(a.Err):
		err := a.Err
		if d.poller.Err(a.Project) == nil {
			err = anyProject(err)
		}
		d.session.Emit(page.Failed{Err: err})
	}
	return c
}

// anyProject leaves the project out of an error that concerns the service.
func anyProject(err error) error { return models.Doing(err, "list operations") }

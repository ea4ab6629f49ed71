package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const (
	// patience is how long a request may take: a project that does not answer by then is
	// asked again later.
	patience = 15 * time.Second
	// gather is how long the answers that follow the first one are waited for: each time
	// that rows arrive, half of the screen is written anew.
	gather = 150 * time.Millisecond
)

// intervals are the steps of faster and slower.
func intervals() []time.Duration {
	return []time.Duration{
		time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
		30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
}

// nextInterval is the interval a step longer or shorter.
func nextInterval(d time.Duration, by int) time.Duration {
	steps := intervals()
	at, exact := slices.BinarySearch(steps, d)
	if !exact && by > 0 {
		at-- // the next longer one is the step that the search ended at
	}
	return steps[max(0, min(at+by, len(steps)-1))]
}

// due tells the page that there may be something to ask for.
type due struct{}

// answered are answers that came close together, and the requests still under way.
type answered struct {
	answers []feed.Answer
	rest    *flight
}

// deliver is one of the ways in which a session delivers what work brings.
type deliver = func(page.ID, func(context.Context) tea.Msg) tea.Cmd

// flight is requests that started together.
type flight struct {
	answers chan feed.Answer
	left    int
	do      deliver
	panics  page.PanicCatcher
}

// poll starts what there is to ask for now, and sets the time of the next look.
func (p *Page) poll() tea.Cmd {
	p.poller.Watch(p.watched(), p.lookedAt())
	p.poller.Keep(feed.WindowSince(p.session.ServiceNow(), p.window.length))
	requests, wait := p.poller.Next(p.session.Now())
	next := p.alarm.Set(p.session, page.Operations, wait, due{})
	// Ages go on with the polls of what is shown, and not with what follows from them.
	var polls, others []feed.Request
	for _, r := range requests {
		if p.timeline.Has(r.Project) && r.Purpose == feed.Head {
			polls = append(polls, r)
		} else {
			others = append(others, r)
		}
	}
	return tea.Batch(next, p.ask(polls, p.session.Do), p.ask(others, p.session.DoQuietly))
}

// watched are the operations whose end the user is told of.
func (p *Page) watched() []feed.Key {
	keys := make([]feed.Key, 0, len(p.watch))
	for k := range p.watch {
		keys = append(keys, feed.Key{Project: k.project, ID: k.id})
	}
	return keys
}

// lookedAt are the projects with operations on the screen.
func (p *Page) lookedAt() map[string]bool {
	projects := map[string]bool{}
	for _, r := range p.table.List().Visible() {
		projects[r.project] = true
	}
	return projects
}

// ask makes the requests, each on its own, so that none waits for another.
func (p *Page) ask(requests []feed.Request, do deliver) tea.Cmd {
	if len(requests) == 0 {
		return nil
	}
	service := p.service
	return do(page.Operations, func(ctx context.Context) tea.Msg {
		f := &flight{answers: make(chan feed.Answer, len(requests)), left: len(requests), do: do}
		for _, r := range requests {
			go func() {
				a := feed.Answer{Request: r}
				defer func() { f.answers <- a }()
				defer f.panics.Catch()
				ctx, cancel := context.WithTimeout(ctx, patience)
				defer cancel()
				if r.ID != "" {
					a.Operation, a.Err = service.Operation(ctx, r.Project, r.ID)
				} else {
					a.Page, a.Err = service.Operations(ctx, r.Project, r.PageRequest)
				}
				// Of a request that waited for its turn, the answer may be younger.
				a.Page.AsOf = r.AsOf
			}()
		}
		return f.gather()
	})
}

// gather waits for the next answer, and a moment for those that come close behind it.
func (f *flight) gather() answered {
	got := []feed.Answer{<-f.answers}
	var closeBehind <-chan time.Time
	for len(got) < f.left {
		if closeBehind == nil {
			t := time.NewTimer(gather)
			defer t.Stop()
			closeBehind = t.C
		}
		select {
		case a := <-f.answers:
			got = append(got, a)
			continue
		case <-closeBehind:
		}
		break
	}
	f.panics.Deliver()
	if f.left -= len(got); f.left == 0 {
		f = nil
	}
	return answered{got, f}
}

// took takes answers in and goes on.
func (p *Page) took(msg answered) tea.Cmd {
	now := p.session.Now()
	if began := p.poller.Began(); !began.Equal(p.marked) {
		// What the last cycle brought is marked until this one brings something.
		p.marked, p.marks = began, nil
	}
	var cmds []tea.Cmd
	if msg.rest != nil {
		cmds = append(cmds, msg.rest.do(page.Operations, func(context.Context) tea.Msg { return msg.rest.gather() }))
	}
	goal, shown := p.poller.Goal(), false
	for _, a := range msg.answers {
		shown = shown || p.timeline.Has(a.Project)
		polled := (a.Purpose == feed.Head || a.Purpose == feed.Join) && p.poller.Feed(a.Project).Loaded()
		c := p.poller.Take(a, now)
		p.warn(c.Anomalies)
		if !polled {
			c.Added = nil // they are history
		}
		p.mark(a.Project, c)
		p.tellFailures(a.Project, c)
		cmds = append(cmds, p.endWatches(a.Project, c))
		switch {
		case a.Err == nil:
			p.answeredAt = now
		case models.KindOf(a.Err) != models.KindCanceled && !models.Unsent(a.Err):
			err := a.Err
			if p.poller.Err(a.Project) == nil {
				err = anyProject(err)
			}
			p.session.Tell(page.Failed{Err: err})
		}
	}
	p.sayFailures()
	p.learn()
	if !shown {
		return tea.Batch(append(cmds, p.poll())...)
	}
	p.tellGoal(goal)
	return tea.Batch(append(cmds, p.refresh(), p.wantOlder(), p.poll())...)
}

// warn says what is odd about the answers, once in a session.
func (p *Page) warn(found feed.Anomaly) {
	if news := found &^ p.anomalies; news != 0 {
		p.anomalies |= news
		p.session.Tell(page.Notice{Tone: style.Waiting, Text: strings.Join(news.Sentences(), " ")})
	}
}

// mark remembers what is new or changed until the next cycle.
func (p *Page) mark(project string, c feed.Change) {
	if p.marks == nil {
		p.marks = map[key]table.Change{}
	}
	for _, op := range c.Added {
		p.marks[key{project: project, id: op.ID}] = table.Added
	}
	for _, r := range c.Changed {
		p.marks[key{project: project, id: r.After.ID}] |= p.changedCells(project, r)
	}
}

// refreshNow asks at once because the user says so, or says why not.
func (p *Page) refreshNow() tea.Cmd {
	now := p.session.Now()
	p.poller.Refresh(now)
	if f := p.poller.Freshness(now); f.State == feed.Limited {
		p.session.Tell(page.Notice{Tone: style.Waiting, Text: "Rate limited: next try in " + style.Until(f.Next, now), Here: true})
	}
	return p.poll()
}

// paused reports whether nothing is asked until the user wants it.
func (p *Page) paused() bool { return !p.pausedAt.IsZero() }

// frozenAt is the time at which a paused feed stands still: that of the pause, or of the
// answers that came since, because the user chose another project.
func (p *Page) frozenAt() time.Time {
	if p.answeredAt.After(p.pausedAt) {
		return p.answeredAt
	}
	return p.pausedAt
}

// pause stops asking, or goes on with it at once.
func (p *Page) pause() tea.Cmd {
	if p.paused() {
		p.pausedAt = time.Time{}
	} else {
		p.pausedAt = p.session.Now()
	}
	p.poller.SetPaused(p.paused())
	return p.poll()
}

// setInterval changes the time between polls while it runs.
func (p *Page) setInterval(d time.Duration) tea.Cmd {
	p.poller.SetInterval(d)
	p.learn()
	return p.poll()
}

// nextTry counts down to a time.
func nextTry(at, now time.Time) string { return "next " + style.Until(at, now) }

// status is how current the feed is, with the time of the next try where that is worth
// knowing. Where nothing is to move, nothing counts down.
func (p *Page) status(now time.Time) page.Status {
	if p.paused() {
		return page.Status{Tone: style.Waiting, Text: "‖ paused at " + p.session.Times.Clock(p.frozenAt())}
	}
	f := p.poller.Freshness(now)
	s, many := page.Status{Tone: style.Waiting}, f.Projects > 1
	switch f.State {
	case feed.Limited:
		return p.dated("◌ rate limited", f, now)
	case feed.Offline:
		return p.dated("○ offline", f, now)
	case feed.Silent:
		return p.dated("◌ no answer for "+style.Age(f.Heard, now), f, now)
	case feed.Failing:
		return p.dated("✗ "+models.KindOf(f.Err).String(), f, now)
	case feed.Loading:
		s.Text = "◌ loading"
		if many {
			s.Long = fmt.Sprintf("◌ loading · %s of %s read", count(f.Read), table.Plural(f.Projects, "project"))
		}
	case feed.Late:
		s.Text = "◌ late " + style.Age(f.Oldest, now)
		if many {
			s.Long = "◌ " + p.fleet(f) + ", oldest " + style.Age(f.Oldest, now)
		} else if !p.options.Still {
			s.Text += " · " + nextTry(f.Next, now)
		}
	case feed.Live:
		s.Text = "● live " + style.Every(p.poller.Interval())
		if len(f.Unreadable) == 0 {
			s.Tone = style.Good
		}
		if many {
			s.Long = s.Text + " · oldest " + style.Age(f.Oldest, now)
		}
	}
	if n := len(f.Unreadable); n > 0 && many {
		unread := " · " + count(n) + " not read"
		s.Text, s.Long = s.Text+unread, cmp.Or(s.Long, s.Text)+unread
	}
	return s
}

// dated is a state in which nothing new comes, with the time of the rows and of the next try.
func (p *Page) dated(state string, f feed.Freshness, now time.Time) page.Status {
	s := page.Status{Tone: style.Alarm, Text: state}
	if f.State == feed.Limited || f.State == feed.Silent {
		s.Tone = style.Waiting
	}
	if !p.options.Still {
		s.Text += " · " + nextTry(f.Next, now)
	}
	if f.Oldest.IsZero() {
		return s
	}
	age := style.Age(f.Oldest, now) + " old"
	s.Long = s.Text + " · rows as of " + p.session.Times.Clock(f.Oldest) + " (" + age + ")"
	if f.State != feed.Silent { // which says an age
		s.Text += " · rows " + age
	}
	return s
}

// fleet is how many of several projects are current.
func (p *Page) fleet(f feed.Freshness) string {
	return fmt.Sprintf("%s: %s within %s", table.Plural(f.Projects, "project"), count(f.Fresh), style.Every(p.poller.Bound()))
}

// unreadable says which projects cannot be read, and why.
func (p *Page) unreadable(f feed.Freshness) error {
	switch {
	case f.State == feed.Offline, f.State == feed.Silent, f.State == feed.Failing && p.all():
		return anyProject(f.Err)
	case len(f.Unreadable) == 0:
		return nil
	}
	id := f.Unreadable[0]
	err := p.poller.Err(id)
	what := "cannot read " + p.name(id)
	if models.KindOf(err) == models.KindNotFound {
		what = "project " + p.name(id) + " is gone"
	}
	return p.named(what, len(f.Unreadable)-1, err)
}

// named says of which project something failed, with which status, and of how many others,
// before it says why: that may be long, and the line is cut.
func (*Page) named(what string, others int, err error) error {
	e, ok := errors.AsType[*models.Error](err)
	if ok {
		reason := *e
		reason.Doing, reason.Status = "", 0
		err = &reason
	}
	if ok && e.Status >= 300 {
		what += fmt.Sprintf(" (%d)", e.Status)
	}
	if others > 0 {
		what += " and " + count(others) + " more"
	}
	return fmt.Errorf("%s: %w", what, err)
}

// anyProject leaves out of an error which of many projects was asked about, where that was
// chance: the service is meant.
func anyProject(err error) error {
	e, ok := errors.AsType[*models.Error](err)
	if !ok {
		return err
	}
	general := *e
	general.Doing = "list operations"
	return &general
}

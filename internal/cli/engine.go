package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/projects"
	"pgtower/ui/style"
)

const (
	// patience is how long a request may take.
	patience = 15 * time.Second
	// lookAgain is how often a command looks whether it is done, if nothing is answered.
	lookAgain = time.Second
	// recovery is how long projects have to answer after trouble with all of them, before those that do not are named.
	recovery = time.Minute
)

// engine asks for operations what a poller wants, when it wants it.
type engine struct {
	*source

	poller  *feed.Poller
	options feed.Options
	names   map[string]string     // of the projects, by their ids
	lists   chan []models.Project // read again
	answers chan feed.Answer      // to requests under way, also after run has returned
	listed  time.Time             // when the list was asked for last
	cycle   time.Time             // that troubles was called in
	unread  []string              // the projects that were said to be unreadable

	changing           bool      // other ones are, since the last cycle
	answered, troubled time.Time // when the service last did, and was last in trouble
}

func newEngine(from *source) *engine {
	s := from.script
	options := feed.Options{Interval: s.interval, Budget: s.budget, PageSize: s.pageSize}
	return &engine{
		source: from, poller: feed.NewPoller(options), options: options, names: map[string]string{},
		lists: make(chan []models.Project), answers: make(chan feed.Answer),
	}
}

// begin reads the projects. With tries of 0 it does not give up.
func (e *engine) begin(ctx context.Context, tries int) error {
	e.listed = e.process.Clock()
	list, err := e.listProjects(ctx, tries)
	if err == nil {
		e.answered = e.process.Clock()
		e.take(list)
	}
	return err
}

// take takes in the project list.
func (e *engine) take(list []models.Project) {
	var polled []feed.Project
	for i := range list {
		if project := &list[i]; !models.NoID(project.ID) {
			e.names[project.ID] = project.Name
			pinned := slices.Contains(e.script.current.Pinned, project.ID)
			polled = append(polled, feed.Project{ID: project.ID, ChangedAt: project.ChangedAt(), Pinned: pinned})
		}
	}
	e.poller.SetProjects(polled, true)
}

// relist reads the list again when it is old, while other requests go on: new projects are followed, too, and those
// that changed are asked first. Where it cannot be read, the old one stays.
func (e *engine) relist(ctx context.Context, now time.Time) {
	every := projects.RereadAfter(e.options, len(e.names))
	if since := now.Sub(e.listed); since >= 0 && since < every || len(e.script.projects) > 0 {
		return
	}
	e.listed = now
	go func() {
		list, partial, err := projects.Read(ctx, e.API)
		if err != nil || partial != "" {
			return
		}
		select {
		case e.lists <- list:
		case <-ctx.Done():
		}
	}()
}

// run asks what the poller wants until done, which is called at least once a second. take takes in the answers. A
// refused key ends it.
func (e *engine) run(ctx context.Context, take func(feed.Answer, time.Time), done func(time.Time) bool) error {
	for {
		now := e.process.Clock()
		e.troubles(now)
		if done(now) {
			if e.answered.After(e.troubled) {
				e.trouble("")
			}
			return nil
		}
		requests, wait := e.poller.Next(now)
		for _, r := range requests {
			go e.ask(ctx, r)
		}
		select {
		case a := <-e.answers:
			if models.KindOf(a.Err) == models.KindUnauthorized {
				return a.Err
			}
			now = e.process.Clock()
			if a.Err == nil {
				e.answered = now
			}
			take(a, now)
		case list := <-e.lists:
			e.take(list)
		case <-time.After(min(wait, lookAgain)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ask makes a request.
func (e *engine) ask(ctx context.Context, r feed.Request) {
	a := feed.Answer{Request: r}
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if r.ID != "" {
		a.Operation, a.Err = e.API.Operation(within, r.Project, r.ID)
	} else {
		a.Page, a.Err = e.API.Operations(within, r.Project, r.PageRequest)
	}
	a.Page.AsOf = r.AsOf // after a rate limit it may be younger
	select {
	case e.answers <- a:
	case <-ctx.Done():
	}
}

// read reports whether the newest pages of all projects were read, but for those that cannot be read soon.
func (e *engine) read() bool {
	trying := func(id string) bool {
		fails, err := e.poller.Err(id)
		return !hopeless(err) && fails < maxTries
	}
	return e.poller.Coverage().Unread == 0 && !slices.ContainsFunc(e.poller.Unreadable(), trying)
}

// name is what a project is called.
func (e *engine) name(project string) string { return cmp.Or(e.names[project], project) }

// troubles says what begins or ends to go wrong, in a line each: with the service at once, with projects once a cycle.
// The service's trouble is over when there was none for an interval, and no further project is found to be unreadable.
func (e *engine) troubles(now time.Time) {
	f := e.poller.Freshness(now)
	if what := e.outage(f, now); what != "" {
		e.troubled = now
		e.trouble(what)
		return
	}
	began, calm := except(f.Unreadable, e.unread), now.Sub(e.troubled)
	if e.said && (!e.answered.After(e.troubled) || calm < e.options.Interval || len(began) > 0 && calm < recovery) {
		return
	}
	e.trouble("")
	last := e.cycle
	e.cycle = e.poller.Began()
	// Where only failures came so far, it may be all projects.
	if last.IsZero() || last.Equal(e.cycle) || f.Projects > 1 && e.answered.Before(last) {
		return
	}
	ended := except(e.unread, f.Unreadable)
	e.changing = len(began)+len(ended) > 0 && !e.changing
	if e.changing { // told in the next cycle, with what follows until then
		return
	}
	if len(began) > 0 {
		_, err := e.poller.Err(began[0])
		e.say("cannot read %s: %v", e.some(began), err)
	}
	if len(ended) > 0 {
		e.say("can read %s again", e.some(ended))
	}
	e.unread = slices.Clone(f.Unreadable)
}

// outage is the trouble with the whole service, or empty.
func (e *engine) outage(f feed.Freshness, now time.Time) string {
	silence := now.Sub(e.answered) > e.options.Bound()+patience
	switch {
	case f.State == feed.Limited:
		wait := max(time.Second, f.Next.Sub(now).Round(time.Second))
		return "rate limited by the service; next try in " + style.Every(wait)
	case f.State == feed.Silent, f.State == feed.Offline:
		return fmt.Sprintf("no response: %v; retrying", f.Err)
	case f.Projects > 1 && (f.State == feed.Failing || len(f.Unreadable) > 1 && silence):
		return fmt.Sprintf("cannot read any project: %v; retrying", f.Err)
	}
	return ""
}

// except returns the ids that are not among others.
func except(ids, others []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(others, id) })
}

// some names the first of some projects.
func (e *engine) some(ids []string) string {
	if len(ids) > 1 {
		return fmt.Sprintf("%s and %d more", e.name(ids[0]), len(ids)-1)
	}
	return e.name(ids[0])
}

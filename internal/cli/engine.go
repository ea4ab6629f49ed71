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
	requestTimeout = 15 * time.Second
	checkInterval  = time.Second // at which a command checks whether it is done, if no response comes
	recovery       = time.Minute // after trouble with all projects, until those that still fail are reported
)

// engine makes the requests of a poller.
type engine struct {
	*source

	poller  *feed.Poller
	options feed.Options
	names   map[string]string     // of the projects, by id
	lists   chan []models.Project // project lists that were read again
	answers chan feed.Answer      // to requests, also after run has returned
	listed  time.Time             // the last request of the project list
	cycle   time.Time             // the cycle of the last report
	unread  []string              // the projects that were reported as unreadable

	changing           bool      // unread is out of date since the last cycle
	answered, troubled time.Time // the last response, and the last trouble with the whole service
}

func newEngine(from *source) *engine {
	s := from.script
	options := feed.Options{Interval: s.interval, Budget: s.budget, PageSize: s.pageSize}
	return &engine{
		source: from, poller: feed.NewPoller(options), options: options, names: map[string]string{},
		lists: make(chan []models.Project), answers: make(chan feed.Answer),
	}
}

// begin reads the projects, in at most tries requests; 0: without limit.
func (e *engine) begin(ctx context.Context, tries int) error {
	e.listed = e.process.Clock()
	list, err := e.listProjects(ctx, tries)
	if err == nil {
		e.answered = e.process.Clock()
		e.take(list)
	}
	return err
}

// take polls the projects of a list.
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

// relist reads the project list again in the background when it is old, so that new projects are followed and changed
// ones polled first. If it cannot be read, the old one stays.
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

// run makes the poller's requests and passes the answers to take, until done, which is called at least once a second.
// A refused key is an error.
func (e *engine) run(ctx context.Context, take func(feed.Answer, time.Time), done func(time.Time) bool) error {
	for {
		now := e.process.Clock()
		e.reportTrouble(now)
		if done(now) {
			if e.answered.After(e.troubled) {
				e.report("")
			}
			return nil
		}
		requests, wait := e.poller.Next(now)
		for _, r := range requests {
			go e.request(ctx, r)
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
		case <-time.After(min(wait, checkInterval)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (e *engine) request(ctx context.Context, r feed.Request) {
	a := feed.Answer{Request: r}
	within, cancel := context.WithTimeout(ctx, requestTimeout)
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

// read reports whether the newest page of every project was read, or cannot be read soon.
func (e *engine) read() bool {
	trying := func(id string) bool {
		fails, err := e.poller.Err(id)
		return !permanent(err) && fails < maxTries
	}
	return e.poller.Coverage().Unread == 0 && !slices.ContainsFunc(e.poller.Unreadable(), trying)
}

func (e *engine) name(project string) string { return cmp.Or(e.names[project], project) }

// reportTrouble reports what begins and what ends: trouble with the service at once, with projects once a cycle. The
// service's is over if there was none for an interval, and no further project became unreadable.
func (e *engine) reportTrouble(now time.Time) {
	f := e.poller.Freshness(now)
	if what := e.outage(f, now); what != "" {
		e.troubled = now
		e.report(what)
		return
	}
	began, calm := except(f.Unreadable, e.unread), now.Sub(e.troubled)
	if e.trouble && (!e.answered.After(e.troubled) || calm < e.options.Interval || len(began) > 0 && calm < recovery) {
		return
	}
	e.report("")
	last := e.cycle
	e.cycle = e.poller.Began()
	// As long as all requests fail, it may be all projects.
	if last.IsZero() || last.Equal(e.cycle) || f.Projects > 1 && e.answered.Before(last) {
		return
	}
	ended := except(e.unread, f.Unreadable)
	e.changing = len(began)+len(ended) > 0 && !e.changing
	if e.changing { // reported in the next cycle, with further changes
		return
	}
	if len(began) > 0 {
		_, err := e.poller.Err(began[0])
		e.say("cannot read %s: %v", e.nameAll(began), err)
	}
	if len(ended) > 0 {
		e.say("can read %s again", e.nameAll(ended))
	}
	e.unread = slices.Clone(f.Unreadable)
}

// outage returns the trouble with the whole service, or "".
func (e *engine) outage(f feed.Freshness, now time.Time) string {
	silence := now.Sub(e.answered) > e.options.Bound()+requestTimeout
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

// except returns ids without those of others.
func except(ids, others []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(others, id) })
}

// nameAll returns the name of the first project, and how many more there are.
func (e *engine) nameAll(ids []string) string {
	if len(ids) > 1 {
		return fmt.Sprintf("%s and %d more", e.name(ids[0]), len(ids)-1)
	}
	return e.name(ids[0])
}

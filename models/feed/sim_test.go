package feed

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// run drives a poller against a platform in simulated time.
type run struct {
	*driven

	fatalf   func(format string, args ...any)
	platform *platform
	now      time.Time
	latency  func() time.Duration
	coming   []arrival // ordered by time
	starts   []time.Time
	jumps    []jump // of the poller's clock
	number   int
	quiet    time.Time                   // the end of the service's rate limit
	shown    map[string]models.Operation // the newest version of each operation in an answer
	check    bool
	pins     int           // how many projects are pinned
	window   time.Duration // to keep complete, or 0
	waits    bool          // the user waits for it
	bound    int           // how many operations of it are loaded at most, or 0
	asked    map[Purpose]int
	ahead    time.Duration // of the poller's clock
	took     time.Duration // of the request that starts
	take     func(Answer, time.Time)
	starting func(request)
	answered time.Time // when the service first answered with a page, by its clock
}

type arrival struct {
	sent, at time.Time
	target   target
	answer   poll.Answer
}

// jump is when a clock was set ahead, and by how much.
type jump struct {
	at time.Time
	by time.Duration
}

// setClock sets how far the poller's clock is ahead. The end of the service's rate limit is not known by the new clock.
func (r *run) setClock(ahead time.Duration) {
	r.now, r.quiet = r.now.Add(time.Second), time.Time{}
	r.jumps = append(r.jumps, jump{r.now, max(0, ahead-r.ahead)})
	r.ahead = ahead
}

// jumped returns how far the clock was set ahead since a time.
func (r *run) jumped(since time.Time) (by time.Duration) {
	for _, j := range r.jumps {
		if !j.at.Before(since) {
			by += j.by
		}
	}
	return by
}

// start makes a request. Its answer comes later.
func (r *run) start(q poll.Request) {
	req := r.projects[q.Of].flights[q.Subject]
	r.starts = append(r.starts, r.now)
	if r.now.Before(r.quiet) {
		r.fatalf("asked %v before the service wanted it", r.quiet.Sub(r.now))
	}
	for _, late := range r.coming {
		given := r.now.Sub(late.sent)+r.jumped(late.sent) >= 45*time.Second // the computer slept: it was given up
		if late.target == req.target() && !given {
			r.fatalf("asked again for %+v before its answer came", req.target())
		}
	}
	r.number++
	r.starting(req)
	r.asked[req.Purpose]++
	r.took = r.latency()
	a := q.Do(context.Background())
	at, _ := slices.BinarySearchFunc(r.coming, r.now.Add(r.took), func(x arrival, t time.Time) int { return x.at.Compare(t) })
	r.coming = slices.Insert(r.coming, at, arrival{r.now, r.now.Add(r.took), req.target(), a})
}

// Operations is of [Service].
func (r *run) Operations(_ context.Context, project string, q models.PageRequest) (models.Page[models.Operation], error) {
	a := r.serve(request{Project: project, PageRequest: q, AsOf: r.now.Add(r.ahead)})
	return a.Page, a.Err
}

// Operation is of [Service].
func (r *run) Operation(_ context.Context, project, id string) (models.Operation, error) {
	a := r.serve(request{Project: project, ID: id, AsOf: r.now.Add(r.ahead)})
	return a.Operation, a.Err
}

// serve returns what the platform answers, with its faults.
func (r *run) serve(req request) Answer {
	a := r.platform.serve(req, r.now.Add(r.took/2))
	for _, f := range r.platform.faults {
		if hit := f.hits(req.Project, r.now, r.number) && (!f.below || req.Cursor != ""); hit && f.paging != "" {
			if next := &a.Page.Next; *next != "" && f.paging == "circle" {
				*next = fmt.Sprint("~", r.number)
			} else if *next != "" {
				*next, a.Page.Damage = "", "pagination.cursor is not text"
			}
		} else if hit {
			e := &models.Error{Kind: f.kind, RetryAfter: f.retry}
			switch f.kind {
			case models.KindNotFound:
				e.Status = 404
			case models.KindServer:
				e.Status = 503
			case models.KindRateLimited:
				e.Status = 429
			default:
			}
			a, r.took = Answer{request: req, Err: e}, max(r.took, f.after)
			break
		}
	}
	return a
}

// until drives the poller until a time.
func (r *run) until(end time.Time) {
	for {
		if r.window > 0 {
			r.SetRange(Range{Since: WindowSince(r.now, r.window), Asked: r.waits, Most: r.bound})
		}
		requests, wait := r.poll.Next(r.now.Add(r.ahead))
		for _, q := range requests {
			r.start(q)
		}
		next := r.now.Add(wait)
		if len(r.coming) > 0 && !r.coming[0].at.After(next) {
			next = slices.MaxFunc([]time.Time{r.now, r.coming[0].at}, time.Time.Compare)
		}
		if next.After(end) {
			r.now = end
			return
		}
		r.now = next
		waiting := len(r.coming)
		for len(r.coming) > 0 && !r.coming[0].at.After(r.now) {
			a := r.coming[0].answer
			r.coming = r.coming[1:]
			if models.KindOf(a.Err) == models.KindRateLimited {
				r.quiet = slices.MaxFunc([]time.Time{r.quiet, r.now.Add(models.RetryAfterOf(a.Err))}, time.Time.Compare)
			}
			if answer, came := a.Value.(Answer); came {
				r.see(answer)
			}
			r.poll.Receive(a, r.now.Add(r.ahead))
		}
		r.claims(len(r.coming) < waiting)
	}
}

// see notes what an answer shows.
func (r *run) see(a Answer) {
	if a.Err != nil {
		return
	}
	if a.ID == "" && r.answered.IsZero() {
		r.answered = a.Page.ServiceTime
	}
	for _, op := range append(a.Page.Items, a.Operation) {
		if !op.UpdatedAt.Before(r.shown[op.ID].UpdatedAt) {
			r.shown[op.ID] = op
		}
	}
}

func newRun(fatalf func(string, ...any), p *platform, o Options) *run {
	r := &run{
		driven: drive(o), fatalf: fatalf, platform: p, now: epoch(), check: true,
		asked: map[Purpose]int{}, shown: map[string]models.Operation{},
		latency: func() time.Duration { return 50 * time.Millisecond },
	}
	r.service, r.take = r, func(Answer, time.Time) {}
	r.Listen(func(a Answer, now time.Time) {
		r.change = a.Change
		r.take(a, now)
	})
	r.starting = func(request) {}
	r.list()
	return r
}

func (r *run) list() {
	var list []Project
	for _, id := range slices.Sorted(maps.Keys(r.platform.lives)) {
		if r.now.Before(r.platform.known[id]) {
			continue
		}
		one := Project{ID: id, Pinned: len(list) < r.pins}
		if r.platform.busy {
			one.ChangedAt = r.now.Truncate(time.Second)
		}
		list = append(list, one)
	}
	r.SetProjects(list, true)
}

func at(seconds float64) time.Time { return epoch().Add(time.Duration(seconds * float64(time.Second))) }

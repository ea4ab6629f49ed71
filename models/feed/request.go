package feed

import (
	"context"
	"slices"
	"sort"
	"time"

	"pgtower/models"
)

// Purpose is what a request is for.
type Purpose int

// The purposes.
const (
	Head   Purpose = iota // a project's newest page
	Join                  // a page that closes the gap between a head page and known rows
	Reread                // a page or an operation, for unfinished operations below the head page
	Gapped                // a page of a gap that the user opened
	Older                 // a page of the [Range]
)

// Request is a request that the caller makes: a page of a project's operations (section 4.5) or, if ID is set, one
// operation (section 4.6).
type Request struct {
	Project string
	ID      string
	models.PageRequest

	Purpose Purpose
	AsOf    time.Time // when the request was made: its response was true then or later

	pages   int       // how many pages may follow this one
	due     int       // its place in the queue, which the pages that follow it inherit, and those that replace it
	hold    hold      // the delay after a failure
	changed time.Time // ChangedAt of the project
	urgent  bool      // see [models.Call]
}

// Answer is the response to a [Request].
type Answer struct {
	Request

	Page      models.Page[models.Operation]
	Operation models.Operation
	Err       error

	attempts int  // how many requests it took
	limited  bool // one of them exceeded the service's rate limit
}

// Service is the part of the control API that answers about operations.
type Service interface {
	// Operations returns a page of a project's operations (section 4.5).
	Operations(ctx context.Context, project string, r models.PageRequest) (models.Page[models.Operation], error)
	// Operation reads one operation (section 4.6).
	Operation(ctx context.Context, project, id string) (models.Operation, error)
}

// RequestTimeout is the timeout of a request. The project is retried later.
const RequestTimeout = 15 * time.Second

// Ask makes a request, and gives up after [RequestTimeout].
func (r Request) Ask(ctx context.Context, s Service) Answer {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	call := &models.Call{Urgent: r.urgent}
	ctx = models.WithCall(ctx, call)
	a := Answer{Request: r}
	if r.ID != "" {
		a.Operation, a.Err = s.Operation(ctx, r.Project, r.ID)
	} else {
		a.Page, a.Err = s.Operations(ctx, r.Project, r.PageRequest)
	}
	a.Page.AsOf = r.AsOf // a request that was held back starts later
	a.attempts, a.limited = call.Attempts, call.Limited
	return a
}

// target identifies a page or an operation of a project.
type target struct{ Project, ID, Cursor string }

func (r Request) target() target { return target{r.Project, r.ID, r.Cursor} }

// traffic holds the requests in flight and the queued ones. Requests for head pages, for missing history and for single
// operations are not queued: they follow from the state of the projects.
type traffic struct {
	sent    map[target]Request
	waiting []Request // joins, pages to read again and gaps that the user opened, the longest due first
}

// send moves a request from the queue to those in flight.
func (t *traffic) send(r Request) {
	t.drop(func(o Request) bool { return o.Purpose == r.Purpose && o.target() == r.target() })
	t.sent[r.target()] = r
}

// alone returns the requests for single operations of a project that are not in flight.
func (t *traffic) alone(pr *project, all []*entry) (out []Request) {
	for _, e := range all {
		r := Request{Project: pr.ID, ID: e.op().ID, Purpose: Reread, due: pr.late}
		if t.idle(r.target()) {
			out = append(out, r)
		}
	}
	return out
}

// idle reports whether no such request is in flight.
func (t *traffic) idle(o target) bool {
	_, inFlight := t.sent[o]
	return !inFlight
}

// wait queues a request in its place.
func (t *traffic) wait(r Request) {
	place := sort.Search(len(t.waiting), func(i int) bool { return t.waiting[i].due > r.due })
	t.waiting = slices.Insert(t.waiting, place, r)
}

func (t *traffic) drop(which func(Request) bool) { t.waiting = slices.DeleteFunc(t.waiting, which) }

// has reports whether any such request is queued or in flight.
func (t *traffic) has(which func(Request) bool) bool {
	return slices.ContainsFunc(t.waiting, which) || t.inFlight(which) > 0
}

// inFlight returns the number of such requests in flight.
func (t *traffic) inFlight(which func(Request) bool) (n int) {
	for _, r := range t.sent {
		if which(r) {
			n++
		}
	}
	return n
}

// older returns how many pages of the range are in flight, and how many operations they may have.
func (t *traffic) older() (pages, operations int) {
	for _, r := range t.sent {
		if r.Purpose == Older {
			pages++
			operations += r.Limit
		}
	}
	return pages, operations
}

// joins reports whether a page is queued to join others.
func (t *traffic) joins(o target) bool {
	return slices.ContainsFunc(t.waiting, func(r Request) bool { return r.Purpose == Join && r.target() == o })
}

// is matches requests with a purpose.
func is(purpose Purpose) func(Request) bool {
	return func(r Request) bool { return r.Purpose == purpose }
}

// of matches a project's requests with a purpose.
func of(project string, purpose Purpose) func(Request) bool {
	return func(r Request) bool { return r.Project == project && r.Purpose == purpose }
}

// waitsFor returns the number of requests in flight. Those older than an interval do not count, so that projects that do
// not respond delay no others.
func (t *traffic) waitsFor(now time.Time, interval time.Duration) int {
	return t.inFlight(func(r Request) bool { return now.Sub(r.AsOf) < interval })
}

// hold is a time during which something is not requested. It is not active before it starts, so that setting the clock
// back does not extend it.
type hold struct {
	from   time.Time
	length time.Duration
}

func (h hold) left(now time.Time) time.Duration {
	if h.length == 0 || now.Before(h.from) {
		return 0
	}
	return max(0, h.from.Add(h.length).Sub(now))
}

// health is how the service responds, whatever the project.
type health struct {
	lastResponse time.Time // when the last response arrived, good or bad
	limited      hold      // the service's rate limit
	silent       int       // the number of requests in a row without a response
	retry        hold      // the delay after those
	err          error     // why there was no response
}

// responded records that the service responds, whether with success or an error.
func (h *health) responded(now time.Time) { *h = health{lastResponse: now, limited: h.limited} }

// noResponse records that a request got no response. Requests that were in flight together count once.
func (h *health) noResponse(a Answer, now time.Time, o Options) {
	if h.silent == 0 || a.AsOf.After(h.retry.from) {
		h.silent++
		h.retry = hold{now, o.backoff(h.silent)}
	}
	h.err = a.Err
}

package feed

import (
	"context"
	"errors"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// Key identifies an operation.
type Key struct{ Project, ID string }

// The kinds of subjects, see [poll.Subject]. Of a project, each is asked for once at a time.
const (
	newestPage = "page"       // its newest page
	gapPage    = "gap"        // a page that joins others, or one with unfinished operations
	openedGap  = "opened"     // a page of a gap that the user opened
	unfinished = "operation"  // the unfinished operation that no page contained, and that was unread longest
	failed     = "failure"    // the failed operation that was to be read again first
	lookedFor  = "looked for" // one operation, see [Poller.Look]
	olderPage  = "older"      // a page of the range
)

// Newest returns the subject of a project's newest page.
func Newest(project string) poll.Subject { return poll.Subject{Kind: newestPage, Of: project} }

func older(project string) poll.Subject { return poll.Subject{Kind: olderPage, Of: project} }

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

// request asks for a page of a project's operations (section 4.5) or, if ID is set, for one operation (section 4.6).
type request struct {
	Project string
	ID      string
	models.PageRequest

	Purpose Purpose
	AsOf    time.Time // when the request was made: its response was true then or later

	lists   bool      // a newest page must list some operation: recent ones are known
	pauses  int       // how often polling had been paused then
	pages   int       // how many pages may follow this one
	failed  bool      // it has failed, and is asked for once more
	changed time.Time // ChangedAt of the project
}

// Answer is what the service told of a project's operations: a page of them or, if ID is set, one operation.
type Answer struct {
	request

	Page      models.Page[models.Operation]
	Operation models.Operation
	Err       error
	Change    Change // what it changed in the feed of the project
}

// Service is the part of the control API that answers about operations.
type Service interface {
	// Operations returns a page of a project's operations (section 4.5).
	Operations(ctx context.Context, project string, r models.PageRequest) (models.Page[models.Operation], error)
	// Operation reads one operation (section 4.6).
	Operation(ctx context.Context, project, id string) (models.Operation, error)
}

// mostAtOnce is the maximum page size of the service.
const mostAtOnce = 1000

// RequestTimeout is the timeout of a request. The project is retried later.
const RequestTimeout = 15 * time.Second

// ask makes a request, and gives up after [RequestTimeout]. It returns the answer, and its failure.
func (r request) ask(ctx context.Context, s Service, pageSize int) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	a := Answer{request: r}
	if r.ID != "" {
		a.Operation, a.Err = s.Operation(ctx, r.Project, r.ID)
	} else {
		a.Page, a.Err = s.Operations(ctx, r.Project, r.PageRequest)
	}
	if a.Err == nil && r.lists && len(a.Page.Items) == 0 {
		doing := "list operations of " + r.Project
		a.Err = &models.Error{Kind: models.KindMalformed, Doing: doing, Err: errEmptied, Hint: "Ask the service's support."}
	}
	a.Page.AsOf = r.AsOf // a request that was held back starts later
	return a, a.failure(pageSize)
}

// errEmptied is the error of an empty list of a project whose operations are known. Nothing it says can be claimed, not even that
// nothing is newer.
var errEmptied = errors.New("the list has none of the operations of the last hours")

// failure returns the error of an answer, or nil if the error is an answer as well: the operation is gone, or the page is too
// long.
func (a Answer) failure(pageSize int) error {
	gone := a.ID != "" && models.KindOf(a.Err) == models.KindNotFound
	if gone || a.tooLong(pageSize) {
		return nil
	}
	return a.Err
}

// tooLong reports whether the service has shorter pages than the one that was asked for.
func (a Answer) tooLong(pageSize int) bool {
	return a.ID == "" && a.Limit > pageSize && models.KindOf(a.Err) == models.KindInvalid
}

// target identifies a page or an operation of a project.
type target struct{ Project, ID, Cursor string }

func (r request) target() target { return target{r.Project, r.ID, r.Cursor} }

// isSame matches requests for the same, with the same purpose.
func (r request) isSame(o request) bool { return o.Purpose == r.Purpose && o.target() == r.target() }

// is matches requests with a purpose.
func is(purpose Purpose) func(request) bool {
	return func(r request) bool { return r.Purpose == purpose }
}

// requests are the requests of a project that wait or are in flight.
type requests struct {
	waiting []request // joins, pages to read again, gaps that the user opened, and operations that are looked for
	flights map[poll.Subject]request
}

// waits reports whether a request of a project waits for its turn.
func (q *requests) waits(purpose Purpose) bool { return slices.ContainsFunc(q.waiting, is(purpose)) }

// has reports whether a request of a project with a purpose waits or is in flight.
func (q *requests) has(purpose Purpose) bool { return q.waits(purpose) || q.inFlight(is(purpose)) }

// inFlight reports whether a request of a project that matches is in flight.
func (q *requests) inFlight(match func(request) bool) bool {
	for _, r := range q.flights {
		if match(r) {
			return true
		}
	}
	return false
}

// asks reports whether a page or an operation is asked for by a request in flight.
func (q *requests) asks(o target) bool {
	return q.inFlight(func(r request) bool { return r.target() == o })
}

// firstWaiting returns the first of the waiting requests of a project that match.
func (q *requests) firstWaiting(match func(request) bool) *request {
	for _, r := range q.waiting {
		if match(r) && !q.asks(r.target()) {
			return &r
		}
	}
	return nil
}

// unlessSent returns a request unless the same one is in flight: its answer tells what follows.
func (q *requests) unlessSent(r request) (*request, time.Time) {
	if q.asks(r.target()) {
		return nil, time.Time{}
	}
	return &r, time.Time{}
}

func (q *requests) drop(which func(request) bool) { q.waiting = slices.DeleteFunc(q.waiting, which) }

// send notes that a request is made for a subject.
func (q *requests) send(s poll.Subject, r request) {
	q.flights[s] = r
	q.drop(r.isSame)
}

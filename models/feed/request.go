package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// Purpose is what a request is for.
type Purpose int

// The purposes.
const (
	Head     Purpose = iota // a project's newest page: what is new
	Join                    // a page that joins a head page with what was known before it
	Reread                  // a page or an operation, for unfinished operations that the head page does not contain
	History                 // an older page that the user wants, or one of a gap that the user opened
	Backfill                // a page of the time that [Poller.Keep] keeps complete
)

// Request is a request for the caller to make: a page of a project's operations (section 4.5), or, where ID is set, one
// operation (section 4.6).
type Request struct {
	Project string
	ID      string
	models.PageRequest

	Purpose Purpose
	AsOf    time.Time // when the request was handed out: its answer was true then or later

	pages   int       // how many pages may follow this one
	hold    hold      // after it failed
	sought  bool      // no page need have shown the operation
	changed time.Time // ChangedAt of the project
}

// Answer is the answer to a [Request].
type Answer struct {
	Request

	Page      models.Page[models.Operation]
	Operation models.Operation
	Err       error
}

// target is what a request asks for: a page or an operation of a project.
type target struct{ Project, ID, Cursor string }

func (r Request) target() target { return target{r.Project, r.ID, r.Cursor} }

// traffic holds the requests under way, and those that wait for their turn. Requests for head pages and for what is
// missing of history are not stored: they follow from the state of the projects.
type traffic struct {
	flights map[target]Request
	starts  []time.Time // when the requests of the last second started, oldest first
	waiting []Request   // joins, rereads and gaps that the user opened, in this order
}

// send moves a request from those that wait to those under way, and reports whether it waited.
func (t *traffic) send(r Request) (waited bool) {
	before := len(t.waiting)
	t.drop(func(o Request) bool { return o.Purpose == r.Purpose && o.target() == r.target() })
	t.flights[r.target()] = r
	t.starts = append(t.starts, r.AsOf)
	return len(t.waiting) < before
}

// grounded reports whether no such request is under way.
func (t *traffic) grounded(o target) bool {
	_, flying := t.flights[o]
	return !flying
}

func (t *traffic) wait(r ...Request) { t.waiting = append(t.waiting, r...) }

func (t *traffic) drop(which func(Request) bool) { t.waiting = slices.DeleteFunc(t.waiting, which) }

// rereadEach asks for operations one by one.
func (t *traffic) rereadEach(project string, ids []string) {
	for _, id := range ids {
		t.wait(Request{Project: project, ID: id, Purpose: Reread})
	}
}

// has reports whether any such request waits or is under way.
func (t *traffic) has(which func(Request) bool) bool {
	return slices.ContainsFunc(t.waiting, which) || t.flying(which) > 0
}

// flying returns how many such requests are under way.
func (t *traffic) flying(which func(Request) bool) (n int) {
	for _, r := range t.flights {
		if which(r) {
			n++
		}
	}
	return n
}

// is returns a test for requests of a purpose.
func is(purpose Purpose) func(Request) bool {
	return func(r Request) bool { return r.Purpose == purpose }
}

// of returns a test for a project's requests of a purpose.
func of(project string, purpose Purpose) func(Request) bool {
	return func(r Request) bool { return r.Project == project && r.Purpose == purpose }
}

// used is how much of the budget is taken: by the requests that started within the last second, or by those under way.
// One that takes longer than an interval does not count, so that projects that do not answer delay no others.
func (t *traffic) used(now time.Time, interval time.Duration) int {
	t.starts = slices.DeleteFunc(t.starts, func(at time.Time) bool { return at.After(now) || now.Sub(at) >= time.Second })
	return max(len(t.starts), t.flying(func(r Request) bool { return now.Sub(r.AsOf) < interval }))
}

// hold is a time during which something is not asked for. It does not hold before its beginning, so that a clock that
// was set back does not make it longer.
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

// health is how the service answers, whichever project is asked about.
type health struct {
	heard   time.Time // when the last answer came, good or bad
	limited hold      // it asked to be left alone
	silent  int       // how many times in a row nothing answered
	retry   hold      // after that
	err     error     // why nothing answered
}

// answered notes that the service answers, whatever it says.
func (h *health) answered(now time.Time) { *h = health{heard: now, limited: h.limited} }

// unheard notes that a request got no answer. Requests that were under way together count once.
func (h *health) unheard(a Answer, now time.Time, o Options) {
	if h.silent == 0 || a.AsOf.After(h.retry.from) {
		h.silent++
		h.retry = hold{now, o.backoff(h.silent)}
	}
	h.err = a.Err
}

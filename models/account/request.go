package account

import (
	"context"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
)

// Service is the part of the control API that answers about an account.
type Service interface {
	// Projects returns a page of the projects of a list (section 4.4), the others what only the live service tells.
	Projects(ctx context.Context, of models.ListID, r models.PageRequest) (models.Page[models.Project], error)
	Auth(ctx context.Context) (models.Auth, error)
	User(ctx context.Context) (models.User, error)
	Organizations(ctx context.Context) ([]models.Organization, error)
	Organization(ctx context.Context, id string) (models.Organization, error)
}

// Subject is what a request asks for.
type Subject int

// The subjects.
const (
	Projects      Subject = iota // a page of a list of projects
	Auth                         // what the key is
	User                         // who the user of a personal key is
	Organizations                // which organizations it reaches
	Organization                 // the name of the organization that it belongs to
)

// Request is a request that the caller makes, with [Request.Ask].
type Request struct {
	Subject Subject
	List    models.ListID // of Projects; its Org is that of Organization
	models.PageRequest
}

// Answer is the response to a request.
type Answer struct {
	Request

	Page          models.Page[models.Project]
	Auth          models.Auth
	User          models.User
	Organizations []models.Organization
	Organization  models.Organization
	Err           error
}

// Ask makes a request.
func (r Request) Ask(ctx context.Context, s Service) Answer {
	a := Answer{Request: r}
	switch r.Subject {
	case Projects:
		a.Page, a.Err = s.Projects(ctx, r.List, r.PageRequest)
	case Auth:
		a.Auth, a.Err = s.Auth(ctx)
	case User:
		a.User, a.Err = s.User(ctx)
	case Organizations:
		a.Organizations, a.Err = s.Organizations(ctx)
	case Organization:
		a.Organization, a.Err = s.Organization(ctx, r.List.Org)
	}
	return a
}

const (
	firstRetry = 5 * time.Second // after a failure, doubled for each one that follows
	lastRetry  = time.Minute

	askAgain    = 10 * time.Minute // which organizations there are
	goodFor     = time.Minute
	goodAtLeast = 15 * time.Second // if the list decides which projects to poll first
	listShare   = 0.1              // of the budget, for reading the lists
)

// RereadAfter returns how long a list stays valid. If there are more projects than can be polled in every interval, the
// lists show which ones have changed, and are read as often as a share of the budget allows.
func RereadAfter(o feed.Options, projects int) time.Duration {
	if projects <= o.MaxPinned() {
		return goodFor
	}
	pages := (projects + pageSize - 1) / pageSize
	perSecond := listShare * float64(max(1, o.Budget))
	share := time.Duration(float64(pages) / perSecond * float64(time.Second))
	return max(goodAtLeast, o.Interval, share)
}

// waiting is when something may be asked for next, and how often it has failed in a row.
type waiting struct {
	inFlight bool
	next     time.Time // zero: now
	fails    int
}

func (w *waiting) due(now time.Time) bool { return !w.inFlight && !now.Before(w.next) }

// again schedules the next request after an answer.
func (w *waiting) again(err error, now time.Time, goodFor time.Duration) {
	w.inFlight = false
	if err == nil {
		w.fails, w.next = 0, now.Add(goodFor)
		return
	}
	w.fails++
	w.next = now.Add(max(models.Backoff(firstRetry, lastRetry, w.fails), models.RetryAfterOf(err)))
}

// question is one that is asked now and then, and its last good answer.
type question[T any] struct {
	waiting

	good T
	at   time.Time // of the last good answer, or zero
	err  error     // since then
}

func (q *question[T]) known() bool { return !q.at.IsZero() }
func (q *question[T]) tried() bool { return q.known() || q.err != nil }

// receive takes in an answer. A refusal by the API itself is one too: it stays so for as long as a good answer.
func (q *question[T]) receive(good T, err error, now time.Time) {
	if err == nil {
		q.good, q.at = good, now
	}
	q.err = err
	q.again(err, now, askAgain)
	if decided(err) {
		q.next = now.Add(askAgain)
	}
}

// decided reports whether an error is the service's decision, so that asking again soon would be refused again.
func decided(err error) bool {
	return models.RefusalOf(err) != models.NoRefusal || models.NoSuchEndpoint(err)
}

// Next returns the requests to start now, and how long to wait until it should be called again. What is in flight is not
// requested again.
func (a *Account) Next(now time.Time) (requests []Request, wait time.Duration) {
	wait = askAgain
	ask := func(r Request, w *waiting) {
		switch {
		case w.due(now):
			w.inFlight = true
			requests = append(requests, r)
		case !w.inFlight:
			wait = min(wait, w.next.Sub(now))
		}
	}
	kind := a.Kind()
	if kind != models.AccountKey {
		if !a.key.auth.known() {
			ask(Request{Subject: Auth}, &a.key.auth.waiting)
		}
		ask(Request{Subject: Organizations}, &a.key.orgs.waiting)
	}
	if kind == models.PersonalKey && !a.key.user.known() {
		ask(Request{Subject: User}, &a.key.user.waiting)
	}
	if id := a.unnamed(); id != "" {
		ask(Request{Subject: Organization, List: models.ListID{Org: id}}, &a.key.own.waiting)
	}
	for _, id := range a.Lists() {
		l := a.lists.get(id)
		if l.due(now) && l.loading == nil {
			l.loading = &pages{seen: map[identity]bool{}}
		}
		ask(Request{Subject: Projects, List: id, PageRequest: l.page()}, &l.waiting)
	}
	return requests, wait
}

// unnamed returns the id of the key's own organization as long as nothing tells its name, or "".
func (a *Account) unnamed() string {
	id := a.key.org()
	named := a.key.own.known() || a.OrgName(id) != id
	if id == "" || a.Kind() == models.PersonalKey || named || !a.key.orgs.tried() {
		return ""
	}
	return id
}

// Receive takes in an answer at a time. That of a canceled request tells nothing: see [Account.Dropped].
func (a *Account) Receive(got Answer, now time.Time) {
	if models.KindOf(got.Err) == models.KindCanceled {
		return
	}
	a.key.learn(got)
	a.key.receive(got, now)
	if got.Subject == Projects {
		a.receivePage(got, now)
	}
	for _, org := range got.Organizations {
		a.named = a.named.with(org)
	}
	a.named = a.named.with(got.Organization)
}

// Refresh requests everything again as soon as possible: what the user asks for waits for no retry.
func (a *Account) Refresh() {
	for _, w := range a.all() {
		w.next = time.Time{}
	}
}

// Retry requests what failed again as soon as possible.
func (a *Account) Retry() {
	for _, w := range a.all() {
		if w.fails > 0 {
			w.next = time.Time{}
		}
	}
}

// Dropped tells that requests in flight were canceled, such as at the end of a session. A list goes on where it was.
func (a *Account) Dropped() {
	for _, w := range a.all() {
		w.inFlight = false
	}
}

func (a *Account) all() []*waiting {
	all := a.key.questions()
	for _, l := range a.lists {
		all = append(all, &l.waiting)
	}
	return all
}

// Tells reports whether an answer is a refusal that tells about the key or the service, and no trouble.
func (a Answer) Tells() bool {
	switch models.RefusalOf(a.Err) {
	case models.RefusedWithoutOrg:
		return a.List == models.ListID{}
	case models.RefusedOrgKey, models.RefusedProjectKey:
		return a.List.Project == ""
	default:
	}
	return models.NoSuchEndpoint(a.Err) && (a.Subject != Projects || a.List.Shared)
}

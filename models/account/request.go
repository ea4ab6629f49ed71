package account

import (
	"context"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/poll"
)

// Service is the part of the control API that answers about an account.
type Service interface {
	// Projects returns a page of the projects of a list (section 4.4). Only the live service has the other methods.
	Projects(ctx context.Context, id models.ListID, r models.PageRequest) (models.Page[models.Project], error)
	Auth(ctx context.Context) (models.Auth, error)
	User(ctx context.Context) (models.User, error)
	Organizations(ctx context.Context) ([]models.Organization, error)
	Organization(ctx context.Context, id string) (models.Organization, error)
}

// The kinds of subjects, see [poll.Subject].
const (
	Projects      = "projects"      // a list of projects: its next page
	Auth          = "auth"          // the kind of the key
	User          = "user"          // the user of a personal key
	Organizations = "organizations" // the organizations that the key reaches
	Organization  = "organization"  // the name of the organization that the key belongs to
)

// Answer is a question and, without an error, the value of its kind.
type Answer struct {
	Kind string
	List models.ListID // of Projects; its Org is that of Organization
	models.PageRequest

	Page          models.Page[models.Project]
	Auth          models.Auth
	User          models.User
	Organizations []models.Organization
	Organization  models.Organization
	Err           error
}

// ask makes the request of an answer, and returns the answer with its value.
func (a Answer) ask(ctx context.Context, s Service) (any, error) {
	switch a.Kind {
	case Projects:
		a.Page, a.Err = s.Projects(ctx, a.List, a.PageRequest)
	case Auth:
		a.Auth, a.Err = s.Auth(ctx)
	case User:
		a.User, a.Err = s.User(ctx)
	case Organizations:
		a.Organizations, a.Err = s.Organizations(ctx)
	case Organization:
		a.Organization, a.Err = s.Organization(ctx, a.List.Org)
	}
	return a, a.Err
}

const (
	askAgain    = 10 * time.Minute // for the organizations, and after a refusal
	goodFor     = time.Minute
	goodAtLeast = 15 * time.Second // if the list decides which projects to poll first
	listShare   = 0.1              // of the budget, for reading the lists
)

// rereadAfter returns how long a list stays valid. If there are more projects than can be polled in every interval, the
// lists show which ones have changed, and are read as often as a share of the budget allows.
func rereadAfter(o feed.Options, projects int) time.Duration {
	if projects <= o.MaxPinned() {
		return goodFor
	}
	pages := (projects + pageSize - 1) / pageSize
	perSecond := listShare * float64(max(1, o.Budget))
	share := time.Duration(float64(pages) / perSecond * float64(time.Second))
	return max(goodAtLeast, o.Interval, share)
}

// question is a question that is asked again and again, with its last good answer.
type question[T any] struct {
	good T
	asOf time.Time // of the last good answer, or zero
	err  error     // since then
}

func (q *question[T]) known() bool { return !q.asOf.IsZero() }
func (q *question[T]) tried() bool { return q.known() || q.err != nil }

// source returns the source of the question.
func (q *question[T]) source(a *Account, s poll.Subject) poll.Source {
	return newSource(s, q.tried(), a.due(s, q.err, askAgain))
}

func (q *question[T]) receive(good T, err error, now time.Time) {
	if err == nil {
		q.good, q.asOf = good, now
	}
	q.err = err
}

// decided reports whether an error is the service's decision, so that asking again soon would be refused again.
func decided(err error) bool {
	return models.RefusalOf(err) != models.NoRefusal || models.NoSuchEndpoint(err)
}

// Attach makes a poller read the account from now on. Known answers stay.
func (a *Account) Attach(p *poll.Poller, s Service) {
	a.poll, a.service, a.early = p, s, map[poll.Subject]bool{}
	a.put()
	for project := range a.quotas {
		a.putQuota(project)
	}
}

// Detach ends what [Account.Attach] began.
func (a *Account) Detach() {
	if a.poll != nil {
		a.poll.Forget(a, "")
		for project := range a.quotas {
			a.poll.Forget(a, Quota+project)
		}
		a.poll = nil
	}
}

// put puts the sources of the account, or those that are asked for alone.
func (a *Account) put() {
	sources := a.sources()
	if a.only != nil {
		sources = slices.DeleteFunc(sources, func(s poll.Source) bool { return !slices.Contains(a.only, s.Subject) })
	}
	a.poll.Put(a, "", sources...)
}

// sources returns everything that is to be read.
func (a *Account) sources() (list []poll.Source) {
	key, kind := &a.key, a.Kind()
	if kind != models.AccountKey {
		if !key.auth.known() {
			list = append(list, key.auth.source(a, poll.Subject{Kind: Auth}))
		}
		list = append(list, key.orgs.source(a, poll.Subject{Kind: Organizations}))
	}
	if kind == models.PersonalKey && !key.user.known() {
		list = append(list, key.user.source(a, poll.Subject{Kind: User}))
	}
	if id := a.unnamed(); id != "" {
		list = append(list, key.own.source(a, poll.Subject{Kind: Organization, Of: id}))
	}
	for _, id := range a.Lists() {
		l, s := a.lists.get(id), subjectOf(id)
		from := time.Time{}
		if l.loading == nil && l.err == nil {
			from = a.due(s, nil, l.validFor)
		}
		list = append(list, newSource(s, !l.pending(), from))
	}
	return list
}

// newSource returns a source of the account. Other things wait for its first answer.
func newSource(s poll.Subject, answered bool, from time.Time) poll.Source {
	rank := poll.First
	if answered {
		rank = poll.Rest
	}
	return poll.Source{Subject: s, Lane: poll.User, Rank: rank, From: from}
}

// sharedProjects is the ID of the subject of the list of shared projects, which no project has.
const sharedProjects = "(shared)"

func subjectOf(id models.ListID) poll.Subject {
	s := poll.Subject{Kind: Projects, Of: id.Org, ID: id.Project}
	if id.Shared {
		s.ID = sharedProjects
	}
	return s
}

// listOf returns the list of a subject, or of an organization.
func listOf(s poll.Subject) models.ListID {
	if s.ID == sharedProjects {
		return models.ListID{Shared: true}
	}
	return models.ListID{Org: s.Of, Project: s.ID}
}

// due returns when something is asked for again, zero for now. After a failure, the poller decides.
func (a *Account) due(s poll.Subject, err error, good time.Duration) time.Time {
	if a.poll == nil || a.early[s] {
		return time.Time{}
	}
	f := a.poll.Freshness(s)
	switch {
	case f.Tried.IsZero():
		return time.Time{}
	case decided(err):
		return f.Tried.Add(askAgain)
	case err != nil || f.AsOf.IsZero():
		return time.Time{}
	}
	return f.AsOf.Add(good)
}

// unnamed returns the id of the key's own organization as long as its name is unknown, or "".
func (a *Account) unnamed() string {
	id := a.key.org()
	named := a.key.own.known() || a.OrgName(id) != id
	if id == "" || a.Kind() == models.PersonalKey || named || !a.key.orgs.tried() {
		return ""
	}
	return id
}

// Call returns the request of a subject: an Account is a [poll.Reader].
func (a *Account) Call(s poll.Subject, _ time.Time) (poll.Call, time.Time) {
	delete(a.early, s)
	if s.Kind == Quota {
		return a.callQuota(s.ID), time.Time{}
	}
	answer, service := Answer{Kind: s.Kind, List: listOf(s)}, a.service
	if s.Kind == Projects {
		answer.PageRequest = a.lists.get(answer.List).nextPage()
	}
	return func(ctx context.Context) (any, error) { return answer.ask(ctx, service) }, time.Time{}
}

// Receive handles an answer: an Account is a [poll.Reader]. The answer to a canceled request tells nothing, and neither
// does one that came too late.
func (a *Account) Receive(turn poll.Answer, now time.Time) {
	if turn.Kind == Quota {
		a.receiveQuota(turn)
		return
	}
	answer, ok := turn.Value.(Answer)
	if !ok { // it was lost
		answer = Answer{Kind: turn.Kind, List: listOf(turn.Subject), Err: turn.Err}
	}
	if !turn.Late && models.KindOf(turn.Err) != models.KindCanceled {
		a.only = slices.DeleteFunc(a.only, func(s poll.Subject) bool { return s == turn.Subject })
		a.learn(answer, now)
	}
	a.put()
}

func (a *Account) learn(got Answer, now time.Time) {
	a.key.learn(got)
	a.key.receive(got, now)
	if got.Kind == Projects {
		a.receivePage(got, now)
		a.putQuotas(got.List)
	}
	for _, org := range got.Organizations {
		a.named = a.named.with(org)
	}
	a.named = a.named.with(got.Organization)
}

// Refresh requests everything again as soon as possible, without waiting for a retry: the user wants it. Subjects that
// are being read are not read twice.
func (a *Account) Refresh(now time.Time) {
	for _, s := range a.sources() {
		a.early[s.Subject] = !a.poll.Freshness(s.Subject).Busy
	}
	a.poll.Refresh(a, now)
}

// Reads reports whether a subject is one of an account.
func Reads(s poll.Subject) bool {
	return slices.Contains([]string{Projects, Auth, User, Organizations, Organization, Quota}, s.Kind)
}

// Tells reports whether the error of an answer is a refusal that tells about the key or the service, and no trouble.
func Tells(a poll.Answer) bool {
	list, refused := listOf(a.Subject), models.RefusedBy(a.Err)
	switch refused.Refusal {
	case models.RefusedWithoutOrg:
		return list == models.ListID{}
	case models.RefusedProjectKey:
		return list.Project == "" || refused.Project != "" && refused.Project != list.Project
	case models.RefusedOrgKey:
		return list.Project == ""
	default:
		return models.NoSuchEndpoint(a.Err) && (a.Kind != Projects || list.Shared)
	}
}

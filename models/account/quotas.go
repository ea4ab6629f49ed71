package account

import (
	"context"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// Quota is the kind of the subjects, see [poll.Subject], that are what a project has used of its quota: only the record of one
// project tells.
const Quota = "quota"

// quotaAgain is how long it is taken as it was read, or refused.
const quotaAgain = time.Hour

// usage is what a project has used of its quota.
type usage struct {
	used       models.Amounts
	start, end time.Time // of the period
}

// quotas are what projects with a quota have used, by their ids: nothing until it was read.
type quotas map[string]usage

// ReadQuotas has an account read what projects have used of their quotas, too, from now on.
func (a *Account) ReadQuotas() {
	if a.quotas == nil {
		a.quotas = quotas{}
	}
}

// usedOf completes a project of a list with what it has used in the present period.
func (a *Account) usedOf(project *models.Project) {
	u, found := a.quotas[project.ID]
	if !found || a.poll == nil || !u.end.IsZero() && !u.end.After(a.poll.Now()) {
		return
	}
	project.Used, project.PeriodStart, project.PeriodEnd = u.used, u.start, u.end
}

// putQuotas hands over the projects of a list that have a quota.
func (a *Account) putQuotas(id models.ListID) {
	if a.quotas == nil || id.Project != "" { // that is the record itself
		return
	}
	l := a.lists.at(id)
	for i := range l.projects {
		project := &l.projects[i]
		_, found := a.quotas[project.ID]
		switch limited := len(project.Limits()) > 0 && !models.NoID(project.ID); {
		case limited && !found:
			a.quotas[project.ID] = usage{}
			a.putQuota(project.ID)
		case !limited && found:
			a.dropQuota(project.ID)
		}
	}
}

func quotaOf(project string) poll.Subject { return poll.Subject{Kind: Quota, ID: project} }

// putQuota hands over when the usage of a project is read.
func (a *Account) putQuota(project string) {
	s := quotaOf(project)
	source := poll.Source{Subject: s, Lane: poll.Range, Rank: poll.Rest}
	if f := a.poll.Freshness(s); !f.Tried.IsZero() && !models.Passing(f.Err) {
		source.From = f.Tried.Add(quotaAgain)
	}
	a.poll.Put(a, s.Kind+project, source)
}

// dropQuota ends that the usage of a project is read.
func (a *Account) dropQuota(project string) {
	delete(a.quotas, project)
	a.poll.Forget(a, Quota+project)
}

// callQuota returns the request for the record of a project that is still listed, and has a quota.
func (a *Account) callQuota(project string) poll.Call {
	listed, found := a.Project(project)
	if !found || len(listed.Limits()) == 0 {
		delete(a.quotas, project)
		return nil
	}
	service := a.service
	return func(ctx context.Context) (any, error) {
		return service.Projects(ctx, models.ListID{Project: project}, models.PageRequest{})
	}
}

// receiveQuota takes in the record of a project. Without one, what it has used is unknown.
func (a *Account) receiveQuota(turn poll.Answer) {
	if _, found := a.quotas[turn.ID]; !found {
		return
	}
	page, warned := turn.Value.(models.Page[models.Project])
	switch {
	case turn.Late || models.KindOf(turn.Err) == models.KindCanceled:
	case turn.Err == nil && warned && len(page.Items) == 1:
		p := &page.Items[0]
		a.quotas[turn.ID] = usage{p.Used, p.PeriodStart, p.PeriodEnd}
	case !models.Passing(turn.Err):
		a.quotas[turn.ID] = usage{}
	}
	a.putQuota(turn.ID)
}

package account

import (
	"context"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// Quota is the kind of the subjects (see [poll.Subject]) for what a project has used of its quota. Only the record of one
// project has it.
const Quota = "quota"

// quotaAgain is how long an answer or a refusal stays valid.
const quotaAgain = time.Hour

// usage is what a project has used of its quota.
type usage struct {
	used       models.Amounts
	start, end time.Time // of the period
}

// quotas has what projects with a quota have used, by their ids. It is zero until it was read.
type quotas map[string]usage

// ReadQuotas makes the account read what projects have used of their quotas, too.
func (a *Account) ReadQuotas() {
	if a.quotas == nil {
		a.quotas = quotas{}
	}
}

// usedOf completes a project of a list with what it has used in the current period.
func (a *Account) usedOf(project *models.Project) {
	u, found := a.quotas[project.ID]
	if !found || a.poll == nil || !u.end.IsZero() && !u.end.After(a.poll.Now()) {
		return
	}
	project.Used, project.PeriodStart, project.PeriodEnd = u.used, u.start, u.end
}

// putQuotas puts the sources of those projects of a list that have a quota.
func (a *Account) putQuotas(id models.ListID) {
	if a.quotas == nil || id.Project != "" { // its list is the record itself
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

// putQuota puts the source of what a project has used.
func (a *Account) putQuota(project string) {
	s := quotaOf(project)
	source := poll.Source{Subject: s, Lane: poll.Range, Rank: poll.Rest}
	if f := a.poll.Freshness(s); !f.Tried.IsZero() && !models.Passing(f.Err) {
		source.From = f.Tried.Add(quotaAgain)
	}
	a.poll.Put(a, s.Kind+project, source)
}

// dropQuota drops the source of what a project has used.
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

// receiveQuota keeps what a project has used, by its record. Without a record, that is unknown.
func (a *Account) receiveQuota(turn poll.Answer) {
	if _, found := a.quotas[turn.ID]; !found {
		return
	}
	page, ok := turn.Value.(models.Page[models.Project])
	switch {
	case turn.Late || models.KindOf(turn.Err) == models.KindCanceled:
	case turn.Err == nil && ok && len(page.Items) == 1:
		p := &page.Items[0]
		a.quotas[turn.ID] = usage{p.Used, p.PeriodStart, p.PeriodEnd}
	case !models.Passing(turn.Err):
		a.quotas[turn.ID] = usage{}
	}
	a.putQuota(turn.ID)
}

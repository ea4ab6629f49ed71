package operations

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"pgtower/models/incident"
	"pgtower/models/report"
	"pgtower/ui/style"
)

// report returns the report of operations of a span. about has the facts about its subject.
func (c *copier) report(
	subject string, since, until time.Time, operations iter.Seq[incident.Operation],
	about ...report.Fact,
) *report.Report {
	e, now := c.list.extent(), c.session.ServiceNow()
	r := report.Report{
		Of: subject, Since: since, Until: until, Now: now, Clock: c.session.Present(now).Note(),
		About: slices.Concat(about, report.Maintenance(c.list.scope.shownProjects(), since, until)),
		Orgs:  map[string]string{}, Window: c.window(), Status: c.vendor.during(c.together, until),
		Pasts: incident.PastsOf(c.list.incidents()), Complete: c.list.live.poller.CompleteSince(),
	}
	for _, org := range c.list.scope.orgs.All() {
		r.Orgs[org.ID] = org.Label()
	}
	for _, id := range e.Without {
		r.Unread = append(r.Unread, c.list.scope.name(id))
	}
	if e.limited() || !e.covers(since.Add(-incident.MaxRun)) {
		r.Missing = append(r.Missing, "Operations may be missing: "+e.completeFor(now)+".")
	}
	if !e.unlisted && e.Unread == 0 {
		r.From, r.AsOf, r.Without = e.Since, c.session.Service(e.AsOf), e.without
	}
	if stale := len(c.list.live.poller.Stale(c.list.live.claimedAt())); stale > 0 {
		r.Stale = fmt.Sprintf("%s of %s", count(stale), style.Plural(e.Projects, "project"))
	}
	return report.New(r, operations)
}

// reportAround returns the report of an operation, and of what began or ended around it.
func (c *copier) reportAround(r *row) *report.Report {
	now := c.session.ServiceNow()
	since, until := now, now
	if !r.Op.CreatedAt.IsZero() {
		since = r.Op.CreatedAt.Add(-around)
	}
	ended := r.Op.EndedAt()
	if !ended.IsZero() && ended.Add(around).Before(now) {
		until = ended.Add(around)
	}
	return c.report(
		c.list.scope.title()+" around "+c.list.scope.operation(r), since, until, c.list.incidents(),
		c.facts(r)...,
	)
}

// facts returns the facts about an operation.
func (c *copier) facts(r *row) []report.Fact {
	now, w := c.session.ServiceNow(), wording{style.Took, style.Elapsed, "95th percentile"}
	branch, branchID := r.Branch()
	compute, computeID := r.Compute()
	return []report.Fact{
		{Name: "What", Text: r.title() + ": " + r.Op.Action.Meaning()},
		{Name: "State", Text: w.result(r, now)},
		{Name: "Error", Text: r.Op.Error},
		{Name: "Project", Text: r.Name() + " " + r.Project},
		{Name: "Branch", Text: strings.TrimSpace(detailed(branch) + " " + branchID)},
		{Name: "Endpoint", Text: strings.TrimSpace(detailed(compute) + " " + computeID)},
		{Name: "Began", Text: stampOf(r.Op.CreatedAt)},
		{Name: "Ended", Text: stampOf(r.Op.EndedAt())},
		{Name: "Usually", Text: w.usual(c.list.live.timeline().Durations(r.Op.Action))},
		{Name: "Operation", Text: r.Op.ID},
	}
}

func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return style.Times{}.At(t)
}

// reportMarked returns the report of the marked operations.
func (c *copier) reportMarked() *report.Report {
	rows, _ := c.rows()
	var marked []incident.Operation
	for _, r := range rows {
		marked = append(marked, r.Incident())
	}
	return c.reportOf(c.about(), marked)
}

// reportOf returns the report of some operations.
func (c *copier) reportOf(title string, operations []incident.Operation) *report.Report {
	since, until := spanOf(operations, c.session.ServiceNow())
	made := c.report(title, since, until, slices.Values(operations))
	made.Chosen = true
	return made
}

// spanOf returns the time from the first start to the last end of operations. Running ones end now.
func spanOf(operations []incident.Operation, now time.Time) (since, until time.Time) {
	since = now
	for _, o := range operations {
		if o.CreatedAt.Before(since) {
			since = o.CreatedAt
		}
		ended := o.EndedAt()
		if ended.IsZero() {
			ended = now
		}
		if ended.After(until) {
			until = ended
		}
	}
	return since, until.Add(time.Second) // the last end is in it
}

package report

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models"
)

// lasting is how long before the span maintenance may have begun and still counts: its end is unknown.
const lasting = time.Hour

// Maintenance returns the planned maintenance of projects that may have touched a span, the earliest first. The service
// tells only the next one, so there may have been more.
func Maintenance(projects []models.Project, since, until time.Time) (facts []Fact) {
	var planned []models.Project
	for _, p := range projects {
		if start := p.MaintenanceAt; !start.IsZero() && !start.Before(since.Add(-lasting)) && start.Before(until) {
			planned = append(planned, p)
		}
	}
	slices.SortStableFunc(planned, func(a, b models.Project) int { return a.MaintenanceAt.Compare(b.MaintenanceAt) })
	for i := range planned {
		p := &planned[i]
		start := p.MaintenanceAt.UTC().Format("2006-01-02 15:04") + " UTC"
		facts = append(facts, Fact{Name: "Maintenance", Text: cmp.Or(p.Name, p.ID) + ", planned from " + start})
	}
	return facts
}

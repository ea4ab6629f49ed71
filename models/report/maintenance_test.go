package report

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
)

// Maintenance is in a report if it was planned in its span, or within an hour before.
func TestMaintenance(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	until := since.Add(time.Hour)
	projects := []models.Project{
		{ID: "p1", Name: "search", MaintenanceAt: until.Add(-time.Second)},
		{ID: "p2", MaintenanceAt: since.Add(-time.Hour)},
		{ID: "p3", Name: "earlier", MaintenanceAt: since.Add(-time.Hour - 1)},
		{ID: "p4", Name: "later", MaintenanceAt: until},
		{ID: "p5", Name: "never"},
	}
	var texts []string
	for _, f := range Maintenance(projects, since, until) {
		texts = append(texts, f.Name+": "+f.Text)
	}
	want := "Maintenance: p2, planned from 2026-11-27 11:00 UTC\nMaintenance: search, planned from 2026-11-27 12:59 UTC"
	if got := strings.Join(texts, "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	text := New(Report{Since: since, Until: until, About: Maintenance(projects, since, until)}, func(func(incident.Operation) bool) {}).Text(false)
	if !strings.Contains(text, "- Maintenance: search, planned from 2026-11-27 12:59 UTC") {
		t.Error(text)
	}
	if projects[0].Name != "search" || len(projects) != 5 {
		t.Error("the list was changed")
	}
}

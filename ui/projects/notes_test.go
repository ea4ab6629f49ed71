package projects

import (
	"testing"
	"time"

	"pgtower/models"
)

// Notes say what was read: a quota without what was used claims nothing, and maintenance is over an hour after its time.
func TestNotes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	known := func(n int64) models.Opt[int64] { return models.Opt[int64]{Value: n, Known: true} }
	limited := models.Amounts{ComputeTimeSeconds: known(100)}
	for _, c := range []struct {
		project models.Project
		want    string
		rank    int
	}{
		{models.Project{}, "", 3},
		{models.Project{Permission: models.MayManage, Quota: limited}, "", 3},
		{models.Project{Permission: models.MayView}, "you may only read", 2},
		{models.Project{MaintenanceAt: now.Add(7 * 24 * time.Hour)}, "maintenance in 7 days", 1},
		{models.Project{MaintenanceAt: now.Add(110 * time.Minute)}, "maintenance in 2 h", 1},
		{models.Project{MaintenanceAt: now.Add(59 * time.Second)}, "maintenance in 1 min", 1},
		{models.Project{MaintenanceAt: now.Add(-10 * time.Minute)}, "maintenance planned 10 min ago", 1},
		{models.Project{MaintenanceAt: now.Add(-time.Hour)}, "", 3},
		{models.Project{Quota: limited, Used: models.Amounts{ComputeTimeSeconds: known(101)}}, "over its quota: no compute starts", 0},
		{
			models.Project{
				Quota: limited, Used: models.Amounts{ComputeTimeSeconds: known(101)}, PeriodEnd: now.Add(24 * time.Hour),
			}, "over its quota: no compute starts until 28 Nov", 0,
		},
		{
			models.Project{
				Quota: limited, Used: models.Amounts{ComputeTimeSeconds: known(101)}, PeriodEnd: now.Add(time.Hour),
			}, "over its quota: no compute starts until 13:00", 0,
		},
		{models.Project{Quota: limited, Used: models.Amounts{ComputeTimeSeconds: known(101)}, PeriodEnd: now}, "", 3},
		{models.Project{Quota: limited, Used: models.Amounts{ComputeTimeSeconds: known(100)}}, "", 3},
		{models.Project{Used: models.Amounts{ComputeTimeSeconds: known(101)}}, "", 3},
		{
			models.Project{Permission: models.MayView, MaintenanceAt: now.Add(time.Hour), Quota: limited, Used: models.Amounts{ComputeTimeSeconds: known(101)}},
			"over its quota: no compute starts; maintenance in 1 h; you may only read", 0,
		},
	} {
		if got := joinedNotes(&c.project, now); got != c.want || rank(&c.project, now) != c.rank {
			t.Errorf("%+v: %q, rank %d", c.project, got, rank(&c.project, now))
		}
	}
}

// In little room, a note leaves out until when it holds, not a part of that, and not how many more there are.
func TestNotesInLittleRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"no compute starts until 1 Dec", 29, "no compute starts until 1 Dec"},
		{"no compute starts until 1 Dec", 28, "no compute starts…"},
		{"no compute starts until 1 Dec +2", 28, "no compute starts… +2"},
		{"no compute starts +1", 10, "no compute starts +1"},
		{"you may only read", 10, "you may only read"},
	} {
		if got := shortNote(c.text, c.cells); got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

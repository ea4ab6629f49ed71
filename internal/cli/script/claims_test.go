package script

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	"pgtower/models/control"
)

// failing is a service in whose projects an operation fails at the same moment.
type failing struct {
	noKinds

	projects int
	at       time.Time
	untimed  bool // its records have no readable times
}

func (f failing) Projects(context.Context, models.ListID, models.PageRequest) (p models.Page[models.Project], err error) {
	for i := range f.projects {
		id := fmt.Sprintf("p%02d", i)
		p.Items = append(p.Items, models.Project{ID: id, Name: "name-" + id})
	}
	return p, nil
}

func (f failing) Operations(
	_ context.Context, project string, r models.PageRequest,
) (models.Page[models.Operation], error) {
	time.Sleep(50 * time.Millisecond)
	p := models.Page[models.Operation]{Limit: r.Limit, Cursor: r.Cursor, AsOf: time.Now()}
	if time.Now().Before(f.at) {
		return p, nil
	}
	p.Items = []models.Operation{f.failure(project)}
	return p, nil
}

func (f failing) Operation(_ context.Context, project, _ string) (models.Operation, error) {
	return f.failure(project), nil
}

func (f failing) failure(project string) models.Operation {
	op := models.Operation{
		ID: "failed-in-" + project, ProjectID: project, Action: "start_compute", Status: models.StatusFailed,
		FailuresCount: 1, Error: "no free capacity", CreatedAt: f.at, UpdatedAt: f.at,
	}
	if f.untimed {
		op.CreatedAt, op.UpdatedAt = time.Time{}, time.Time{}
	}
	return op
}

// printed runs a report and a list since 15 minutes ago, one after the other.
func (f failing) printed(t *testing.T, budget int) (report, list, said string, err error) {
	t.Helper()
	a := asked{t: t}
	run := func(command func(*Source) error) (stdout, stderr string, err error) {
		a.options.Budget = budget
		from, printed := a.connected(control.Connection{API: f}, time.Now)
		err = command(from)
		stdout, stderr = printed()
		return stdout, stderr, err
	}
	report, _, first := run(func(from *Source) error {
		return writeReport(t.Context(), from, ReportOptions{Since: given(t, "15m")})
	})
	list, said, err = run(func(from *Source) error {
		return listOperations(t.Context(), from, Listing{Since: given(t, "15m")})
	})
	if (first == nil) != (err == nil) {
		t.Errorf("the report ends with %v, and the list with %v", first, err)
	}
	return report, list, said, err
}

// A report that takes a minute to read is about the time before it began, and has all of it. A list says until when it is
// known.
func TestClaimsEndWithTheStalestProject(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now().UTC()
		report, _, said, err := failing{projects: 60, at: began.Add(-8 * time.Second)}.printed(t, 1)
		if err != nil {
			t.Error(err)
		}
		end := " to " + began.Format(time.DateTime) + " UTC"
		if !strings.Contains(report, "60 operations: 60 failures") || !strings.Contains(report, "Complete from ") ||
			strings.Count(report, end) != 2 {
			t.Errorf("60 operations failed before it began at%s, and the report is\n%s", end, report)
		}
		if !strings.Contains(said, "known to ") || !strings.Contains(said, " of 60 projects (name-p") {
			t.Errorf("of the list is said %q", said)
		}
		report, _, said, err = failing{projects: 12, at: time.Now()}.printed(t, 20)
		if err != nil || said != "" || strings.Contains(report, "Not read since") || !strings.Contains(report, "Complete from ") {
			t.Errorf("read at once, said is %q, %v:\n%s", said, err, report)
		}
	})
}

// Operations without a readable time are listed, counted and named, and the exit code is that of an incomplete list.
func TestOperationsWithoutAReadableTimeAreNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		report, list, _, err := failing{projects: 6, untimed: true}.printed(t, 20)
		if err == nil || !strings.HasPrefix(err.Error(), "6 operations without a readable time") {
			t.Errorf("the error is %v", err)
		}
		for i := range 6 {
			id := fmt.Sprintf("failed-in-p%02d", i)
			if !strings.Contains(report, id) || !strings.Contains(list, id) {
				t.Errorf("%s is missing in\n%s\n%s", id, report, list)
			}
		}
		if !strings.Contains(report, "Without a readable time: 6") || strings.Contains(report, "Nothing failed.") {
			t.Errorf("they are not counted:\n%s", report)
		}
	})
}

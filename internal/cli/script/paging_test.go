package script

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/moment"
)

// broken is a service with 300 operations of one project, one a minute, whose paging breaks.
type broken struct {
	noKinds

	begin time.Time
	next  func(from, to int) (cursor string, damage string) // after the page of these rows
	at    func(cursor string) int
}

func (s *broken) Projects(context.Context, models.ListID, models.PageRequest) (p models.Page[models.Project], err error) {
	p.Items = []models.Project{{ID: "p", Name: "p"}}
	return p, nil
}

func (s *broken) Operations(
	_ context.Context, _ string, r models.PageRequest,
) (p models.Page[models.Operation], err error) {
	time.Sleep(50 * time.Millisecond)
	p.Limit, p.Cursor = r.Limit, r.Cursor
	p.AsOf = time.Now()
	from := 0
	if r.Cursor != "" {
		from = s.at(r.Cursor)
	}
	to := min(from+20, 300)
	for i := from; i < to; i++ {
		at := s.begin.Add(-time.Duration(i) * time.Minute)
		p.Items = append(p.Items, models.Operation{
			ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", i), ProjectID: "p", Action: "create_branch",
			Status: models.StatusFinished, CreatedAt: at, UpdatedAt: at,
		})
	}
	p.Next, p.Damage = s.next(from, to)
	return p, nil
}

// A list that does not go back as far as it was asked to is an error, however the paging breaks.
func TestListThatPagingBreaksIsIncomplete(t *testing.T) {
	t.Parallel()
	row := func(cursor string) int {
		n, _ := strconv.Atoi(cursor)
		return n
	}
	for name, next := range map[string]func(from, to int) (string, string){
		"a cursor leads back": func(_, to int) (string, string) {
			if to >= 60 {
				return "20", ""
			}
			return strconv.Itoa(to), ""
		},
		"a cursor leads back to the newest": func(_, to int) (string, string) {
			if to >= 60 {
				return "0", ""
			}
			return strconv.Itoa(to), ""
		},
		"no cursor can be read": func(_, to int) (string, string) {
			if to >= 60 {
				return "", "cursor"
			}
			return strconv.Itoa(to), ""
		},
		"the newest page has no cursor that can be read": func(int, int) (string, string) { return "", "cursor" },
		"a cursor leads back and repeats": func(from, to int) (string, string) {
			if from >= 20 || from == 10 {
				return "10", ""
			}
			return strconv.Itoa(to), ""
		},
		"a cursor leads back to a page without one": func(from, to int) (string, string) {
			if from == 10 {
				return "", ""
			}
			if from >= 20 {
				return "10", ""
			}
			return strconv.Itoa(to), ""
		},
		"two cursors take turns": func(from, to int) (string, string) {
			if from >= 40 {
				return "20", ""
			}
			return strconv.Itoa(to), ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api := &broken{begin: time.Now().Add(-time.Minute), next: next, at: row}
				from, files := sourceOf(t, control.Connection{API: api})
				from.options.PageSize = 20
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				err := listOperations(ctx, from, Listing{Since: moment.Ago(24 * time.Hour)})
				cancel()
				time.Sleep(time.Minute) // until what is under way has ended
				if err == nil || !strings.Contains(err.Error(), "the service's paging of p broke") {
					listed, _ := files.Printed()
					t.Errorf("%d lines, %v", strings.Count(listed, "\n"), err)
				}
			})
		})
	}
}

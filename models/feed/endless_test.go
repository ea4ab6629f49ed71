package feed

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
)

// endless is a service whose pages never join: each has operations that no page had before.
type endless struct {
	number  int // of pages
	created func(now time.Time, page, row int) time.Time
	change  func(*models.Operation) // of each operation; may be nil
}

func (s *endless) answer(r request, now time.Time) Answer {
	a := Answer{request: r}
	s.number++
	a.Page = models.Page[models.Operation]{
		Cursor: r.Cursor, AsOf: r.AsOf, ServiceTime: now, Next: fmt.Sprint("~", s.number),
	}
	for row := range r.Limit {
		at := s.created(now, s.number, row).Truncate(time.Second)
		op := models.Operation{
			ID: fmt.Sprintf("%d-%d", s.number, row), CreatedAt: at, UpdatedAt: at, Status: models.StatusFinished,
		}
		if s.change != nil {
			s.change(&op)
		}
		a.Page.Items = append(a.Page.Items, op)
	}
	return a
}

// follow follows the service for a time. It returns how much was kept at most, and which gaps were told how often.
func (s *endless) follow(lasts time.Duration) (most int, told map[Event]int) {
	now := epoch()
	p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 1000})
	p.SetProjects([]Project{{ID: "p"}}, true)
	f, told := Follow(p.Poller, now, 0), map[Event]int{}
	for now.Before(epoch().Add(lasts)) {
		requests, wait := p.Next(now)
		for _, r := range requests {
			wait = 50 * time.Millisecond
			for _, e := range p.follow(f, s.answer(r, now), now) {
				if e.Kind == Missing {
					told[*e]++
				}
			}
		}
		feed := p.Feed("p")
		kept := len(feed.byID) + len(feed.forgotten.ids) + len(feed.edges) + len(f.projects["p"].gaps) + len(p.waiting())
		most = max(most, kept)
		now = now.Add(wait)
	}
	return most, told
}

// A service whose pages never join is followed in bounded memory, and each gap that stays is told once.
func TestFollowerBoundsWhatNeverJoins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		created func(now time.Time, page, row int) time.Time
		gaps    bool
	}{
		"all of them are new":     {func(now time.Time, _, _ int) time.Time { return now }, true},
		"all are of one second":   {func(time.Time, int, int) time.Time { return epoch() }, true},
		"all are of the minute":   {func(now time.Time, _, row int) time.Time { return now.Add(-time.Duration(row) * 60 * time.Millisecond) }, false},
		"each is older than last": {func(now time.Time, page, _ int) time.Time { return now.Add(-time.Duration(page) * time.Second) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &endless{created: c.created}
			most, told := s.follow(2 * time.Minute)
			if most > 2*mostWithGaps+5*mostAtOnce || len(told) > 0 != c.gaps {
				t.Errorf("%d pages, %d were kept, told were %v", s.number, most, told)
			}
			for gap, n := range told {
				if n > 1 {
					t.Errorf("%d times %v", n, gap)
				}
			}
		})
	}
}

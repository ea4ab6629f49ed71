package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// instant is a service at a time, which answers at once.
type instant struct {
	service

	now *time.Time
}

func (s instant) Operations(_ context.Context, project string, r models.PageRequest) (models.Page[models.Operation], error) {
	return s.page(project, r, *s.now)
}

// Whatever was read, the rows of a filter by time above the line are complete, and those below are marked. Each row is found at its
// place.
func TestDividerIsBelowAllThatMatches(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		h, now := service{}, start
		session := page.NewSession(context.Background(), 1, func() time.Time { return now })
		p := New(session, instant{h, &now}, Options{
			Options: feed.Options{Interval: 5 * time.Second, Budget: 10, PageSize: rapid.IntRange(1, 9).Draw(t, "page")},
			Window:  time.Duration(rapid.IntRange(1, 90).Draw(t, "window")) * time.Minute,
		})
		poller := p.live.poller
		var list []feed.Project
		born := func(project string, n int) {
			for range n {
				at := now
				if newest := h[project][0].CreatedAt; !newest.Before(now) {
					at = newest.Add(time.Millisecond)
				}
				o := models.Operation{ID: fmt.Sprintf("%s-%05d", project, len(h[project])), Status: models.StatusFinished, CreatedAt: at, UpdatedAt: at}
				if rapid.Bool().Draw(t, "failed") {
					o.Status = models.StatusFailed
				}
				h[project] = slices.Insert(h[project], 0, o)
			}
		}
		for i := range rapid.IntRange(1, 5).Draw(t, "projects") {
			id := fmt.Sprint("p", i)
			list = append(list, feed.Project{ID: id})
			for range rapid.IntRange(1, 30).Draw(t, "operations") {
				ago := time.Duration(rapid.IntRange(60, 7200).Draw(t, "ago")) * time.Second
				ran := time.Duration(rapid.IntRange(0, 3600).Draw(t, "ran")) * time.Second
				h[id] = append(h[id], models.Operation{Status: models.StatusFailed, CreatedAt: now.Add(-ago), UpdatedAt: now.Add(min(0, ran-ago))})
			}
			slices.SortFunc(h[id], func(a, b models.Operation) int { return b.CreatedAt.Compare(a.CreatedAt) })
			for j := range h[id] {
				h[id][j].ID = fmt.Sprintf("%s-%05d", id, len(h[id])-j-1)
			}
		}
		poller.SetProjects(list, true)
		p.scope.list.Complete = true
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			requests, _ := p.session.Polls.Next(now)
			for _, r := range requests {
				a := r.Do(context.Background())
				if rapid.IntRange(0, 5).Draw(t, "fails") == 0 {
					a = poll.Answer{Request: r, Err: errBroken}
				}
				p.session.Polls.Receive(a, now)
			}
			now = now.Add(time.Second)
			switch rapid.IntRange(0, 3).Draw(t, "does") {
			case 0:
				born(rapid.SampledFrom(list).Draw(t, "of").ID, rapid.IntRange(1, 60).Draw(t, "burst"))
			case 1:
				since := now.Add(-time.Duration(rapid.IntRange(1, 90).Draw(t, "minutes")) * time.Minute)
				poller.SetRange(feed.Range{Since: since, Most: rapid.IntRange(0, 100).Draw(t, "most")})
			}
			back := rapid.IntRange(0, 7200).Draw(t, "back")
			checkAboveTheLine(t, p, h, fmt.Sprintf("is:failed age:<%ds", back), now)
			checkCounts(t, p, now)
			checkPlaces(t, p.list.rows, now)
		}
	})
}

// checkPlaces finds each operation and each gap where it is among the rows, once all gaps are old enough to be rows.
func checkPlaces(t *rapid.T, r *rows, now time.Time) {
	r.gaps = r.poller.Gaps(now.Add(time.Hour))
	for i := range r.Len() {
		if place, ok := r.Find(r.Row(i).key()); place != i || !ok {
			t.Fatalf("row %d of %d, with %d gaps, is found at %d", i, r.Len(), len(r.gaps), place)
		}
	}
}

// checkCounts compares the counts with the rows of their filters.
func checkCounts(t *rapid.T, p *Page, now time.Time) {
	for _, c := range p.summary(p.list.extent(), currency{}).numbers(now) {
		filter := cmp.Or(c.query, "is:finished ended:<"+style.Every(p.window))
		q, wrong := query.Parse(filter, fields(p.live.timeline))
		if wrong != nil {
			t.Fatal(wrong)
		}
		shown := 0
		for i, all := 0, p.live.timeline().Rows(); i < all.Len(); i++ {
			if q.Match(&row{Operation: query.Operation{Op: all.At(i), Project: all.ProjectAt(i)}}, now) {
				shown++
			}
		}
		if shown != c.n {
			t.Fatalf("%d %s, and %s shows %d", c.n, c.word, filter, shown)
		}
	}
}

func checkAboveTheLine(t *rapid.T, p *Page, h service, filter string, now time.Time) {
	q, wrong := query.Parse(filter, fields(p.live.timeline))
	if wrong != nil {
		t.Fatal(wrong)
	}
	p.list.locate()
	var shown, truth []string
	rows, _ := p.list.rows.Freeze()
	line, below := p.list.rows.extent, false
	for i := range rows.Len() {
		switch r := rows.Row(i); {
		case r.line != nil:
			below = true
		case r.Op == nil || !q.Match(r, now):
		case r.partial != below:
			t.Fatalf("%s is marked %v, and it is %v that it is below the line", r.Op.ID, r.partial, below)
		case !below && line.Complete(r.Op.CreatedAt):
			shown = append(shown, r.Op.ID)
		}
	}
	if line.unlisted || line.Unread > 0 {
		if rows.Len() > 0 && rows.Row(0).line == nil {
			t.Fatal("rows are shown as complete, of projects that were not read")
		}
		return
	}
	for id, all := range h {
		asked := p.live.poller.Feed(id).AsOf()
		for _, o := range all {
			// Operations since the last request are unknown.
			if !o.CreatedAt.After(asked) && line.Complete(o.CreatedAt) && q.Match(&row{Operation: query.Operation{Op: &o, Project: id}}, now) {
				truth = append(truth, o.ID)
			}
		}
	}
	slices.Sort(shown)
	slices.Sort(truth)
	if !slices.Equal(shown, truth) {
		t.Fatalf("%s: shown as complete since %v: %v, and there are %v", filter, line.Since, shown, truth)
	}
}

package operations

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/timeline"
)

func rowsFrom(n int) []*row {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	rows := make([]*row, n)
	for i := range rows {
		at := noon.Add(-time.Duration(i) * 5 * time.Second)
		rows[i] = &row{project: fmt.Sprint("project-", i%40), op: &models.Operation{
			ID: fmt.Sprintf("%09d", n-i), Status: models.StatusFinished, CreatedAt: at, UpdatedAt: at.Add(time.Duration(i%4000) * 10 * time.Millisecond),
		}}
	}
	return rows
}

func laneOfProject(project string, _ *models.Operation) string { return project }

// Whatever the filters before, the index has the rows of the last one.
func TestTheIndexFollowsTheRowsOfAFilter(t *testing.T) {
	t.Parallel()
	all := rowsFrom(60)
	rapid.Check(t, func(t *rapid.T) {
		var x timeIndex
		for number := range rapid.IntRange(1, 6).Draw(t, "polls") {
			rows := slices.Clone(all)
			rows = rows[rapid.IntRange(0, 20).Draw(t, "from"):rapid.IntRange(20, 60).Draw(t, "to")]
			for range rapid.IntRange(0, 5).Draw(t, "changes") {
				if i := rapid.IntRange(0, len(all)-1).Draw(t, "row"); i < len(rows) {
					rows[i] = &row{project: rows[i].project, op: new(*rows[i].op)}
				}
			}
			rows = slices.Insert(rows, rapid.IntRange(0, len(rows)).Draw(t, "gap"), &row{})
			if rapid.Bool().Draw(t, "sorted") {
				slices.Reverse(rows)
			}
			x.update(content{}, rows, number, laneOfProject)
			var fresh timeIndex
			fresh.update(content{}, rows, number, laneOfProject)
			if got, want := drawnFrom(&x), drawnFrom(&fresh); got != want {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
		}
	})
}

// finish runs the job of an update, if there is one.
func finish(job func() func()) {
	if job != nil {
		job()()
	}
}

// A large index is built elsewhere. Until then the previous one stays, and nothing of the feed is missed.
func TestALargeIndexIsBuiltElsewhere(t *testing.T) {
	t.Parallel()
	all := rowsFrom(fewRows + 20)
	f := feed.New("project-0")
	page := func(rows []*row) (p models.Page[models.Operation]) {
		for _, r := range rows {
			p.Items = append(p.Items, *r.op)
		}
		return p
	}
	f.Merge(page(all[1:]))
	observed := content{feed: feed.NewTimeline(f)}
	var x timeIndex
	is := func(rows []*row, after string) {
		t.Helper()
		var want timeIndex
		finish(want.update(content{}, rows, 0, laneOfProject))
		count := func(x *timeIndex) int {
			return x.Lay(timeline.View{Cells: 1, Lines: 1, Cell: 24 * time.Hour, To: all[0].op.CreatedAt.Add(1)}).Count
		}
		if got, want := count(&x), count(&want); got != want {
			t.Errorf("%s: %d operations, want %d", after, got, want)
		}
	}
	x.update(content{}, all[:10], 0, laneOfProject)
	job := x.update(content{}, all, 1, laneOfProject)
	if again := x.update(content{}, all[3:], 2, laneOfProject); job == nil || again != nil {
		t.Fatal("the rows of a large index are not indexed by one job")
	}
	done := job()
	is(all[:10], "before the end of the job")
	done()
	is(all, "after it")
	x.update(content{}, all[1:], 3, laneOfProject)
	is(all[1:], "after a small change")
	job = x.update(observed, nil, 0, laneOfProject)
	f.Merge(page(all[:2]))
	is(all[1:], "before the end of the job for the feed")
	job()()
	is(all, "after it, with what the feed added meanwhile")
	x.update(content{}, all[:20], 4, laneOfProject)
	is(all[:20], "after another filter")
	job = x.update(observed, nil, 0, laneOfProject)
	x.forget()
	if job()(); x.Index != nil {
		t.Error("an index that was dropped came back")
	}
}

// drawnFrom returns the contents of an index by lanes.
func drawnFrom(x *timeIndex) string {
	to := time.Date(2026, 3, 1, 12, 0, 5, 0, time.UTC)
	l := x.Lay(timeline.View{Cells: 3600, Lines: 60, Cell: time.Second, To: to, Now: to})
	var b strings.Builder
	for _, lane := range l.Lanes {
		fmt.Fprint(&b, lane.ID, lane.Count)
		for _, bar := range lane.Bars {
			fmt.Fprint(&b, " ", bar.Op.ID)
		}
	}
	return b.String()
}

// BenchmarkTimeIndex takes in a poll with five new operations and a changed one, under a filter, or all rows of another
// filter.
func BenchmarkTimeIndex(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		all := rowsFrom(n + 5)
		changed := slices.Clone(all)
		changed[20] = &row{project: all[20].project, op: new(*all[20].op)}
		b.Run(fmt.Sprint("poll/", n), func(b *testing.B) {
			var x timeIndex
			finish(x.update(content{}, all[5:], -1, laneOfProject))
			for i := 0; b.Loop(); i++ {
				if i%2 == 0 {
					x.update(content{}, changed, i, laneOfProject)
				} else {
					x.update(content{}, all[5:], i, laneOfProject)
				}
			}
		})
		b.Run(fmt.Sprint("build/", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				var x timeIndex
				finish(x.update(content{}, all, i, laneOfProject))
			}
		})
	}
}

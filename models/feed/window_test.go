package feed

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

// countsTheWindow compares the counts of a window with a count of all rows.
func (a *account) countsTheWindow(t *rapid.T) {
	for _, now := range []time.Time{a.clock.now, a.clock.now.Add(-20 * time.Second), a.clock.now.Add(time.Hour)} {
		for _, length := range []time.Duration{time.Second, time.Minute, 90 * time.Second, 5 * time.Minute, 24 * time.Hour} {
			unit := max(20*time.Second, length/6)
			var want Ended
			unfinished := 0
			began := make([]int, len(a.Began(now, length, unit)))
			for _, f := range a.feeds {
				for i := range f.Len() {
					op := f.At(i)
					if !op.Done() {
						unfinished++
					}
					if ended := op.EndedAt(); !ended.IsZero() && now.Sub(ended) < length {
						want.count(op, 1)
					}
					if now.Sub(op.CreatedAt) >= length {
						continue
					}
					ago := max(0, int(now.Truncate(unit).Sub(op.CreatedAt.Truncate(unit))/unit))
					began[len(began)-1-ago]++
				}
			}
			if got := a.Window(now, length); got != want || a.Unfinished() != unfinished {
				t.Fatalf("%v to %v: %+v, not %+v; %d are unfinished, not %d", length, now, got, want, a.Unfinished(), unfinished)
			}
			if got := a.Began(now, length, unit); !slices.Equal(got, began) {
				t.Fatalf("%v to %v: %v began, not %v", length, now, got, began)
			}
		}
	}
}

// listsEndings compares the operations that ended with all rows, and those of the last time with what they were then.
func (a *account) listsEndings(t *rapid.T) {
	list := func(e Endings) (all []string) {
		var last time.Time
		for project, op := range e.All() {
			if ended := op.EndedAt(); !last.IsZero() && ended.After(last) {
				t.Fatalf("%s ended at %v, after one of %v", op.ID, ended, last)
			}
			last = op.EndedAt()
			all = append(all, fmt.Sprint(project, op.ID, last, op.Status))
		}
		slices.Sort(all)
		return all
	}
	if !slices.Equal(list(a.endings), a.ended) {
		t.Fatal("what had ended is something else now")
	}
	var want []string
	for i := range a.rows {
		if op := a.At(i); !op.EndedAt().IsZero() {
			want = append(want, fmt.Sprint(a.ProjectAt(i), op.ID, op.EndedAt(), op.Status))
		}
	}
	slices.Sort(want)
	a.endings = a.Endings()
	if a.ended = list(a.endings); !slices.Equal(a.ended, want) {
		t.Fatalf("%v ended, not %v", a.ended, want)
	}
}

// The window has what ended less than its length ago, and what the service dates ahead.
func TestWindowBounds(t *testing.T) {
	t.Parallel()
	f, page := New("p"), models.Page[models.Operation]{AsOf: epoch()}
	for i, age := range []time.Duration{-2 * time.Hour, 0, 15*time.Minute - 1, 15 * time.Minute, 90 * 24 * time.Hour} {
		page.Items = append(page.Items, models.Operation{
			ID: fmt.Sprint(i), CreatedAt: epoch().Add(-age), UpdatedAt: epoch().Add(-age), Status: models.StatusError,
		})
	}
	// Only some operations have a known end.
	for i, op := range []models.Operation{
		{UpdatedAt: epoch().Add(-time.Minute), Status: models.StatusFinished},
		{UpdatedAt: epoch().Add(-time.Minute), Status: models.StatusFinished, FailuresCount: 2},
		{UpdatedAt: epoch().Add(-15 * time.Minute), Status: models.StatusFinished, FailuresCount: 1},
		{UpdatedAt: epoch().Add(-time.Minute), Status: models.StatusRunning},
		{UpdatedAt: epoch().Add(-time.Minute), Status: models.StatusRunning, Gone: true},
		{Status: models.StatusFailed},
	} {
		op.ID, op.CreatedAt = fmt.Sprint("long-", i), epoch().Add(-24*time.Hour)
		page.Items = append(page.Items, op)
	}
	tl := NewTimeline(f)
	f.Merge(page)
	if got := tl.Window(epoch(), 15*time.Minute); got != (Ended{Failed: 3, Finished: 2, Recovered: 1}) {
		t.Errorf("%+v: of those that failed one is ahead, one is of now, and one is just within", got)
	}
	if got := tl.Began(epoch(), 15*time.Minute, 5*time.Minute); !slices.Equal(got, []int{1, 0, 0, 2}) {
		t.Errorf("began %v", got)
	}
}

// BenchmarkWindow counts the window of the summary.
func BenchmarkWindow(b *testing.B) {
	for _, rows := range []int{1_000, 100_000} {
		t := load(pastOf(50, rows))
		for _, length := range []time.Duration{15 * time.Minute, 24 * time.Hour} {
			b.Run(fmt.Sprintf("rows=%d/%v", rows, length), func(b *testing.B) {
				for b.Loop() {
					t.Window(epoch(), length)
					t.Began(epoch(), length, length/15)
				}
			})
		}
	}
}

// The failures of each interval are those of its operations, also once operations changed or were forgotten.
func TestBeganFailed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := New("p")
		tl := NewTimeline(f)
		now := epoch().Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "now")) * time.Second)
		unit := rapid.SampledFrom([]time.Duration{10 * time.Second, 30 * time.Second, time.Minute}).Draw(t, "unit")
		const length = 10 * time.Minute
		page := models.Page[models.Operation]{AsOf: now}
		for i := range rapid.IntRange(1, 60).Draw(t, "operations") {
			at := now.Add(-time.Duration(10*i) * time.Second)
			status := rapid.SampledFrom([]models.Status{models.StatusFailed, models.StatusError, models.StatusFinished, models.StatusRunning}).Draw(t, "status")
			page.Items = append(page.Items, models.Operation{ID: fmt.Sprint(1000 - i), CreatedAt: at, UpdatedAt: at, Status: status})
		}
		f.Merge(page)
		op := page.Items[rapid.IntRange(0, len(page.Items)-1).Draw(t, "changed")]
		op.Status, op.UpdatedAt = models.StatusFinished, now
		f.Update(op, now)
		began, failed, sum := tl.Began(now, length, unit), tl.BeganFailed(now, length, unit), 0
		for i := range failed {
			if i > 0 && failed[i] > began[i] {
				t.Errorf("%d of %d failed", failed[i], began[i])
			}
			sum += failed[i]
		}
		want, before := 0, now.Add(-length-failedUnit)
		for _, op := range tl.All() {
			if op.Status.Failed() && op.CreatedAt.After(before) {
				want++
			}
		}
		if len(failed) != len(began) || sum > want || want-sum > 1 {
			t.Errorf("%v of %v: %d, want %d", failed, began, sum, want)
		}
	})
}

package feed

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"

	"pgregory.net/rapid"
)

// Whatever a service sends, in whatever order, the feed stays valid: each operation once, in order, counted correctly;
// and following its cursors ends.
func TestFeedSurvivesNonsense(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := New("p")
		minute := rapid.OneOf(rapid.IntRange(0, 30), rapid.SampledFrom([]int{-1 << 22, -5, 1 << 22, 1 << 30}))
		cursor := rapid.SampledFrom([]string{"", "A", "B", "C", "%+&\x00"})
		status := rapid.SampledFrom([]models.Status{models.StatusRunning, models.StatusFinished, "", "dreaming"})
		answers := pages{}
		page := func(asked string) models.Page[models.Operation] {
			// A service may send nonsense, but it does not invent operations forever.
			p, ok := answers[asked]
			if !ok || rapid.IntRange(0, 9).Draw(t, "changes") == 0 {
				p = models.Page[models.Operation]{Next: cursor.Draw(t, "next"), Items: born(rapid.SliceOfN(minute, 0, 5).Draw(t, "page")...)}
				for i := range p.Items {
					p.Items[i].Status = status.Draw(t, "status")
					if rapid.IntRange(0, 5).Draw(t, "timeless") == 0 {
						p.Items[i].CreatedAt = time.Time{}
					}
				}
				answers[asked] = p
			}
			return answers.page(asked)
		}
		for range rapid.IntRange(1, 30).Draw(t, "merges") {
			f.Merge(page(cursor.Draw(t, "cursor")))
		}
		for asked := 0; ; asked++ {
			older, more := f.Older()
			if !more {
				break
			}
			if asked > 1000 {
				t.Fatal("asking for older pages does not end")
			}
			f.Merge(answers.page(older))
		}
		once(t, f)
	})
}

// once checks that each operation occurs once, can be found, and is counted.
func once(t *rapid.T, f *Feed) {
	unfinished := 0
	for i := range f.Len() {
		if !f.At(i).Done() {
			unfinished++
		}
		if row, ok := f.Find(f.At(i).ID); !ok || row != i {
			t.Fatalf("%s is at %d and found at %d", f.At(i).ID, i, row)
		}
		if i > 0 && compare(f.rows[i-1], f.rows[i]) >= 0 {
			t.Fatalf("row %d is not below the one above it", i)
		}
	}
	if f.Unfinished() != unfinished {
		t.Fatalf("counts %d unfinished, has %d", f.Unfinished(), unfinished)
	}
}

// A broken edge does not hide another one with the same cursor, which would then be requested for ever.
func TestFeedSeveralEdgesWithOneCursor(t *testing.T) {
	t.Parallel()
	f := New("p")
	f.edges = []edge{{cursor: "C", run: 1}, {cursor: "C", broken: true, run: 2}, {cursor: "C", run: 3}, {cursor: "C", broken: true, run: 4}}
	for _, want := range []int{3, 1, 4} {
		origin, ok := f.origin("C")
		if !ok || origin.run != want {
			t.Fatalf("got %+v, want the edge of %d operations", origin, want)
		}
		f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return e == *origin })
	}
}

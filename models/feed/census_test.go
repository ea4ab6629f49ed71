package feed

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// Whatever comes, changes and goes while a census is read, and after it, it counts what a walk through the loaded operations
// does.
func TestCensusCountsWhatIsLoaded(t *testing.T) {
	t.Parallel()
	tests := []Match{
		func(string, *models.Operation, time.Time) bool { return true },
		func(_ string, op *models.Operation, _ time.Time) bool { return op.Status.Failed() },
		func(project string, op *models.Operation, _ time.Time) bool {
			return op.Gone || project == "project-001"
		},
		func(_ string, op *models.Operation, asOf time.Time) bool { return !op.Done() && asOf.Second()%2 == 0 },
	}
	rapid.Check(t, func(t *rapid.T) {
		a := newAccount(t)
		a.open(t)
		since := a.clock.now.Add(-drawSpan(t, "since", 20*time.Second))
		var censuses []*Census
		feed := func(t *rapid.T) *Feed {
			name, _ := a.some(t)
			return a.feeds[name]
		}
		t.Repeat(map[string]func(*rapid.T){
			"project": func(t *rapid.T) { a.Add(a.feeds[a.open(t)]) },
			"birth": func(t *rapid.T) {
				_, s := a.some(t)
				s.birth(rapid.IntRange(1, 12).Draw(t, "n"), false)
			},
			"finish": func(t *rapid.T) {
				_, s := a.some(t)
				atLeastOne(t, s)
				as := rapid.SampledFrom([]models.Status{models.StatusFinished, models.StatusFailed}).Draw(t, "as")
				s.finish(rapid.IntRange(0, len(s.ops)-1).Draw(t, "which"), as)
			},
			"poll": func(t *rapid.T) {
				name, s := a.some(t)
				a.feeds[name].Merge(s.page(a.limit[name], ""))
			},
			"older": func(t *rapid.T) {
				name, s := a.some(t)
				if cursor, ok := a.feeds[name].Older(); ok {
					a.feeds[name].Merge(s.page(a.limit[name], cursor))
				}
			},
			"vanish": func(t *rapid.T) {
				f := feed(t)
				if f.Len() > 0 {
					f.Vanish(f.At(rapid.IntRange(0, f.Len()-1).Draw(t, "row")).ID, a.clock.now)
				}
			},
			"give back": func(t *rapid.T) {
				f := feed(t)
				f.cut(rapid.IntRange(1, 1+f.Len()).Draw(t, "keep"))
				a.compact()
			},
			"wider": func(t *rapid.T) {
				since = since.Add(-drawSpan(t, "by", 10*time.Second))
				for _, c := range censuses {
					c.Widen(since)
				}
			},
			"begin": func(*rapid.T) { censuses = append(censuses, a.NewCensus(since, tests)) },
			"close": func(*rapid.T) {
				if len(censuses) > 0 {
					censuses[0].Close()
					censuses = censuses[1:]
				}
			},
			"read": func(t *rapid.T) {
				for _, c := range censuses {
					c.Read(rapid.IntRange(1, 6).Draw(t, "operations"))
				}
			},
			"": func(t *rapid.T) {
				expected := make([]int, len(tests))
				rows := a.Since(since)
				for i := range rows.Len() {
					for test, passes := range tests {
						if passes(rows.ProjectAt(i), rows.At(i), rows.AsOf(i)) {
							expected[test]++
						}
					}
				}
				for _, c := range censuses {
					if got := c.Counts(); c.whole && !slices.Equal(got, expected) {
						t.Fatalf("%v, want %v", got, expected)
					}
				}
			},
		})
	})
}

package incident

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// TestGroupsCountWhatWasMade compares groups of drawn incidents with a recount, in each dimension.
func TestGroupsCountWhatWasMade(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		w := newWorld(seed)
		for quarter := range 8 {
			w.window(100, noon().Add(-time.Duration(quarter)*15*time.Minute), func(o Operation) float64 {
				if quarter < 2 && o.Region == "region-1" || o.Project == "p02" {
					return 0.7
				}
				return 0.01
			})
		}
		span := Span{Since: noon().Add(-2 * time.Hour), Window: 15 * time.Minute, Now: noon()}
		for _, by := range Dimensions() {
			groups := Groups(by, w.all(), PastsOf(w.all()), span)
			if !slices.IsSortedFunc(groups, func(a, b Group) int { return b.Failed - a.Failed }) {
				t.Fatalf("by %v, the groups are not ordered by their failures", by)
			}
			operations := 0
			for _, g := range groups {
				w.recount(t, by, g, span)
				operations += g.Count
			}
			if by != Errors && operations != len(w.operations) {
				t.Fatalf("by %v, %d of %d operations are in groups", by, operations, len(w.operations))
			}
		}
	}
}

// recount compares a group with the operations of its value.
func (w *world) recount(t *testing.T, by Dimension, g Group, span Span) {
	t.Helper()
	var want Group
	want.Value = g.Value
	before := 0
	for _, o := range w.operations {
		if by.Of(o) != g.Value {
			continue
		}
		want.Count++
		if !o.Status.Failed() {
			want.Finished++
			continue
		}
		want.Failed++
		if want.First.IsZero() || o.UpdatedAt.Before(want.First) {
			want.First = o.UpdatedAt
		}
		if o.UpdatedAt.After(want.Last) {
			want.Last = o.UpdatedAt
		}
		if span.Now.Sub(o.UpdatedAt) < span.Window {
			want.Recent++
		} else {
			before++
		}
	}
	want.Seen, want.Projects = g.Seen, g.Projects // see [TestStatesOfMadeUpOperations]
	want.Before = models.Opt[float64]{Value: float64(before) / 7, Known: true}
	if g != want {
		t.Fatalf("by %v:\n%+v, made was\n%+v", by, g, want)
	}
}

// The average before the window is unknown while less than a window before it is complete.
func TestGroupsTimeBeforeIsUnknownWhileItIsIncomplete(t *testing.T) {
	t.Parallel()
	w := newWorld(3)
	w.window(50, noon(), noise(1))
	for _, c := range []struct {
		complete time.Duration
		known    bool
	}{{20 * time.Minute, false}, {30 * time.Minute, true}} {
		span := Span{Since: noon().Add(-c.complete), Window: 15 * time.Minute, Now: noon()}
		if g := Groups(Regions, w.all(), nil, span)[0]; g.Before.Known != c.known {
			t.Errorf("complete for %v, the time before is %+v", c.complete, g.Before)
		}
	}
}

// Operations that no longer exist are in no group.
func TestGroupsHaveNothingThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(4)
	w.window(10, noon(), noise(0))
	for _, o := range w.operations {
		o.Gone, o.Status = true, models.StatusRunning
	}
	if groups := Groups(Actions, w.all(), nil, Span{Window: time.Minute, Now: noon()}); len(groups) > 0 {
		t.Errorf("%+v", groups)
	}
}

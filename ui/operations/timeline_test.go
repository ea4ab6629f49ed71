package operations

import (
	"slices"
	"testing"
	"time"
)

// In an order other than by time, the timeline does not follow now: the selection stays in view.
func TestTimelineOfAnOrder(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service["a"][15].UpdatedAt = time.Now().Add(-10 * time.Minute)
		b.wait(6 * time.Second)
		b.run(t, "timeline")
		drawn(b, 100)
		b.do(b.table.SortBy(slices.Index(ColumnNames(), "took"), true))
		shows := func(after string) {
			t.Helper()
			b.wait(6 * time.Second)
			drawn(b, 100)
			if r, _ := b.table.Selected(); r.op.ID != "a-00104" || !b.time.layout.Shows() {
				t.Errorf("%s: %s is selected, and it is %v that it is in view", after, r.op.ID, b.time.layout.Shows())
			}
		}
		shows("sorted")
		b.wait(time.Hour)
		shows("an hour later")
		for range 2 * panParts {
			b.run(t, "pan-earlier")
		}
		drawn(b, 100)
		if b.time.layout.Shows() {
			t.Error("the selection is in view after it was panned away")
		}
		b.run(t, "top")
		shows("at the top again")
	}, "a")
}

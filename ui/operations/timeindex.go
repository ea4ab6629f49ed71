package operations

import (
	"slices"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
	"pgtower/ui/timeline"
)

// timeIndex indexes the operations of the table by time. It observes the feed or, if there is a filter or an order, takes
// the changes of the rows.
type timeIndex struct {
	*timeline.Index // or nil

	of     *feed.Timeline // the observed timeline, or nil
	rows   []indexed      // the indexed rows, if the feed is not observed
	number int            // the number of these rows, see [table.Model.Rows]

	longest, lanes, named int // the width of the longest name, and the numbers of lanes and names then
}

// indexed is a row in the index, without an operation if it is a gap. Operations are never modified but replaced.
type indexed struct {
	project string
	op      *models.Operation
}

// forget drops the index. It is rebuilt when needed.
func (x *timeIndex) forget() {
	if x.of != nil {
		x.of.Observe(nil)
	}
	*x = timeIndex{}
}

// observe makes the index follow a timeline.
func (x *timeIndex) observe(t *feed.Timeline, lane timeline.Grouping) {
	if x.Index != nil && x.of == t {
		return
	}
	x.forget()
	x.Index, x.of = timeline.NewIndex(lane), t
	t.Observe(x.Count)
}

// take updates the index to the rows with a number. Only the range of changed rows is compared.
func (x *timeIndex) take(rows []*row, number int, lane timeline.Grouping) {
	if x.of != nil {
		x.forget()
	}
	if x.Index != nil && x.number == number {
		return
	}
	from, was, is := 0, len(x.rows), len(rows)
	for from < min(was, is) && x.rows[from].op == rows[from].op {
		from++
	}
	for min(was, is) > from && x.rows[was-1].op == rows[is-1].op {
		was--
		is--
	}
	now := make([]indexed, is-from)
	for i := range now {
		now[i] = indexed{rows[from+i].project, rows[from+i].op}
	}
	left, came := changes(x.rows[from:was], now)
	x.rows, x.number = slices.Replace(x.rows, from, was, now...), number
	if x.Index == nil || len(left)+len(came) > len(rows) { // rebuilding costs less
		x.Index, left, came = timeline.NewIndex(lane), nil, x.rows
	}
	x.count(left, -1)
	x.count(came, +1)
}

// count adds or removes operations, from the last to the first: oldest first is the fastest.
func (x *timeIndex) count(all []indexed, by int) {
	for _, c := range slices.Backward(all) {
		if c.op != nil {
			x.Count(c.project, c.op, by)
		}
	}
}

// changes returns the operations that left a list and those that came.
func changes(before, after []indexed) (left, came []indexed) {
	if len(before) == 0 {
		return nil, after
	}
	were := make(map[*models.Operation]bool, len(before))
	for _, c := range before {
		were[c.op] = true
	}
	for _, c := range after {
		if !were[c.op] {
			came = append(came, c)
		}
		were[c.op] = false
	}
	for _, c := range before {
		if were[c.op] {
			left = append(left, c)
		}
	}
	return left, came
}

// longestName returns the width of the longest name of a lane, in cells.
func (x *timeIndex) longestName(known names, name func(lane string) string) int {
	if n, ids := x.Lanes(); n != x.lanes || len(known) != x.named {
		x.longest, x.lanes, x.named = 0, n, len(known)
		for id := range ids {
			x.longest = max(x.longest, style.Width(name(id)))
		}
	}
	return x.longest
}

package operations

import (
	"slices"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
	"pgtower/ui/timeline"
)

// timeIndex is an index by time of what the table shows. It observes the feed or, where a filter or an order chose the
// rows, takes over what changed in them.
type timeIndex struct {
	*timeline.Index // or nil

	of     *feed.Timeline // that is observed, or nil
	rows   []indexed      // what is in the index where that is not observed, in the order of the rows
	number int            // of these rows, see [table.Model.Rows]

	longest, lanes, named int // cells of the longest name, when there were so many lanes and names
}

// indexed is a row in the index, without an operation if it is a gap. Operations are never modified: a changed one is
// another one.
type indexed struct {
	project string
	op      *models.Operation
}

// forget drops the index, which is built anew once it is needed.
func (x *timeIndex) forget() {
	if x.of != nil {
		x.of.Observe(nil)
	}
	*x = timeIndex{}
}

// observe makes the index follow a feed, in lanes.
func (x *timeIndex) observe(t *feed.Timeline, lane timeline.Grouping) {
	if x.Index != nil && x.of == t {
		return
	}
	x.forget()
	x.Index, x.of = timeline.NewIndex(lane), t
	t.Observe(x.Count)
}

// take brings the index to the rows of a number, in lanes. Most rows are as they were: only what differs is looked up.
func (x *timeIndex) take(rows []row, number int, lane timeline.Grouping) {
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
	if x.Index == nil || len(left)+len(came) > len(rows) { // it costs less to build it anew
		x.Index, left, came = timeline.NewIndex(lane), nil, x.rows
	}
	x.count(left, -1)
	x.count(came, +1)
}

// count counts operations in or out, the oldest first if they are in the order of time: that is the fastest.
func (x *timeIndex) count(all []indexed, by int) {
	for _, c := range slices.Backward(all) {
		if c.op != nil {
			x.Count(c.project, c.op, by)
		}
	}
}

// changes returns what left a list and what came to it.
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

// longestName returns how many cells the longest name of a lane has.
func (x *timeIndex) longestName(known names, name func(lane string) string) int {
	if n, ids := x.Lanes(); n != x.lanes || len(known) != x.named {
		x.longest, x.lanes, x.named = 0, n, len(known)
		for id := range ids {
			x.longest = max(x.longest, style.Width(name(id)))
		}
	}
	return x.longest
}

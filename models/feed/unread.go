package feed

import (
	"maps"
	"slices"
	"time"

	"pgtower/models"
)

// unknownAge is how old the state of an operation with an unknown status may be before it is read again: the status may
// be final, so that there are ever more of them.
const unknownAge = 10 * time.Minute

// unfinished returns the operations that are not done, newest first.
func (f *Feed) unfinished() []*entry { return slices.SortedFunc(maps.Values(f.active), compare) }

// overdue returns the unfinished operations that the last head page did not contain, newest first. Unless they are
// read some other way, they would look unfinished forever.
func (f *Feed) overdue() (late []*entry) {
	for _, e := range f.active {
		if f.isLate(e) {
			late = append(late, e)
		}
	}
	slices.SortFunc(late, compare)
	return late
}

// late reports whether there are overdue operations.
func (f *Feed) late() bool {
	for _, e := range f.active {
		if f.isLate(e) {
			return true
		}
	}
	return false
}

func (f *Feed) isLate(e *entry) bool {
	op, age := e.op(), f.head.Sub(e.asOf())
	return age > 0 && (op.Status.Known() || age > unknownAge) && !models.NoID(op.ID)
}

// asked notes that an operation is asked for on its own.
func (f *Feed) asked(id string, now time.Time) {
	if e := f.byID[id]; e != nil {
		e.tried = now
		f.failed.asked(id, now, f.skew)
	}
}

// headLimit returns the limit of the next head page, usually at most size, and never more than longest. The page reaches
// below the newest second, and to what is sought. It also reaches the unfinished and failed operations that are to be read
// again, with room for new ones. It does not reach below a gap, or below forgotten operations: how far that is, is not known,
// so operations there are read by id.
func (f *Feed) headLimit(size, longest int, now time.Time) int {
	const room = 25
	switch {
	case !f.loaded:
		return size
	case f.sought && f.lost != nil:
		return longest
	}
	within, beyond, reach := 0, 0, 0
	for i, e := range f.rows[:min(longest, f.contiguous(0)+1)] {
		switch row := i + 1; {
		case !f.isOpen(e), f.rests(e, now):
		case row <= size:
			within = row
		default:
			beyond++
			reach = row
		}
	}
	limit := max(min(size, within+room), min(longest, f.newest()+1))
	if beyond >= worthAPage {
		limit = max(limit, min(longest, reach+room))
	}
	return limit
}

// current returns the time as of which everything is shown: when the newest head page was requested. If that page lacked
// unfinished operations, it is when the one of them that is unread longest was read.
func (f *Feed) current() time.Time {
	asOf := f.head
	for _, e := range f.active {
		if e.op().Status.Known() && f.isLate(e) {
			asOf = earlier(asOf, e.asOf())
		}
	}
	return asOf
}

// nextRetry returns the failed operation that is to be read again first, and when, or nil.
func (f *Feed) nextRetry(now time.Time) (e *entry, due time.Time) {
	if f.failed.last.After(now) {
		f.failed.setBack(now, f.skew)
	}
	if len(f.failed.queue) == 0 {
		return nil, time.Time{}
	}
	first := f.failed.queue[0]
	return first.entry, first.due.Add(-f.skew)
}

// rests reports whether a failed operation is not to be read again yet.
func (f *Feed) rests(e *entry, now time.Time) bool {
	retry := f.failed.byID[e.op().ID]
	return retry != nil && retry.due.After(now.Add(f.skew))
}

// worthAPage is how many operations justify a page that is longer than usual, instead of reading each by id.
const worthAPage = 3

// failedTogether returns how many rows a page needs to reach the failed operations that it may read together, or 0 if they
// are not worth a page.
func (f *Feed) failedTogether() (rows int) {
	n := 0
	for i, e := range f.rows[:min(mostAtOnce, len(f.rows))] {
		if e.op().Status.Failed() && f.failed.has(e.op().ID) {
			n++
			rows = i + 1
		}
	}
	if n < worthAPage {
		return 0
	}
	return rows
}

// isOpen reports whether an operation has not ended, or may be tried again.
func (f *Feed) isOpen(e *entry) bool { return !e.op().Done() || f.failed.has(e.op().ID) }

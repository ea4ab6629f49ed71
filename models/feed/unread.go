package feed

import (
	"cmp"
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

// late reports whether there are such operations.
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

// longestUnread orders operations by when they were last read or asked for, and those of one page newest first. One that
// cannot be read holds up no other.
func longestUnread(a, b *entry) int {
	return cmp.Or(a.lastAsked().Compare(b.lastAsked()), compare(a, b))
}

// lastAsked returns when an operation was last read, or asked for on its own in vain.
func (e *entry) lastAsked() time.Time {
	asOf := e.asOf()
	if e.tried.After(asOf) {
		return e.tried
	}
	return asOf
}

// firstRetry is how long after a failure the operation is read again. Each next time, the failure is twice as old, until
// it is over after [models.RetryFor].
const firstRetry = 15 * time.Second

// retryAt returns when to read a failed operation again, because it may have been tried again meanwhile: zero for now.
func (f *Feed) retryAt(e *entry, now time.Time) time.Time {
	op, asOf := e.op(), e.asOf()
	if asOf.After(now) { // the clock was set back
		return time.Time{}
	}
	retry := op.RetryAt.Add(time.Second - f.skew) // the service's times are rounded down
	if retry.After(asOf) {
		return retry
	}
	last := op.LastTry().Add(-f.skew)
	for after := firstRetry; after < models.RetryFor; after *= 2 {
		if next := last.Add(after); next.After(asOf) {
			return next
		}
	}
	return last.Add(models.RetryFor)
}

// retryDue reports whether to read a failed operation again.
func (f *Feed) retryDue(e *entry, now time.Time) bool { return !f.retryAt(e, now).After(now) }

// nextRetry returns when the first of the failed operations is to be read again, or false if there are none.
func (f *Feed) nextRetry(now time.Time) (at time.Time, any bool) {
	for _, e := range f.failed {
		if models.NoID(e.op().ID) {
			continue
		}
		next := f.retryAt(e, now)
		if !any || next.Before(at) {
			at, any = next, true
		}
	}
	return at, any
}

// isRetried reports whether to read a failed operation again now. The newest ones are on the head pages as well.
func (f *Feed) isRetried(e *entry, now time.Time) bool {
	return f.retryDue(e, now) && !models.NoID(e.op().ID)
}

// worthAPage is how many operations justify a page that is longer than usual, instead of reading each by id.
const worthAPage = 3

// failedTogether returns how many of the newest rows have the failed operations that a page may read, or 0 if they are not
// worth one.
func (f *Feed) failedTogether() (rows int) {
	n := 0
	for _, e := range f.failed {
		row := f.search(e) + 1
		if row <= mostAtOnce {
			n++
			rows = max(rows, row)
		}
	}
	if n < worthAPage {
		return 0
	}
	return rows
}

// headLimit returns the limit of the next head page, usually at most size, and never more than longest. The page reaches a
// second older than the newest one, what is sought, and the unfinished and failed operations that are to be read again, with room for new
// ones. How many operations are above those below a gap, or below forgotten ones, is not known: they are read by id.
func (f *Feed) headLimit(size, longest int, now time.Time) int {
	const room = 25
	switch {
	case !f.loaded:
		return size
	case f.sought && f.lost != nil:
		return longest
	}
	within, beyond, reach, end := 0, 0, 0, f.contiguous(0)+1
	for _, set := range []map[string]*entry{f.active, f.failed} {
		for _, e := range set {
			if e.op().Status.Failed() && !f.retryDue(e, now) {
				continue
			}
			row := f.search(e) + 1
			switch {
			case row > end:
			case row <= size:
				within = max(within, row)
			case row <= longest:
				beyond++
				reach = max(reach, row)
			}
		}
	}
	limit := max(min(size, within+room), min(longest, f.newest()+1))
	if beyond >= worthAPage {
		limit = max(limit, min(longest, reach+room))
	}
	return limit
}

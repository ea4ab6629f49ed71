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

// asked notes that an operation is asked for on its own.
func (f *Feed) asked(id string, now time.Time) {
	if e := f.byID[id]; e != nil {
		e.tried = now
		f.failed.asked(id, now, f.skew)
	}
}

// lastAsked returns when an operation was last read, or asked for on its own in vain.
func (e *entry) lastAsked() time.Time { return later(e.asOf(), e.tried) }

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

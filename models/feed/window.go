package feed

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
)

// MaxRun is the longest run time for which a window of ended operations is complete. Operations are loaded by their
// start: once everything is loaded that began in the window or at most MaxRun before it, only the ends of longer
// operations can be missing.
const MaxRun = incident.MaxRun

// WindowSince returns the time since which all operations have to be loaded for the window of length before now.
func WindowSince(now time.Time, length time.Duration) time.Time { return now.Add(-length - MaxRun) }

// Ended counts the operations that failed, with any failed status, those that finished, and which of these had failed before.
type Ended struct{ Failed, Finished, Recovered int }

func (e *Ended) count(op *models.Operation, change int) {
	switch {
	case op.Status.Failed():
		e.Failed += change
	case op.Status == models.StatusFinished:
		e.Finished += change
	}
	if op.Recovered() {
		e.Recovered += change
	}
}

// endings are the operations that ended, by minutes of the clock.
type endings struct {
	minutes map[int64]*minute
	latest  int64                 // the latest minute that ever had one
	untimed map[models.Action]int // operations with an unreadable time, see [incident.Untimed]
}

// minute has the operations that ended in one minute of the clock, in the order of [byEnd].
type minute struct {
	Ended

	operations []ending
	shared     bool           // operations are read elsewhere: they are copied before they change
	health     *ProjectHealth // of all of them; nil: [Fleet] has to count it
	limited    int            // [Fleet.limited] when it was counted
}

// ending is an operation that ended, and its feed, or nil where all operations are of one feed.
type ending struct {
	*models.Operation

	feed *Feed
}

// byEnd orders operations by their end, the last one first.
func byEnd(a, b ending) int {
	return cmp.Or(b.EndedAt().Compare(a.EndedAt()), cmp.Compare(a.ID, b.ID))
}

// change returns the operations of a minute, which may be changed.
func (m *minute) change() []ending {
	if m.shared {
		m.operations, m.shared = slices.Clone(m.operations), false
	}
	return m.operations
}

// minuteOf returns the number of a clock minute.
func minuteOf(instant time.Time) int64 { return instant.Truncate(time.Minute).Unix() / 60 }

// tally adds an operation if it ended, or removes one that was added.
func (e *endings) tally(op *models.Operation, source *Feed, change int) {
	if incident.Untimed(op) {
		if e.untimed == nil {
			e.untimed = map[models.Action]int{}
		}
		e.untimed[op.Action] += change
	}
	ended := op.EndedAt()
	if ended.IsZero() {
		return
	}
	number := minuteOf(ended)
	m := e.minutes[number]
	if m == nil {
		m = &minute{}
		e.minutes[number] = m
	}
	m.count(op, change)
	m.health = nil
	operations := m.change()
	i, _ := slices.BinarySearchFunc(operations, ending{Operation: op}, byEnd)
	if change > 0 {
		m.operations = slices.Insert(operations, i, ending{op, source})
		e.latest = max(e.latest, number)
		return
	}
	for i < len(operations) && operations[i].ID == op.ID && operations[i].Operation != op {
		i++ // of another project
	}
	if i < len(operations) && operations[i].Operation == op {
		m.operations = slices.Delete(operations, i, i+1)
	}
	if len(m.operations) == 0 {
		delete(e.minutes, number)
	}
}

// forget removes operations that were added. It removes those of a minute together: one alone would cost as much as all of
// them.
func (e *endings) forget(dropped rows) {
	minutes, operations := map[int64]bool{}, make(map[*models.Operation]bool, len(dropped))
	for _, row := range dropped {
		op := row.op()
		if incident.Untimed(op) {
			e.untimed[op.Action]--
		}
		ended := op.EndedAt()
		if ended.IsZero() {
			continue
		}
		minutes[minuteOf(ended)], operations[op] = true, true
		if m := e.minutes[minuteOf(ended)]; m != nil {
			m.count(op, -1)
		}
	}
	for number := range minutes {
		m := e.minutes[number]
		if m == nil {
			continue // too old to be kept
		}
		m.health = nil
		m.operations = slices.DeleteFunc(m.change(), func(candidate ending) bool { return operations[candidate.Operation] })
		if len(m.operations) == 0 {
			delete(e.minutes, number)
		}
	}
}

// since calls single for each operation that ended since a time in the minute of that time, and whole for each later
// minute. The cost grows with the minutes since then and the operations of the first one.
func (e *endings) since(from time.Time, single func(*models.Operation), whole func(*minute)) {
	first := minuteOf(from)
	m := e.minutes[first]
	if m != nil {
		for _, op := range m.operations {
			if !op.EndedAt().Before(from) {
				single(op.Operation)
			}
		}
	}
	if e.latest-first > int64(len(e.minutes)) {
		for number, m := range e.minutes {
			if number > first {
				whole(m)
			}
		}
		return
	}
	for number := first + 1; number <= e.latest; number++ {
		m := e.minutes[number]
		if m != nil {
			whole(m)
		}
	}
}

// Endings are the operations that had ended in a timeline at some time. Any goroutine may read them while the timeline changes.
type Endings struct{ minutes [][]ending } // the last one first

// Endings returns the operations that have ended. Its cost grows with the minutes of the range, not with the operations.
func (t *Timeline) Endings() Endings {
	var out Endings
	for _, number := range slices.Backward(slices.Sorted(maps.Keys(t.ended.minutes))) {
		m := t.ended.minutes[number]
		m.shared = true
		out.minutes = append(out.minutes, m.operations)
	}
	return out
}

// All returns the operations with their projects, the last one that ended first.
func (e Endings) All() iter.Seq2[string, *models.Operation] {
	return func(yield func(string, *models.Operation) bool) {
		for _, operations := range e.minutes {
			for _, ended := range operations {
				if !yield(ended.feed.project, ended.Operation) {
					return
				}
			}
		}
	}
}

// Unfinished returns the number of loaded operations that were not done when their projects were last read.
func (t *Timeline) Unfinished() int { return t.unfinished }

// Untimed returns the number of loaded operations without a readable time: they have no place in a window or a range, and are
// counted in none.
func (t *Timeline) Untimed() int { return t.untimed }

// Window counts the loaded operations that ended less than length before now, or after now if the clock is ahead.
func (t *Timeline) Window(now time.Time, length time.Duration) Ended {
	var sum Ended
	t.ended.since(since(now, length), func(op *models.Operation) { sum.count(op, 1) }, func(m *minute) {
		sum.Failed += m.Failed
		sum.Finished += m.Finished
		sum.Recovered += m.Recovered
	})
	return sum
}

// Began counts the loaded operations that began less than length before now, by clock intervals of unit, oldest first.
// The first interval begins with the window; the last one is not over and includes operations after now.
func (t *Timeline) Began(now time.Time, length, unit time.Duration) []int {
	var out []int
	from, end := since(now, length), 0
	for start := now.Truncate(unit); ; start = start.Add(-unit) {
		if start.Before(from) {
			start = from
		}
		rows := t.notBefore(start, end)
		out = append(out, rows-end)
		end = rows
		if !start.After(from) {
			slices.Reverse(out)
			return out
		}
	}
}

// failedUnit divides all units of [Timeline.BeganFailed].
const failedUnit = 10 * time.Second

func failedPart(instant time.Time) int64 {
	return instant.Truncate(failedUnit).Unix() / int64(failedUnit/time.Second)
}

// BeganFailed counts the operations of [Timeline.Began] that failed. unit must be a multiple of ten seconds. The first
// interval may have failures of up to ten seconds before it.
func (t *Timeline) BeganFailed(now time.Time, length, unit time.Duration) []int {
	var out []int
	from, end := since(now, length), failedPart(now)
	for start := now.Truncate(unit); ; start = start.Add(-unit) {
		first := failedPart(start)
		if start.Before(from) {
			first = failedPart(from)
		}
		n := 0
		for part := first; part <= end; part++ {
			n += t.failed[part]
		}
		out, end = append(out, n), first-1
		if !start.After(from) {
			slices.Reverse(out)
			return out
		}
	}
}

// since returns the first moment that is less than length before now.
func since(now time.Time, length time.Duration) time.Time { return now.Add(time.Nanosecond - length) }

// notBefore returns the number of rows that began at a time or later; least is a lower bound.
func (t *Timeline) notBefore(instant time.Time, least int) int {
	return least + t.rows[least:].since(instant)
}

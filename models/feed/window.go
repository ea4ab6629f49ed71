package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// MaxRun is the longest run time for which a window of ended operations is complete. Operations are loaded by their
// start: once everything is loaded that began in the window or at most MaxRun before it, only the ends of longer
// operations can be missing.
const MaxRun = 10 * time.Minute

// WindowSince returns the time since which all operations have to be loaded for the window of length before now.
func WindowSince(now time.Time, length time.Duration) time.Time { return now.Add(-length - MaxRun) }

// Ended counts the operations that failed, with any failed status, and that finished.
type Ended struct{ Failed, Finished int }

func (e *Ended) count(op *models.Operation, by int) {
	switch {
	case op.Status.Failed():
		e.Failed += by
	case op.Status == models.StatusFinished:
		e.Finished += by
	}
}

// minute has the operations that ended in one minute of the clock.
type minute struct {
	Ended
	endings
}

// endings are operations that ended, in no order.
type endings []*models.Operation

// tally adds an operation, or removes one that was added.
func (e *endings) tally(op *models.Operation, by int) {
	if by > 0 {
		*e = append(*e, op)
		return
	}
	all := *e
	if i, last := slices.Index(all, op), len(all)-1; i >= 0 {
		all[i] = all[last]
		*e = slices.Delete(all, last, last+1)
	}
}

// Unfinished returns the number of loaded operations that were not done when their projects were last read.
func (t *Timeline) Unfinished() int { return t.unfinished }

// minuteOf returns the number of a clock minute.
func minuteOf(at time.Time) int64 { return at.Truncate(time.Minute).Unix() / 60 }

// tallyEnded adds or removes an operation for [Timeline.Window].
func (t *Timeline) tallyEnded(op *models.Operation, by int) {
	if !op.Done() {
		t.unfinished += by
	}
	at := op.EndedAt()
	if at.IsZero() {
		return
	}
	number := minuteOf(at)
	m := t.minutes[number]
	if m == nil {
		m = &minute{}
		t.minutes[number] = m
	}
	m.count(op, by)
	m.tally(op, by)
	if by > 0 {
		t.latest = max(t.latest, number)
	}
	if len(m.endings) == 0 {
		delete(t.minutes, number)
	}
}

// Window counts the loaded operations that ended less than length before now, or after now if the clock is ahead. The
// cost grows with the minutes of the window and the operations of its first one, not with the loaded rows.
func (t *Timeline) Window(now time.Time, length time.Duration) Ended {
	var sum Ended
	from := since(now, length)
	first := minuteOf(from)
	add := func(m *minute) {
		if m != nil {
			sum.Failed += m.Failed
			sum.Finished += m.Finished
		}
	}
	if m := t.minutes[first]; m != nil {
		for _, op := range m.endings {
			if !op.EndedAt().Before(from) {
				sum.count(op, 1)
			}
		}
	}
	if t.latest-first > int64(len(t.minutes)) {
		for number, m := range t.minutes {
			if number > first {
				add(m)
			}
		}
		return sum
	}
	for number := first + 1; number <= t.latest; number++ {
		add(t.minutes[number])
	}
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
		if end = rows; !start.After(from) {
			slices.Reverse(out)
			return out
		}
	}
}

// since returns the first moment that is less than length before now.
func since(now time.Time, length time.Duration) time.Time { return now.Add(time.Nanosecond - length) }

// notBefore returns the number of rows that began at a time or later; known is a lower bound.
func (t *Timeline) notBefore(at time.Time, known int) int {
	n, _ := slices.BinarySearchFunc(t.rows[known:], at, func(e *entry, at time.Time) int {
		if e.at.Before(at) {
			return +1
		}
		return -1
	})
	return known + n
}

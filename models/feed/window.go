package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// Ended counts the operations that failed, whichever status says so, and that finished.
type Ended struct{ Failed, Finished int }

func (e *Ended) count(op *models.Operation, by int) {
	switch {
	case op.Status.Failed():
		e.Failed += by
	case op.Status == models.StatusFinished:
		e.Finished += by
	}
}

func (e *Ended) add(more Ended) {
	e.Failed += more.Failed
	e.Finished += more.Finished
}

// Unfinished is the number of loaded operations that are not done.
func (t *Timeline) Unfinished() int { return t.unfinished }

// minuteOf numbers the minutes of the clock.
func minuteOf(at time.Time) int64 { return at.Truncate(time.Minute).Unix() / 60 }

// tallyEnded counts an operation at its place in or out, for [Timeline.Ended].
func (t *Timeline) tallyEnded(at time.Time, op *models.Operation, by int) {
	if !op.Done() {
		t.unfinished += by
	}
	minute := minuteOf(at)
	e := t.minutes[minute]
	if e.count(op, by); e == (Ended{}) {
		delete(t.minutes, minute)
	} else {
		t.minutes[minute] = e
	}
}

// Window counts the loaded operations that began less than length before now and have
// ended. What is ahead of now began by a clock that is ahead, and counts as well. The cost
// grows with the minutes of the window and the rows of its first one, not with the rows
// that are loaded.
func (t *Timeline) Window(now time.Time, length time.Duration) Ended {
	var sum Ended
	if len(t.rows) == 0 {
		return sum
	}
	from := since(now, length)
	whole := t.notBefore(from.Truncate(time.Minute).Add(time.Minute), 0)
	for _, e := range t.rows[whole:t.notBefore(from, whole)] {
		sum.count(e.op(), 1)
	}
	first, last := minuteOf(from), minuteOf(t.rows[0].at)
	if last-first > int64(len(t.minutes)) {
		for minute, e := range t.minutes {
			if minute > first {
				sum.add(e)
			}
		}
		return sum
	}
	for minute := first + 1; minute <= last; minute++ {
		sum.add(t.minutes[minute])
	}
	return sum
}

// Began counts the loaded operations that began less than length before now, by stretches
// of the clock as long as unit, oldest first. The first stretch begins where the window
// does; the last is not over, and has what is ahead of now as well.
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

// since is the first moment that is less than length before now.
func since(now time.Time, length time.Duration) time.Time { return now.Add(time.Nanosecond - length) }

// notBefore returns how many rows began at a time or later, which are at least known.
func (t *Timeline) notBefore(at time.Time, known int) int {
	n, _ := slices.BinarySearchFunc(t.rows[known:], at, func(e *entry, at time.Time) int {
		if e.at.Before(at) {
			return +1
		}
		return -1
	})
	return known + n
}

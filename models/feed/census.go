package feed

import (
	"slices"
	"sort"
	"time"

	"pgtower/models"
)

// Census counts the operations of a timeline since a time that pass a test, for each of several tests. It counts the loaded
// ones once, some at a time. From then on, it counts what comes, changes and goes: an answer costs what it changes, however
// many operations are loaded.
//
// Whether a done operation passes must not depend on when it is tested. One that is not done is tested again for each result.
type Census struct {
	timeline *Timeline
	since    time.Time
	tests    []Match
	done     []int  // how many of the done operations pass each test
	last     *entry // the operations down to this one are counted; nil: none
	whole    bool   // all are
}

// NewCensus returns a census that has counted nothing yet, see [Timeline.Since].
func (t *Timeline) NewCensus(since time.Time, tests []Match) *Census {
	c := &Census{timeline: t, since: since, tests: tests, done: make([]int, len(tests))}
	t.censuses = append(t.censuses, c)
	return c
}

// Close ends a census: it does not follow its timeline any more.
func (c *Census) Close() {
	c.timeline.censuses = slices.DeleteFunc(c.timeline.censuses, func(open *Census) bool { return open == c })
}

// Widen has the census count since an earlier time.
func (c *Census) Widen(since time.Time) {
	if c.whole {
		c.whole, c.last = false, nil
		if end := c.timeline.notBefore(c.since, 0); end > 0 {
			c.last = c.timeline.rows[end-1]
		}
	}
	c.since = since
}

// Since returns the time since which operations are counted.
func (c *Census) Since() time.Time { return c.since }

// Whole reports whether all operations are counted.
func (c *Census) Whole() bool { return c.whole }

// Read counts at most n more operations that were loaded before, and reports whether none is left.
func (c *Census) Read(n int) (whole bool) {
	t := c.timeline
	from, end := 0, t.notBefore(c.since, 0)
	if c.last != nil {
		from = sort.Search(end, func(i int) bool { return compare(t.rows[i], c.last) > 0 })
	}
	if !c.whole {
		for _, e := range t.rows[from:min(from+n, end)] {
			c.add(e, e.op(), 1)
			c.last = e
		}
		c.whole = from+n >= end
	}
	return c.whole
}

// Counts returns how many operations of [Timeline.Since], as it was called last, pass each test. The census must be whole.
func (c *Census) Counts() []int {
	counts := slices.Clone(c.done)
	for e := range c.timeline.late {
		op := e.op()
		if op.Done() && !e.at.Before(c.since) {
			continue
		}
		for i, passes := range c.tests {
			if passes(e.feed.project, op, e.asOf()) {
				counts[i]++
			}
		}
	}
	return counts
}

// follow counts an operation that came (+1) or went (-1). It leaves out what [Census.Read] has yet to count.
func (c *Census) follow(e *entry, op *models.Operation, change int) {
	counted := c.whole || c.last != nil && compare(e, c.last) <= 0
	if counted && !e.at.Before(c.since) {
		c.add(e, op, change)
	}
}

func (c *Census) add(e *entry, op *models.Operation, change int) {
	if !op.Done() {
		return
	}
	for i, passes := range c.tests {
		if passes(e.feed.project, op, e.asOf()) {
			c.done[i] += change
		}
	}
}

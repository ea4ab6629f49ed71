package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// Merge takes in a page. A page without a cursor belongs at the head; any other one
// below the edge that has its cursor. A page of a cursor that no edge has any more
// only refreshes what is known: taking rows from it could leave a hole unmarked.
func (f *Feed) Merge(p models.OperationPage) Change {
	c, _ := f.merge(p)
	return c
}

// merge is [Feed.Merge], and returns the rows that it made as well, newest first.
func (f *Feed) merge(p models.OperationPage) (c Change, fresh []*entry) {
	c.Anomalies = anomaliesOf(p)
	origin, ok := f.origin(p.Cursor)
	if !ok {
		for _, op := range p.Operations {
			if e := f.byID[op.ID]; e != nil {
				f.revise(e, op, p.AsOf, &c)
			}
		}
		return c, nil
	}
	if p.Cursor == "" {
		f.loaded = true
		if p.AsOf.After(f.head) {
			f.head = p.AsOf
		}
	}
	page, odd := f.place(p)
	s := f.measure(page, origin)
	fresh = f.take(p, page, &c)
	s.news = len(fresh) > 0
	if !s.onward && !s.news && !p.Last() {
		odd |= AnomalyCursor
	}
	c.Anomalies |= odd
	c.Gap = f.settle(p, origin, s)
	return c, fresh
}

// origin returns the edge that a page of the cursor hangs below, nil for the head.
func (f *Feed) origin(cursor string) (origin *edge, ok bool) {
	if cursor == "" {
		return nil, true
	}
	for _, e := range f.edges {
		if e.cursor == cursor {
			return &e, true
		}
	}
	return nil, false
}

// span is where a page lies among the rows that were known before it.
type span struct {
	from   *entry // covered from here: the edge's row, or the newest operation of a head page
	last   *entry // covered to here: the oldest operation, nil if the page is empty
	sorted bool
	onward bool // the page has an operation that belongs below the edge
	news   bool // the page has an operation that was not known
	// settled says that what is below last is accounted for already: last was known,
	// or it lies among known rows that have nothing missing between them.
	settled bool
}

// measure compares a page with what is known, before it is taken in.
func (f *Feed) measure(page []*entry, origin *edge) span {
	s := span{sorted: slices.IsSortedFunc(page, compare), onward: origin == nil}
	if len(page) == 0 {
		return s
	}
	s.from, s.last = slices.MinFunc(page, compare), slices.MaxFunc(page, compare)
	if origin != nil {
		s.from, s.onward = origin.above, compare(s.last, origin.above) > 0
	}
	i := f.search(s.last)
	among := i > 0 && i < len(f.rows) &&
		!slices.ContainsFunc(f.edges, func(e edge) bool { return e.above == f.rows[i-1] })
	s.settled = among || f.byID[s.last.op().ID] != nil
	return s
}

// take inserts the operations that are not known and refreshes those that are. It
// returns the new rows, newest first.
func (f *Feed) take(p models.OperationPage, page []*entry, c *Change) (fresh []*entry) {
	for i, e := range page {
		if known := f.byID[e.op().ID]; known != nil {
			f.revise(known, p.Operations[i], p.AsOf, c)
			continue
		}
		// A page of its own memory would be kept alive by any one of its operations.
		op := *e.op()
		e.hear(&op)
		f.byID[op.ID] = e
		f.tally(e, +1)
		fresh = append(fresh, e)
	}
	slices.SortFunc(fresh, compare)
	f.rows = insert(f.rows, fresh)
	for _, e := range fresh {
		c.Added = append(c.Added, e.op())
	}
	// An operation that the page has twice was added, not changed.
	c.Changed = slices.DeleteFunc(c.Changed, func(r Revision) bool {
		_, added := slices.BinarySearchFunc(fresh, f.byID[r.After.ID], compare)
		return added
	})
	return fresh
}

// insert merges sorted entries into sorted rows, moving each row at most once.
func insert(rows, fresh []*entry) []*entry {
	end := len(rows)
	rows = append(rows, fresh...)
	for k, e := range slices.Backward(fresh) {
		at, _ := slices.BinarySearchFunc(rows[:end], e, compare)
		copy(rows[at+k+1:], rows[at:end])
		rows[at+k] = e
		end = at
	}
	return rows
}

// settle brings the edges up to date after a page was taken in, and returns the gap
// that it left.
func (f *Feed) settle(p models.OperationPage, origin *edge, s span) *Gap {
	resumed := false // the page ends where paging had broken, and tells what is below
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool {
		if origin != nil && e == *origin {
			return true
		}
		if !s.sorted || s.last == nil || compare(s.from, e.above) > 0 {
			return false
		}
		below := compare(e.above, s.last)
		resumed = resumed || e.broken && below == 0
		return below < 0 || e.broken && below == 0
	})
	if s.last == nil || p.Last() && p.Damage == "" {
		return nil
	}
	last := f.byID[s.last.op().ID]
	next := edge{above: last, cursor: p.Next, back: p.Cursor, last: last}
	switch {
	case origin != nil && !s.onward:
		next = f.stray(next, origin, s)
	case s.settled && !resumed:
		return nil
	}
	if p.Damage != "" {
		next.cursor, next.broken = p.Cursor, true
	}
	f.addEdge(next)
	if next.broken || f.isLast(next.above) {
		return nil
	}
	return &Gap{next.above.op().ID, next.cursor, false}
}

// stray returns the edge that a page leaves which has nothing that belongs below its origin.
// Its cursor breaks the paging, but says nothing of an end. News above the origin break
// nothing, if they belong among known rows: it may hang below a row whose time is wrong.
// Where paging was broken, the page before was asked for again: its cursor has its chance,
// as long as each page goes further down.
func (f *Feed) stray(next edge, origin *edge, s span) edge {
	stuck := edge{above: origin.above, cursor: origin.back, back: origin.back, last: next.last, broken: true}
	switch {
	case s.news && !s.settled:
		f.addEdge(stuck)
		return next
	case !s.news && !origin.broken && compare(next.last, origin.last) <= 0:
		return stuck
	}
	next.above = origin.above
	return next
}

func (f *Feed) addEdge(e edge) {
	at, _ := slices.BinarySearchFunc(f.edges, e, func(a, b edge) int { return compare(a.above, b.above) })
	f.edges = slices.Insert(f.edges, at, e)
}

// revise replaces a known operation unless what came is older than what is known: by
// its own account, or, where that does not tell, because it was asked for earlier.
func (f *Feed) revise(e *entry, op models.Operation, asOf time.Time, c *Change) {
	was := e.op()
	switch {
	case op.UpdatedAt.IsZero() || was.UpdatedAt.IsZero() || op.UpdatedAt.Equal(was.UpdatedAt):
		if asOf.Before(e.asOf()) {
			return
		}
	case op.UpdatedAt.Before(was.UpdatedAt):
		op = *was
	}
	e.confirm(asOf)
	if was.Status.Done() && !op.Status.Done() {
		c.Anomalies |= AnomalyStatus
	}
	if op != *was {
		c.Changed = append(c.Changed, f.replace(e, op, asOf))
	}
}

func (f *Feed) replace(e *entry, op models.Operation, asOf time.Time) Revision {
	r := Revision{Before: e.op(), After: &op}
	f.tally(e, -1)
	e.hear(&op)
	e.confirm(asOf)
	f.tally(e, +1)
	return r
}

// tally counts an entry in or out by its status.
func (f *Feed) tally(e *entry, by int) {
	if !e.op().Gone {
		f.counts[e.op().Status] += by
	}
	if by > 0 && !e.op().Done() {
		f.active[e.op().ID] = e
	} else {
		delete(f.active, e.op().ID)
	}
}

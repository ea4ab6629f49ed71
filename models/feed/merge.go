package feed

import (
	"slices"
	"sort"
	"time"

	"pgtower/models"
)

const (
	plausibleSkew  = 24 * time.Hour // how far ahead of the service's clock a creation time may be
	plausibleYears = 30             // how many years before the service's clock it may be
)

// Merge adds a page. A page without a cursor belongs at the head, any other one below the edge with its cursor. If
// there is no such edge any more, the page only updates known rows: new ones could leave an unmarked hole.
func (f *Feed) Merge(p models.Page[models.Operation]) (c Change) {
	c.Anomalies = anomaliesOf(p)
	origin, ok := f.origin(p.Cursor)
	if !ok {
		for _, op := range p.Items {
			if e := f.byID[op.ID]; e != nil {
				f.revise(e, op, p.AsOf, &c)
			}
		}
		return f.changed(c, nil)
	}
	first := !f.loaded
	if p.Cursor == "" {
		f.loaded, f.retired = true, false
		if p.AsOf.After(f.head) {
			f.head = p.AsOf
		}
	}
	page, odd := f.place(p)
	s := f.measure(page, origin)
	fresh := f.take(p, page, &c)
	s.news = len(fresh) > 0
	if !s.onward && !s.news && !p.Last() {
		odd |= AnomalyCursor
	}
	c.Anomalies |= odd
	c.Gap = f.settle(p, origin, s)
	if !first {
		c.News = f.news(fresh)
	} else if len(f.edges) > 0 {
		f.start = f.edges[0].above
	}
	return f.changed(c, fresh)
}

// Update adds an operation that was read on its own (section 4.6). An unknown one is ignored, because its neighbours
// are unknown.
func (f *Feed) Update(op models.Operation, asOf time.Time) (c Change) {
	if e, ok := f.byID[op.ID]; ok {
		if op.Damage != "" {
			c.Anomalies = AnomalyRecord
		}
		f.revise(e, op, asOf, &c)
	}
	return f.changed(c, nil)
}

// news returns the number of new rows, from the first, that were not in the service's list when it was first read.
func (f *Feed) news(fresh rows) int {
	if f.start == nil {
		return len(fresh)
	}
	return sort.Search(len(fresh), func(i int) bool { return compare(fresh[i], f.start) > 0 })
}

// Vanish marks an operation as gone: the service no longer has it.
func (f *Feed) Vanish(id string, asOf time.Time) (c Change) {
	if e, ok := f.byID[id]; ok && !e.op().Gone && !asOf.Before(e.asOf()) {
		op := *e.op()
		op.Gone = true
		c.Changed = append(c.Changed, f.replace(e, op, asOf))
	}
	return f.changed(c, nil)
}

// Revive unmarks the operations that are gone: the project exists again, and they are requested again.
func (f *Feed) Revive() (c Change) {
	for _, e := range f.rows {
		if op := *e.op(); op.Gone {
			op.Gone = false
			e.asked.Store(&time.Time{})
			c.Changed = append(c.Changed, f.replace(e, op, time.Time{}))
		}
	}
	return f.changed(c, nil)
}

// SetRetired marks a project that the service no longer has. Its operations stay, but it counts neither for the
// frontier nor as the stalest project. A head page ends this.
func (f *Feed) SetRetired(retired bool) {
	if f.retired != retired {
		f.retired = retired
		f.changed(Change{}, nil)
	}
}

// changed passes a change and its new rows to the timeline.
func (f *Feed) changed(c Change, fresh rows) Change {
	if f.timeline != nil {
		f.timeline.changed(f, c, fresh)
	}
	return c
}

// origin returns the edge above a page with this cursor, or nil for the head.
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

// place returns the entries of a page, each at its creation time. If that is missing or impossible, the operation stays
// below the one before it, where the service listed it. A known operation keeps its row.
func (f *Feed) place(p models.Page[models.Operation]) (page rows, odd Anomaly) {
	latest, earliest := p.ServiceTime.Add(plausibleSkew), p.ServiceTime.AddDate(-plausibleYears, 0, 0)
	plausible := func(at time.Time) bool { return !at.IsZero() && !at.After(latest) && !at.Before(earliest) }
	created := func(op models.Operation) bool { return plausible(op.CreatedAt) }
	first := slices.IndexFunc(p.Items, created)
	if first < 0 { // that clock is more likely wrong or unknown
		plausible = func(at time.Time) bool { return !at.IsZero() }
		first = slices.IndexFunc(p.Items, created)
	}
	var beside time.Time
	if first >= 0 {
		beside = p.Items[first].CreatedAt
	}
	page = make([]*entry, len(p.Items))
	asOf := p.AsOf // all entries share it
	for i := range p.Items {
		op := &p.Items[i]
		at := op.CreatedAt
		if !plausible(at) {
			if !at.IsZero() {
				odd |= AnomalyTime
			}
			at = beside
		}
		if at.After(beside) {
			odd |= AnomalyOrder
		}
		beside = at
		page[i] = &entry{at: at, feed: f}
		page[i].current.Store(op)
		page[i].asked.Store(&asOf)
	}
	return page, odd
}

// span is the position of a page among the known rows.
type span struct {
	from   *entry // the first row in the page: the edge's row, or the newest operation of a head page
	last   *entry // the last row in the page: the oldest operation, or nil if the page is empty
	sorted bool
	onward bool // the page has an operation that belongs below the edge
	news   bool // the page has an unknown operation
	// settled reports whether the rows below last are known: last was known itself, or lies among known rows without a
	// gap.
	settled bool
}

// measure returns the position of a page before it is merged.
func (f *Feed) measure(page rows, origin *edge) span {
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

// take inserts unknown operations and updates known ones. It returns the new rows, newest first.
func (f *Feed) take(p models.Page[models.Operation], page rows, c *Change) (fresh rows) {
	for i, e := range page {
		if known := f.byID[e.op().ID]; known != nil {
			f.revise(known, p.Items[i], p.AsOf, c)
			continue
		}
		if f.forgot(e) {
			continue
		}
		op := *e.op() // copied, because any operation would keep the whole page in memory
		e.current.Store(&op)
		f.byID[op.ID] = e
		f.track(e)
		fresh = append(fresh, e)
	}
	slices.SortFunc(fresh, compare)
	f.rows = insert(f.rows, fresh)
	for _, e := range fresh {
		c.Added = append(c.Added, e.op())
	}
	// An operation listed twice was added, not changed.
	c.Changed = slices.DeleteFunc(c.Changed, func(r Revision) bool {
		_, added := slices.BinarySearchFunc(fresh, f.byID[r.After.ID], compare)
		return added
	})
	return fresh
}

// insert merges sorted entries into sorted rows. It moves each row at most once.
func insert(into, fresh rows) rows {
	end := len(into)
	into = append(into, fresh...)
	for k, e := range slices.Backward(fresh) {
		at := into[:end].search(e)
		copy(into[at+k+1:], into[at:end])
		into[at+k] = e
		end = at
	}
	return into
}

// settle updates the edges after a merge, and returns the gap that the page left, or nil.
func (f *Feed) settle(p models.Page[models.Operation], origin *edge, s span) *Gap {
	resumed := false // the page ends where paging had broken: its cursor leads on from there
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
	if s.last == nil || p.Last() && p.Damage == "" || f.forgot(s.last) {
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
	gap := next.gap()
	return &gap
}

// stray returns the edge below a page without an operation below its origin. Its cursor breaks the paging, but does not
// mean the end of history. New operations above the origin break nothing if they lie among known rows: the origin may
// be below a row with a wrong time. If paging was already broken, the previous page was requested again, and its cursor
// is followed as long as each page goes further down.
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

// revise replaces a known operation unless op is older by its update time or, if that does not decide, by the time of
// the request. An end that was read later is believed in any case: the clocks of the service's hosts differ.
func (f *Feed) revise(e *entry, op models.Operation, asOf time.Time, c *Change) {
	was := e.op()
	switch {
	case op.UpdatedAt.IsZero() || was.UpdatedAt.IsZero() || op.UpdatedAt.Equal(was.UpdatedAt):
		if asOf.Before(e.asOf()) {
			return
		}
	case op.UpdatedAt.Before(was.UpdatedAt):
		if was.Status.Done() || !op.Status.Done() || asOf.Before(e.asOf()) {
			op = *was
		}
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
	e.current.Store(&op)
	e.confirm(asOf)
	f.track(e)
	return r
}

// track keeps the set of unfinished operations up to date.
func (f *Feed) track(e *entry) {
	if id := e.op().ID; e.op().Done() {
		delete(f.active, id)
	} else {
		f.active[id] = e
	}
}

package feed

import (
	"cmp"
	"math"
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
	if !p.ServiceTime.IsZero() {
		f.skew = p.ServiceTime.Sub(p.AsOf)
	}
	first := !f.loaded
	if p.Cursor == "" {
		f.loaded, f.retired = true, false
		f.head = later(f.head, p.AsOf)
	}
	page, odd := f.place(p)
	if origin != nil {
		origin = f.closestOrigin(origin, page)
	}
	late := origin == nil && p.AsOf.Before(f.head)
	f.rank(page, origin, late)
	s := f.measure(page, origin)
	s.late = late
	fresh := f.mergeRows(p, page, &c)
	s.news = len(fresh) > 0
	repeated := origin != nil && origin.again
	if !repeated && (!s.onward && !s.news && !p.Last() || s.ledBack()) {
		odd |= anomalyCursor
	}
	c.Anomalies |= odd
	if last := f.lastOf(s); last != nil && s.sorted && s.onward && !p.Last() && odd == 0 {
		f.note(seam{last, p.Next, p.Cursor})
	}
	c.Gap = f.moveEdges(p, s)
	f.regain(p, s)
	f.weighMarks()
	if !first {
		c.News = c.Added[:f.news(fresh)]
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
			c.Anomalies = anomalyRecord
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

// changed passes a change, with its new rows, to what counts the operations.
func (f *Feed) changed(c Change, fresh rows) Change {
	if f.timeline != nil {
		f.timeline.changed(f, c, fresh)
	}
	if f.fleet != nil {
		f.fleet.change(f.project, c)
	}
	return c
}

// place returns the entries of a page: the known ones, and new ones at their creation time. If that is missing or
// impossible, the operation stays below the one before it, where the service listed it.
func (f *Feed) place(p models.Page[models.Operation]) (page rows, odd Anomaly) {
	latest, earliest := p.ServiceTime.Add(plausibleSkew), p.ServiceTime.AddDate(-plausibleYears, 0, 0)
	plausible := func(instant time.Time) bool {
		return !instant.IsZero() && !instant.After(latest) && !instant.Before(earliest)
	}
	created := func(op models.Operation) bool { return plausible(op.CreatedAt) }
	first := slices.IndexFunc(p.Items, created)
	if first < 0 { // that clock is more likely wrong or unknown
		plausible = func(instant time.Time) bool { return !instant.IsZero() }
		first = slices.IndexFunc(p.Items, created)
	}
	var beside time.Time
	if first >= 0 {
		beside = p.Items[first].CreatedAt
	}
	page = make(rows, len(p.Items))
	added := map[string]*entry{}
	asOf := p.AsOf // all entries share it
	for i := range p.Items {
		op := &p.Items[i]
		created := op.CreatedAt
		if !plausible(created) {
			if !created.IsZero() {
				odd |= anomalyTime
			}
			created = beside
		}
		if created.After(beside) {
			odd |= anomalyOrder
		}
		beside = created
		page[i] = cmp.Or(f.byID[op.ID], added[op.ID])
		if page[i] == nil {
			e := &entry{at: created, feed: f}
			e.current.Store(op)
			e.asked.Store(&asOf)
			page[i], added[op.ID] = e, e
		}
	}
	return page, odd
}

// rank orders the new entries of a page among those of the same time, as the service lists them. Others of that time,
// known or not yet, may be anywhere among them. Those of a late head page are older than the known ones.
func (f *Feed) rank(page rows, origin *edge, late bool) {
	var above *entry
	if origin != nil {
		above = origin.above
	}
	for i := 0; i < len(page); {
		first, n := page[i], 0
		for i+n < len(page) && page[i+n].at.Equal(first.at) && f.byID[page[i+n].op().ID] == nil {
			n++
		}
		if n == 0 {
			above = first
			i++
			continue
		}
		var below *entry
		if i+n < len(page) {
			below = page[i+n]
		}
		high, step := f.room(first, above, below, n, late)
		for j, e := range page[i : i+n] {
			e.rank = high - step*float64(j+1)
		}
		i += n
		above = page[i-1]
	}
}

// room returns where n new entries belong that a page lists together: their ranks are high minus a multiple of step.
// above and below are their neighbors on the page, or nil.
func (f *Feed) room(first, above, below *entry, n int, late bool) (high, step float64) {
	switch {
	case above.isAt(first.at):
		line := f.search(above)
		if f.ofTime(line, first.at) == above {
			line++
		}
		below = f.ofTime(line, first.at)
	case below.isAt(first.at):
		above = f.ofTime(f.search(below)-1, first.at)
	case late:
		first.rank = math.Inf(-1)
		above, below = f.ofTime(f.search(first)-1, first.at), nil
	default:
		first.rank = math.Inf(1)
		above, below = nil, f.ofTime(f.search(first), first.at)
	}
	switch {
	case above != nil && below != nil:
		return above.rank, (above.rank - below.rank) / float64(n+1)
	case above != nil:
		return above.rank, 1
	case below != nil:
		return below.rank + float64(n+1), 1
	}
	return float64(n + 1), 1
}

// mergeRows inserts unknown operations and updates known ones. It returns the new rows, newest first.
func (f *Feed) mergeRows(p models.Page[models.Operation], page rows, c *Change) (fresh rows) {
	for i, e := range page {
		row := f.byID[e.op().ID]
		if row != nil {
			f.revise(row, p.Items[i], p.AsOf, c)
			continue
		}
		if f.forgotten.has(e) {
			continue
		}
		op := *e.op() // copied, because any operation would keep the whole page in memory
		e.current.Store(&op)
		f.byID[op.ID] = e
		f.track(e)
		f.weigh(1, weight(&op))
		fresh = append(fresh, e)
	}
	slices.SortFunc(fresh, compare)
	f.rows = insert(f.rows, fresh)
	for _, e := range fresh {
		c.Added = append(c.Added, e.op())
	}
	// An operation listed twice was added, not changed.
	c.Changed = slices.DeleteFunc(c.Changed, func(r Revision) bool { return fresh.has(f.byID[r.After.ID]) })
	return fresh
}

// revise replaces a known operation unless op is older.
func (f *Feed) revise(e *entry, op models.Operation, asOf time.Time, c *Change) {
	old := e.op()
	const blur = 2 * time.Second // the second of the update, and a difference between clocks
	over := asOf.Add(f.skew).After(op.UpdatedAt.Add(blur))
	if supersedes(&op, old, !asOf.Before(e.asOf()), over) {
		if old.Status.Final() && !op.Status.Done() {
			c.Anomalies |= anomalyStatus
		}
		if op != *old {
			c.Changed = append(c.Changed, f.replace(e, op, asOf))
			return
		}
	}
	e.confirm(asOf)
	if old.Status.Failed() {
		f.track(e)
	}
}

// supersedes reports whether op is a newer version of an operation than old, by its update time. If both are of one second,
// and that was not over, the one with more failures is newer, and then the one that has ended. If that does not decide, the
// one that was requested later is newer.
func supersedes(op, old *models.Operation, later, over bool) bool {
	switch {
	case op.UpdatedAt.IsZero() || old.UpdatedAt.IsZero():
		return later
	case op.UpdatedAt.Before(old.UpdatedAt):
		// An end that was read later is believed: the clocks of the service's hosts differ.
		worse := op.FailuresCount > old.FailuresCount || old.FailuresCount == 0
		ended := op.Status.Final() || op.Status.Failed() && worse
		return later && ended && !old.Status.Done()
	case op.UpdatedAt.After(old.UpdatedAt):
		return true
	case over:
		return later
	case op.FailuresCount != old.FailuresCount:
		return op.FailuresCount > old.FailuresCount
	case op.Status.Final() != old.Status.Final():
		return op.Status.Final()
	}
	return later
}

func (f *Feed) replace(e *entry, op models.Operation, asOf time.Time) Revision {
	r := Revision{Before: e.op(), After: &op}
	f.weigh(0, weight(&op)-weight(r.Before))
	e.current.Store(&op)
	e.confirm(asOf)
	f.track(e)
	return r
}

// track keeps the sets of unfinished and failed operations up to date.
func (f *Feed) track(e *entry) {
	op := e.op()
	set(f.active, e, !op.Done())
	if read := e.asOf().Add(f.skew); op.MayRetry(read) {
		f.failed.set(e, retryAfter(op, read))
	} else {
		f.failed.remove(op.ID)
	}
}

func set(entries map[string]*entry, e *entry, has bool) {
	if id := e.op().ID; has {
		entries[id] = e
	} else {
		delete(entries, id)
	}
}

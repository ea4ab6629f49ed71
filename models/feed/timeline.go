package feed

import (
	"iter"
	"slices"
	"time"

	"pgtower/models"
)

// Timeline merges the operations of several projects into one list, newest first.
//
// Feeds reach back to different times: a hundred operations are an hour of one project and a year of another. Below the
// end of one feed, the rows of the others continue, and nothing would show what is missing between them. So there is a
// frontier: the newest row at which a feed with older pages stops. Rows below it are loaded and counted, but hidden
// until the older pages have arrived. A project that was never read holds nothing back: with thousands of projects the
// first cycle takes minutes, and [Timeline.Read] returns its progress.
//
// Older pages move the frontier down. The first page of a project may move it up and hide rows again; otherwise the
// rows shown would depend on the order of responses. But rows on the screen must not disappear: [Timeline.Hold] keeps
// the rows down to there, and each feed that stops above them is reported as a gap.
//
// A feed is in one timeline at a time, the last one that added it. That one follows every change of the feed.
type Timeline struct {
	members map[string]*member
	rows    // of all feeds; the first ones are shown
	shown   int
	shared  bool                // rows are read elsewhere: they are copied before they change
	dropped *entry              // the newest row that is to be removed, or nil
	held    *entry              // rows down to here are shown whatever the frontier
	late    map[*entry]struct{} // see [Timeline.Since]

	open    ranking // projects with older pages, the one that stops at the newest row first
	polled  ranking // projects that were read, the stalest first
	gapped  map[*member]struct{}
	retired map[*member]struct{}

	statuses map[models.Status]int
	kinds    kinds
	failed   map[int64]int // how many failed, by the number of the [failedUnit] in which they began

	ended      endings
	unfinished int
	untimed    int // see [Timeline.Untimed]
	changes    int // see [Timeline.Changes]
	censuses   []*Census
}

// NewTimeline merges feeds, one of each project. They may contain operations already.
func NewTimeline(feeds ...*Feed) *Timeline {
	t := &Timeline{
		members:  make(map[string]*member, len(feeds)),
		open:     ranking{compare: byFront, filling: true},
		polled:   ranking{compare: byAge, filling: true},
		late:     map[*entry]struct{}{},
		gapped:   map[*member]struct{}{},
		retired:  map[*member]struct{}{},
		statuses: map[models.Status]int{},
		kinds:    kinds{},
		failed:   map[int64]int{},
		ended:    endings{minutes: map[int64]*minute{}},
	}
	runs := make([]rows, 0, len(feeds))
	for _, f := range feeds {
		t.join(f)
		runs = append(runs, f.rows)
	}
	t.open.filled()
	t.polled.filled()
	t.rows = mergeRuns(runs)
	t.reveal()
	return t
}

// Add adds the feed of a project, unless the project has one already.
func (t *Timeline) Add(f *Feed) {
	if !t.Has(f.project) {
		t.join(f)
		t.insert(f.rows)
		t.reveal()
	}
}

// join makes a feed a member and counts its operations.
func (t *Timeline) join(f *Feed) {
	m := &member{feed: f}
	t.members[f.project], f.timeline = m, t
	for _, e := range f.rows {
		t.came(e, e.op())
	}
	t.rank(m)
}

// changed applies a change of a feed, with the new rows.
func (t *Timeline) changed(f *Feed, c Change, fresh rows) {
	t.insert(fresh)
	for _, op := range c.Added {
		t.came(f.byID[op.ID], op)
	}
	t.recount(f, c)
	t.rank(t.members[f.project])
	t.reveal()
}

// forget takes rows that a feed dropped out of all but the timeline's own rows: see [Timeline.compact].
func (t *Timeline) forget(f *Feed, dropped rows) {
	t.ended.forget(dropped)
	for _, e := range dropped {
		delete(t.late, e)
		t.count(e.op(), -1)
		for _, c := range t.censuses {
			c.follow(e, e.op(), -1)
		}
	}
	if t.dropped == nil || compare(dropped[0], t.dropped) < 0 {
		t.dropped = dropped[0]
	}
	if t.held != nil && t.held.dropped {
		t.held = nil
	}
	t.rank(t.members[f.project])
}

// compact removes the rows that feeds dropped, of all of them at once.
func (t *Timeline) compact() {
	if t.dropped == nil {
		return
	}
	t.rows, t.shared, t.dropped = t.without(t.dropped), false, nil
	t.reveal()
}

// Len returns the number of rows that may be shown.
func (t *Timeline) Len() int { return t.shown }

// Loaded returns the number of loaded operations, shown or hidden.
func (t *Timeline) Loaded() int { return len(t.rows) }

// Rows are the operations that a timeline had loaded at some time, newest first, including those that wait for older
// pages of other projects. Any goroutine may read them while the timeline changes; operations are returned in their
// current version.
type Rows struct{ rows }

// Rows returns the current rows in constant time.
func (t *Timeline) Rows() Rows {
	t.shared = true
	return Rows{t.rows}
}

// All returns the operations with their projects, newest first.
func (r Rows) All() iter.Seq2[string, *models.Operation] { return r.operations() }

// Since returns the rows that began at a time or later, and those of the older ones that are unfinished, or were while they
// were in the timeline: an operation that ends is not lost.
func (t *Timeline) Since(since time.Time) Rows {
	t.shared = true
	n := t.notBefore(since, 0)
	var older rows
	for e := range t.late {
		switch {
		case e.at.Before(since):
			older = append(older, e)
		case e.op().Done():
			delete(t.late, e)
		}
	}
	slices.SortFunc(older, compare)
	return Rows{append(t.rows[:n:n], older...)}
}

// insert adds sorted rows. Rows that are read elsewhere are copied.
func (t *Timeline) insert(fresh rows) {
	if t.shared && len(fresh) > 0 {
		t.rows = append(make(rows, 0, len(t.rows)+len(fresh)), t.rows...)
		t.shared = false
	}
	t.rows = insert(t.rows, fresh)
}

// Find returns the row of an operation, if it is shown.
func (t *Timeline) Find(project, id string) (row int, ok bool) {
	m := t.members[project]
	if m == nil || m.feed.byID[id] == nil {
		return 0, false
	}
	row = t.search(m.feed.byID[id])
	return row, row < t.shown
}

// Has reports whether the project is in the timeline.
func (t *Timeline) Has(project string) bool { return t.members[project] != nil }

// rank moves a member to its new position after its feed has changed.
func (t *Timeline) rank(m *member) {
	var front *entry
	read, gaps := m.feed.loaded && !m.feed.retired, false
	if read {
		if e := m.feed.end(); e != nil && !e.broken {
			front = e.above
		}
		gaps = len(m.feed.edges) > 1 || len(m.feed.edges) == 1 && front == nil || m.feed.lost != nil
	}
	if front != m.front {
		if m.front != nil {
			t.open.remove(m)
		}
		m.front = front
		if front != nil {
			t.open.insert(m)
		}
	}
	if asOf := m.feed.current(); read != m.read || !m.asOf.Equal(asOf) {
		if m.read {
			t.polled.remove(m)
		}
		m.read, m.asOf = read, asOf
		if read {
			t.polled.insert(m)
		}
	}
	mark(t.gapped, m, gaps)
	mark(t.retired, m, m.feed.retired)
}

// reveal decides how many rows are shown: down to the frontier, or to the held row.
func (t *Timeline) reveal() {
	t.shown = len(t.rows)
	if t.HasOlder() {
		t.shown = t.search(t.open.items[0].front) + 1
		if t.held != nil {
			t.shown = max(t.shown, t.search(t.held)+1)
		}
	}
}

// HasOlder reports whether older operations can be requested.
func (t *Timeline) HasOlder() bool { return len(t.open.items) > 0 }

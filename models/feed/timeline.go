package feed

import (
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Timeline is the operations of several projects as one feed, newest first.
//
// Feeds reach back differently far: a hundred operations are an hour of one project
// and a year of another. Where the history of one feed stops, the rows of the others
// go on, and what is missing between them is not to be seen. So there is a frontier:
// the newest of the places at which a feed stops that has older pages still to come.
// Rows below it are loaded and counted, but wait until the older pages have come
// (see [Timeline.Older]). A project that was never read holds nothing back: with
// thousands of projects the first round takes minutes, and [Timeline.Read] tells how
// far it is.
//
// Older pages move the frontier down. A project that is read for the first time may
// move it up, and rows that were shown wait again; otherwise what is shown would
// depend on which project happened to answer first. What a person is looking at must
// not go away, though: [Timeline.Hold] keeps the rows down to there, and each feed
// that stops above is then reported as a gap, so nothing is missing unmarked.
//
// From [NewTimeline] or [Timeline.Add] on, a feed is changed through its timeline
// only. Feeds outlive it: another timeline may be made of them at any time, which
// takes the place of the first.
type Timeline struct {
	members map[string]*member
	rows    []*entry // of all feeds, newest first; the first ones are shown
	shown   int
	shared  bool   // rows are read elsewhere: they are copied before they change
	held    *entry // rows down to here are shown whatever the frontier

	open    ranking // projects with older pages, the one that stops at the newest row first
	polled  ranking // projects that were read, the one asked longest ago first
	gapped  map[*member]struct{}
	retired int // members of which nothing more is asked

	statuses map[models.Status]int
	actions  map[models.Action]*ActionStats

	minutes    map[int64]*minute // those in which operations ended
	latest     int64             // none is later
	unfinished int
}

// ProjectFeed is a feed and the id of the project whose operations it has.
type ProjectFeed struct {
	Project string
	Feed    *Feed
}

// member is a project's feed, with what it was ranked by: the rankings find it by
// these, so they change only in [Timeline.rank].
type member struct {
	ProjectFeed

	front   *entry // the row at which the feed stops, nil where it has ended
	asOf    time.Time
	read    bool
	retired bool
}

// NewTimeline merges feeds, which may hold operations already. Of several feeds of
// one project the first counts.
func NewTimeline(feeds ...ProjectFeed) *Timeline {
	t := &Timeline{
		members:  make(map[string]*member, len(feeds)),
		open:     ranking{compare: func(a, b *member) int { return compare(a.front, b.front) }},
		polled:   ranking{compare: compareAge},
		gapped:   map[*member]struct{}{},
		statuses: map[models.Status]int{},
		actions:  map[models.Action]*ActionStats{},
		minutes:  map[int64]*minute{},
	}
	t.open.fill()
	t.polled.fill()
	var runs [][]*entry
	for _, pf := range feeds {
		if t.join(pf) {
			runs = append(runs, pf.Feed.rows)
		}
	}
	t.open.filled()
	t.polled.filled()
	t.rows = mergeRuns(runs)
	t.reveal()
	return t
}

// Add takes in a project that was not there from the start, or that was retired. One that
// is there already is left as it is.
func (t *Timeline) Add(project string, feed *Feed) {
	if t.join(ProjectFeed{project, feed}) {
		t.insert(feed.rows)
		t.reveal()
	} else if m := t.members[project]; m.retired {
		m.retired = false
		t.retired--
		t.rank(m)
		t.reveal()
	}
}

// join makes a feed a member and counts its operations.
func (t *Timeline) join(pf ProjectFeed) bool {
	if _, ok := t.members[pf.Project]; ok {
		return false
	}
	m := &member{ProjectFeed: pf}
	t.members[pf.Project] = m
	if pf.Feed.project != pf.Project { // who reads [Rows] may be reading it
		pf.Feed.project = pf.Project
	}
	for _, e := range pf.Feed.rows {
		t.tally(e.op(), +1)
	}
	t.rank(m)
	return true
}

// Merge takes in a page of a project's operations (see [Feed.Merge]). Pages of a
// project that was not added are ignored: they were asked for in another scope.
func (t *Timeline) Merge(project string, p models.OperationPage) Change {
	m, ok := t.members[project]
	if !ok {
		return Change{}
	}
	c, fresh := m.Feed.merge(p)
	t.insert(fresh)
	for _, e := range fresh {
		t.tally(e.op(), +1)
	}
	t.recount(c)
	if m.retired && p.Cursor == "" {
		m.retired = false
		t.retired--
	}
	t.rank(m)
	t.reveal()
	return c
}

// Update takes in an operation that was read on its own (see [Feed.Update]).
func (t *Timeline) Update(project string, op models.Operation, asOf time.Time) Change {
	m, ok := t.members[project]
	if !ok {
		return Change{}
	}
	c := m.Feed.Update(op, asOf)
	t.recount(c)
	return c
}

// Vanish marks an operation that the service no longer knows (see [Feed.Vanish]).
func (t *Timeline) Vanish(project, id string, asOf time.Time) Change {
	m, ok := t.members[project]
	if !ok {
		return Change{}
	}
	c := m.Feed.Vanish(id, asOf)
	t.recount(c)
	return c
}

// Revive takes back that operations of a project are gone (see [Feed.Revive]).
func (t *Timeline) Revive(project string) Change {
	m, ok := t.members[project]
	if !ok {
		return Change{}
	}
	c := m.Feed.Revive()
	t.recount(c)
	return c
}

// Retire is for a project that the service no longer has: its operations stay, but
// nothing more is to be asked of it, so that it neither holds the frontier up for
// ever nor stays the one that was asked longest ago. A head page brings it back.
func (t *Timeline) Retire(project string) {
	if m, ok := t.members[project]; ok && !m.retired {
		m.retired = true
		t.retired++
		t.rank(m)
		t.reveal()
	}
}

// Len is the number of rows that may be shown.
func (t *Timeline) Len() int { return t.shown }

// Loaded is the number of operations that are loaded, shown or waiting.
func (t *Timeline) Loaded() int { return len(t.rows) }

// At returns the operation at row i, 0 being the newest.
func (t *Timeline) At(i int) *models.Operation { return t.rows[i].op() }

// ProjectAt returns the project whose feed row i came from. The operation's own
// field may say something else, or nothing, if its record is damaged.
func (t *Timeline) ProjectAt(i int) string { return t.rows[i].feed.project }

// Rows are the operations that a timeline had loaded at some time, newest first, also
// those that wait for older pages of other projects. They may be read from any goroutine
// while the timeline goes on; of an operation that has changed since, the newest is read.
type Rows struct{ entries []*entry }

// Rows returns the rows as they are now, at a cost that does not grow with them.
func (t *Timeline) Rows() Rows {
	t.shared = true
	return Rows{t.rows}
}

// AsOf is when the request was made that the operation at row i was last heard of by.
func (r Rows) AsOf(i int) time.Time { return r.entries[i].asOf() }

// Len is the number of rows.
func (r Rows) Len() int { return len(r.entries) }

// At returns the operation at row i, 0 being the newest.
func (r Rows) At(i int) *models.Operation { return r.entries[i].op() }

// ProjectAt returns the project whose feed row i came from.
func (r Rows) ProjectAt(i int) string { return r.entries[i].feed.project }

// insert takes in sorted rows. Rows that somebody else still reads stay as they are.
func (t *Timeline) insert(fresh []*entry) {
	if t.shared && len(fresh) > 0 {
		t.rows = append(make([]*entry, 0, len(t.rows)+len(fresh)), t.rows...)
		t.shared = false
	}
	t.rows = insert(t.rows, fresh)
}

// Find returns the row of an operation, if it is shown.
func (t *Timeline) Find(project, id string) (row int, ok bool) {
	m, ok := t.members[project]
	if !ok {
		return 0, false
	}
	e, ok := m.Feed.byID[id]
	if !ok {
		return 0, false
	}
	if row = t.search(e); row >= t.shown {
		return 0, false
	}
	return row, true
}

// search returns the row where e is.
func (t *Timeline) search(e *entry) int {
	i, _ := slices.BinarySearchFunc(t.rows, e, compare)
	return i
}

func compareAge(a, b *member) int {
	if c := a.asOf.Compare(b.asOf); c != 0 {
		return c
	}
	return strings.Compare(a.Project, b.Project)
}

// mergeRuns merges sorted rows pairwise, several times faster than sorting anew.
func mergeRuns(runs [][]*entry) []*entry {
	switch len(runs) {
	case 0:
		return nil
	case 1:
		return slices.Clone(runs[0])
	}
	a, b := mergeRuns(runs[:len(runs)/2]), mergeRuns(runs[len(runs)/2:])
	out := make([]*entry, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if compare(a[0], b[0]) < 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

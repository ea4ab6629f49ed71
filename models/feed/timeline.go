package feed

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Timeline is the operations of several projects as one list, newest first.
//
// Feeds reach back differently far: a hundred operations are an hour of one project and a year of another. Where the
// history of one feed stops, the rows of the others go on, and nothing shows what is missing between them. So there
// is a frontier: the newest row at which a feed stops that has older pages. Rows below it are loaded and counted, but
// wait until the older pages have come. A project that was never read holds nothing back: with thousands of projects
// the first round takes minutes, and [Timeline.Read] returns how far it is.
//
// Older pages move the frontier down. A project that is read for the first time may move it up, and rows that were
// shown wait again; otherwise what is shown would depend on which project answered first. But what a user looks at
// must not go away: [Timeline.Hold] keeps the rows down to there, and each feed that stops above them is then
// reported as a gap.
//
// A feed is in one timeline at a time, the last one that took it in. That one follows every change of the feed.
type Timeline struct {
	members map[string]*member
	rows    // of all feeds; the first ones are shown
	shown   int
	shared  bool   // rows are read elsewhere: they are copied before they change
	held    *entry // rows down to here are shown whatever the frontier

	open    ranking // projects with older pages, the one that stops at the newest row first
	polled  ranking // projects that were read, the one asked longest ago first
	gapped  map[*member]struct{}
	retired map[*member]struct{}

	statuses map[models.Status]int
	actions  actionStats

	minutes    map[int64]*minute // those in which operations ended
	latest     int64             // the last of them
	unfinished int
}

// member is a feed, with what it was ranked by. The rankings find it by these values, so they change only in
// [Timeline.rank].
type member struct {
	*Feed

	front *entry // the row at which the feed stops, nil where it has ended
	asOf  time.Time
	read  bool
}

// NewTimeline merges feeds, one of each project. They may hold operations already.
func NewTimeline(feeds ...*Feed) *Timeline {
	t := &Timeline{
		members: make(map[string]*member, len(feeds)),
		open:    ranking{compare: func(a, b *member) int { return compare(a.front, b.front) }, filling: true},
		polled: ranking{compare: func(a, b *member) int {
			return cmp.Or(a.asOf.Compare(b.asOf), strings.Compare(a.project, b.project))
		}, filling: true},
		gapped:   map[*member]struct{}{},
		retired:  map[*member]struct{}{},
		statuses: map[models.Status]int{},
		actions:  actionStats{},
		minutes:  map[int64]*minute{},
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

// Add takes in the feed of a project. If the project has a feed already, that one stays.
func (t *Timeline) Add(f *Feed) {
	if !t.Has(f.project) {
		t.join(f)
		t.insert(f.rows)
		t.reveal()
	}
}

// join makes a feed a member and counts its operations.
func (t *Timeline) join(f *Feed) {
	m := &member{Feed: f}
	t.members[f.project], f.timeline = m, t
	for _, e := range f.rows {
		t.tally(e.op(), +1)
	}
	t.rank(m)
}

// changed takes in what changed in a feed, with the rows that are new.
func (t *Timeline) changed(f *Feed, c Change, fresh rows) {
	t.insert(fresh)
	for _, op := range c.Added {
		t.tally(op, +1)
	}
	t.recount(c)
	t.rank(t.members[f.project])
	t.reveal()
}

// forget drops rows of a feed.
func (t *Timeline) forget(f *Feed, dropped map[*entry]bool) {
	for e := range dropped {
		t.tally(e.op(), -1)
	}
	t.rows, t.shared = t.without(dropped), false
	if dropped[t.held] {
		t.held = nil
	}
	t.rank(t.members[f.project])
	t.reveal()
}

// Len is the number of rows that may be shown.
func (t *Timeline) Len() int { return t.shown }

// Loaded is the number of operations that are loaded, shown or waiting.
func (t *Timeline) Loaded() int { return len(t.rows) }

// Rows are the operations that a timeline had loaded at some time, newest first, including those that wait for older
// pages of other projects. They may be read from any goroutine while the timeline goes on; an operation that has
// changed since is read as it is now.
type Rows struct{ rows }

// Rows returns the rows as they are now, at a cost that does not grow with them.
func (t *Timeline) Rows() Rows {
	t.shared = true
	return Rows{t.rows}
}

// insert takes in sorted rows. Rows that are read elsewhere stay as they are.
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
	if m == nil || m.byID[id] == nil {
		return 0, false
	}
	row = t.search(m.byID[id])
	return row, row < t.shown
}

// mergeRuns merges sorted rows pairwise, several times faster than sorting anew.
func mergeRuns(runs []rows) rows {
	switch len(runs) {
	case 0:
		return nil
	case 1:
		return slices.Clone(runs[0])
	}
	a, b := mergeRuns(runs[:len(runs)/2]), mergeRuns(runs[len(runs)/2:])
	out := make(rows, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if compare(a[0], b[0]) < 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

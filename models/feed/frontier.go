package feed

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"time"
)

// ProjectGap is a position among the shown rows where operations of a project are missing.
type ProjectGap struct {
	Gap

	Project string
	Row     int // above the gap
}

// Hold keeps the rows down to row i shown, instead of those kept before. Call it with the last row on the screen when
// the user has moved away from the top. A negative row keeps none.
func (t *Timeline) Hold(i int) {
	t.held = nil
	if last := min(i, t.shown-1); last >= 0 {
		t.held = t.rows[last]
	}
	t.reveal()
}

// Complete returns how many of the newest loaded operations have no gap between them, of the projects that were read.
func (t *Timeline) Complete() int {
	e := t.stop()
	if e == nil {
		return len(t.rows)
	}
	n := t.search(e)
	if n < len(t.rows) && t.rows[n] == e {
		n++
	}
	return n
}

// completeSince returns the number of projects that were read and lack nothing after a time.
func (t *Timeline) completeSince(since time.Time) int {
	open := t.open.items
	n := t.Read() - sort.Search(len(open), func(i int) bool { return !open[i].front.at.After(since) })
	for m := range t.gapped {
		counted := m.front != nil && m.front.at.After(since)
		if !counted && m.feed.CompleteSince().After(since) {
			n--
		}
	}
	return n
}

// stop returns the newest row below which operations of its project are missing, or nil.
func (t *Timeline) stop() (first *entry) {
	if len(t.open.items) > 0 {
		first = t.open.items[0].front
	}
	for m := range t.gapped {
		if e := m.feed.stop(); first == nil || compare(e, first) < 0 {
			first = e
		}
	}
	return first
}

// missing returns the feeds with pages missing after a time: those with gaps, and then those that limit [Span].Since, newest
// first. A feed may be in both.
func (t *Timeline) missing(since time.Time) iter.Seq[*Feed] {
	return func(yield func(*Feed) bool) {
		for m := range t.gapped {
			if !yield(m.feed) {
				return
			}
		}
		for _, m := range t.open.items {
			if !m.front.at.After(since) || !yield(m.feed) {
				return
			}
		}
	}
}

// Broken returns the number of projects whose history stops because the service's paging broke, and the one of them
// that stops at the newest row. Older operations may exist.
func (t *Timeline) Broken() (n int, project string) {
	var first *entry
	for m := range t.gapped {
		if e := m.feed.end(); e != nil && e.broken {
			n++
			if first == nil || compare(e.above, first) < 0 {
				first, project = e.above, m.feed.project
			}
		}
	}
	return n, project
}

// freshSince returns the number of projects read after a time.
func (t *Timeline) freshSince(since time.Time) int {
	members := t.polled.items
	return len(members) - sort.Search(len(members), func(i int) bool { return members[i].asOf.After(since) })
}

// Ended reports whether the whole history of all projects that were read is loaded.
func (t *Timeline) Ended() bool {
	broken, _ := t.Broken()
	return t.Read() > 0 && !t.HasOlder() && broken == 0 && !t.lost()
}

// lost reports whether operations were given back that no cursor leads to.
func (t *Timeline) lost() bool {
	for m := range t.gapped {
		if m.feed.lost != nil {
			return true
		}
	}
	return false
}

// Read returns the number of projects with a head page, without deleted ones.
func (t *Timeline) Read() int { return len(t.polled.items) }

// Gaps returns the gaps to name among the shown rows, newest first. A gap that is being joined is named once it is older than
// a current project may be.
func (p *Poller) Gaps(now time.Time) []*ProjectGap {
	return p.timeline.gaps(func(e *edge) bool { return e.broken || e.isOld(now, p.options.Bound()) })
}

// gaps returns the gaps among the shown rows that pass, newest first.
func (t *Timeline) gaps(pass func(*edge) bool) []*ProjectGap {
	var out []*ProjectGap
	for m := range t.gapped {
		for _, e := range m.feed.edges {
			if m.feed.isLast(e.above) && !e.broken || !pass(&e) {
				continue // see below
			}
			if row := t.search(e.above); row < t.shown {
				out = append(out, &ProjectGap{e.gap(), m.feed.project, row})
			}
		}
	}
	// If rows are held, feeds may stop above the last one.
	for _, m := range t.open.items {
		row := t.search(m.front)
		if row >= t.shown-1 {
			break
		}
		out = append(out, &ProjectGap{m.feed.end().gap(), m.feed.project, row})
	}
	slices.SortFunc(out, func(a, b *ProjectGap) int { return cmp.Compare(a.Row, b.Row) })
	return out
}

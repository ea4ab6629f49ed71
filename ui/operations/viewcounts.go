package operations

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// viewCounts counts the operations of the range that each view has. The counts go on with what an answer changes. All operations
// are counted again only where something else decides which view they are in: a filter, a name, what is slow, the time.
type viewCounts struct {
	list    *list
	views   *views
	shown   *viewCensus    // or nil
	next    *viewCensus    // takes the place of shown when it is whole; or nil
	counts  map[string]int // of shown when it was whole last, by the name of the view
	reading bool           // the next part is asked for
	rested  time.Time      // until when another one waits
	timer   page.Timer
	atOnce  int // how many tests there are in a row: keys are answered in between
}

// viewSource is what a census of the views is of. viewFacts are numbers that change with what else decides what a view has.
type viewSource struct {
	timeline *feed.Timeline
	ranged   bool // since when operations count is known: before, all do
	filters  string
}

type viewFacts struct {
	lists, limits, names int
	second               int64 // where the time decides, see [query.Query.Moves]
}

// viewCensus is a census of the views. Operations that are done are tested with what was known when it began; those that are not,
// with what is known now.
type viewCensus struct {
	*feed.Census

	of    viewSource
	by    viewFacts
	names []string // of the views
	tests []feed.Match
	list  *list
	row   *row // that is tested
	facts *query.Facts
	began time.Time // as shown
	now   time.Time // as shown
	took  time.Duration
}

// refresh brings the counts up to date.
func (v *viewCounts) refresh() tea.Cmd {
	present := v.list.censusOf(v.views.every())
	if v.shown != nil && v.shown.of != present.of {
		v.shown.Close()
		v.shown, v.counts = nil, nil
	}
	if v.next != nil && v.next.of != present.of {
		v.next.Close()
		v.next = nil
	}
	if present.of.timeline.Read() == 0 {
		return nil
	}
	upToDate := v.next != nil || v.shown != nil && v.shown.by == present.by
	rest := v.rested.Sub(v.list.session.Now())
	switch {
	case upToDate:
	case v.shown != nil && rest > 0:
		again := v.timer.Set(v.list.session, page.Operations, min(rest, maxRest), page.Step(v.refresh))
		return tea.Batch(v.read(), again)
	default:
		v.next = present
		present.Census = present.of.timeline.NewCensus(v.list.rows.from, present.tests)
	}
	return v.read()
}

// read reads on, and shows the counts that are whole.
func (v *viewCounts) read() tea.Cmd {
	whole := true
	for _, c := range []*viewCensus{v.shown, v.next} {
		whole = (c == nil || c.read(v.atOnce)) && whole
	}
	if v.next != nil && v.next.Whole() {
		if v.shown != nil {
			v.shown.Close()
		}
		v.shown, v.next = v.next, nil
		v.rested = v.list.session.Now().Add(factRest * v.shown.took)
	}
	if v.shown != nil && v.shown.Whole() {
		v.counts = v.shown.counts()
	}
	if whole || v.reading {
		return nil
	}
	v.reading = true
	return v.list.session.DoQuietly(page.Operations, func(context.Context) tea.Msg { return page.Step(v.readOn) })
}

func (v *viewCounts) readOn() tea.Cmd {
	v.reading = false
	return v.read()
}

// censusOf returns a census of views, which is not open yet. It has no view whose operations are not the loaded ones.
func (l *list) censusOf(views []query.SavedView) *viewCensus {
	c := &viewCensus{
		list: l, row: newRow(l.rows.facts, "", nil), facts: l.rows.facts, began: l.session.Times.In(l.live.shownAt()),
		of: viewSource{timeline: l.live.timeline(), ranged: l.rows.ranged}, by: viewFacts{lists: l.scope.lists, limits: l.live.fleet.Limited()},
	}
	for _, view := range views {
		q, ok := l.queryOf(view)
		if !ok {
			continue
		}
		if q.Moves() {
			c.by.second = c.began.Unix()
		}
		if q.Uses("branch") || q.Uses("endpoint") || q.Searches() {
			c.by.names = l.live.names.Changes()
		}
		c.of.filters += view.Name + "\n" + view.Filter + "\n" + view.Project + "\n"
		c.names = append(c.names, view.Name)
		c.tests = append(c.tests, c.test(q, view))
	}
	return c
}

// queryOf returns the filter of a view. It is not ok if the view's operations are not the loaded ones.
func (l *list) queryOf(view query.SavedView) (q query.Query[*row], ok bool) {
	q, wrong := query.Parse(view.Filter, fields(l.live.timeline))
	switch s := l.scope; {
	case wrong != nil, view.Project == query.AllProjects && !s.all():
		return q, false
	default:
		return q, s.all() || view.Of(s.project.ID)
	}
}

// test returns the test whether an operation is in a view.
func (c *viewCensus) test(q query.Query[*row], view query.SavedView) feed.Match {
	all := view.Of(c.list.scope.project.ID)
	return func(project string, op *models.Operation, asOf time.Time) bool {
		if !all && project != view.Project {
			return false
		}
		c.row.Op, c.row.Project, c.row.AsOf = op, project, asOf
		now := c.began
		c.row.Facts = c.facts
		if !op.Done() {
			c.row.Facts, now = c.list.rows.facts, c.now
		}
		return q.Match(c.row, now)
	}
}

// read counts more operations, with at most so many tests, and reports whether all are counted.
func (c *viewCensus) read(tests int) (whole bool) {
	clock := c.list.session.Now
	begun := clock()
	c.now = c.list.session.Times.In(c.list.live.shownAt())
	if c.list.rows.from.Before(c.Since()) {
		c.Widen(c.list.rows.from)
	}
	whole = c.Read(tests / max(1, len(c.tests)))
	c.took += clock().Sub(begun)
	return whole
}

// counts returns the counts of the views by their names.
func (c *viewCensus) counts() map[string]int {
	counts := make(map[string]int, len(c.names))
	for i, n := range c.Counts() {
		counts[c.names[i]] = n
	}
	return counts
}

package operations

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
	"pgtower/ui/timeline"
)

// timelineView draws the feed over time, in place of the rows, with the operations and the selection of the list.
type timelineView struct {
	session *page.Session
	scope   *scope
	live    *live
	list    *list
	older   func() // loads older operations

	open     bool // the timeline is shown instead of the rows
	by       string
	port     viewport
	kept     []timeline.Form // the lanes as last drawn, which keep their places and forms; nil to arrange them anew
	made                     // shown
	next     tally[made]
	names    longestName
	previous key // the selected operation after the last message

	// As last drawn:
	chart      *timeline.Chart
	form       shape
	labelWidth int // cells left of the time
}

// shape is what the forms of lanes depend on.
type shape struct {
	cells, lines int
	span         time.Duration
}

const anyWidth = 100 // cells, before it was drawn

const automatic = "automatic" // lanes by project or, within one project, by endpoint

// groupings returns the kinds of lanes. Organizations are one only where there are several.
func (v *timelineView) groupings() []string {
	list := []string{automatic, "project", "branch", "endpoint", "action"}
	if !v.scope.oneOrg {
		list = append(list, "organization")
	}
	return list
}

func (v *timelineView) grouping() string {
	switch {
	case v.by != automatic:
		return v.by
	case v.scope.all():
		return "project"
	}
	return "endpoint"
}

// lane returns the grouping in force. An operation without an endpoint is in the lane of its branch.
func (v *timelineView) lane() timeline.Grouping {
	switch v.grouping() {
	case "action":
		return func(_ string, op *models.Operation) string { return op.Action.Title() }
	case "branch":
		return func(_ string, op *models.Operation) string { return cmp.Or(op.BranchID, "no branch") }
	case "endpoint":
		return func(_ string, op *models.Operation) string {
			return cmp.Or(op.EndpointID, op.BranchID, "no endpoint")
		}
	case "organization":
		orgs := v.scope.orgs // a new list of projects has a map of its own
		return func(project string, _ *models.Operation) string {
			return cmp.Or(orgs.Name(project), "no organization")
		}
	}
	return func(project string, _ *models.Operation) string { return project }
}

func (v *timelineView) toggle() {
	v.open = !v.open
	v.port.moves++
	v.previous = key{} // bring the selection into view
	v.list.showInstead(v.body())
	v.forget()
}

// body returns what the table shows instead of its rows, or nil.
func (v *timelineView) body() table.Body {
	if !v.open || v.index == nil {
		return nil
	}
	return v
}

func (v *timelineView) group(lanes string) tea.Cmd {
	v.by, v.kept, v.chart = lanes, nil, nil
	return nil
}

// made is an index, and what it has.
type made struct {
	index   *timeline.Index
	indexed content
}

// content is what an index has: the operations of a feed or, if that is nil, those of filtered or sorted rows.
type content struct {
	feed    *feed.Timeline
	number  int // of the version of the feed or rows
	filter  int // the number of the filter of the rows
	lanesBy string
}

// like reports whether it is the same at another time.
func (c content) like(second content) bool {
	c.number = second.number
	return c == second
}

// forget drops the index, which [timelineView.update] builds again.
func (v *timelineView) forget() {
	v.index, v.kept, v.chart = nil, nil, nil
}

// reorder arranges the lanes anew when they are drawn next.
func (v *timelineView) reorder() { v.kept = nil }

// update brings the time that is shown up to date, and makes another index if the operations have changed: the first one now,
// others on another goroutine.
func (v *timelineView) update() tea.Cmd {
	if !v.open {
		return nil
	}
	v.move()
	expected, cmd := v.wanted(), tea.Cmd(nil)
	switch {
	case v.index == nil || !v.indexed.like(expected):
		if v.indexed.lanesBy != expected.lanesBy {
			v.chart = nil
		}
		v.kept = nil // the user has asked for other operations, or other lanes
		v.made = made{timeline.NewIndex(v.lane(), v.operations()), expected}
	default:
		v.takeNext()
		if v.indexed != expected {
			cmd = v.next.count(v.prepare, v.update)
		}
	}
	v.list.showInstead(v.body())
	return cmd
}

// wanted returns the content that the index should have.
func (v *timelineView) wanted() content {
	list := v.list.shown()
	if !list.Arranged() {
		t := v.live.timeline()
		return content{feed: t, number: t.Changes(), lanesBy: v.grouping(), filter: list.FilterNumber()}
	}
	_, number := list.Rows()
	return content{number: number, lanesBy: v.grouping(), filter: list.FilterNumber()}
}

// operations returns what is drawn: the rows of the table if they are filtered or sorted, and else all that are loaded.
func (v *timelineView) operations() timeline.Operations {
	list := v.list.shown()
	if !list.Arranged() {
		return v.live.timeline().Rows().All()
	}
	rows, _ := list.Rows()
	return operationsOf(rows)
}

// takeNext shows the index that was made last, if it is of what is shown.
func (v *timelineView) takeNext() {
	last := v.next.result
	v.next.result = made{}
	if last.index != nil && v.indexed.like(last.indexed) {
		v.made = last
	}
}

// prepare returns the making of an index, which is searched for what will be drawn.
func (v *timelineView) prepare() (work func() made) {
	lane, operations, expected := v.lane(), v.operations(), v.wanted()
	spec, drawn := timeline.Spec{}, v.chart != nil
	if drawn {
		spec = v.bounds(v.chart.Cells, v.session.ServiceNow())
	}
	return func() made {
		index := timeline.NewIndex(lane, operations)
		if drawn {
			index.Search(&spec)
		}
		return made{index, expected}
	}
}

// operationsOf returns the operations of rows.
func operationsOf(rows []*row) timeline.Operations {
	return func(yield func(string, *models.Operation) bool) {
		for _, r := range rows {
			if r.Op != nil && !yield(r.Project, r.Op) {
				return
			}
		}
	}
}

// move follows now if the table does. Otherwise it brings an operation into view that was just selected.
func (v *timelineView) move() {
	task, previous := v.selected(), v.previous
	v.previous = key{}
	if task != nil {
		v.previous = task.Key()
	}
	if v.list.shown().Following() {
		v.port.follow()
		return
	}
	cells := anyWidth
	if v.chart != nil {
		cells = v.chart.Cells
	}
	now := v.session.ServiceNow()
	newest := v.port.newest(cells, now).To
	v.stay()
	v.port.stay(newest)
	v.port.limit(newest)
	spec := v.port.spec(cells, now)
	chosen := v.previous != previous || !v.list.shown().Held()
	if chosen && task != nil && !spec.Overlaps(task) {
		v.port.show(task.Start(), newest)
	}
}

// stay keeps the timeline where it was last drawn, if it was.
func (v *timelineView) stay() {
	if v.chart != nil {
		v.port.stay(v.chart.To)
	}
}

func (v *timelineView) selected() *timeline.Task {
	r, ok := v.list.selected()
	if !ok {
		return nil
	}
	t, ok := timeline.NewTask(r.Project, r.Op)
	if !ok {
		return nil
	}
	return &t
}

// draft lays out the timeline in this many cells and lines. It counts as of the time of the other counts on the screen.
func (v *timelineView) draft(cells, head, lines int, f page.Frame) *timeline.Chart {
	e := v.list.extent()
	spec := v.bounds(cells, f.Tick)
	spec.Head, spec.Lines, spec.Known = head, lines, e.Since
	spec.Selected = v.selected()
	spec.Slow = func(t *timeline.Task) bool { return v.row(t).Slow(f.Tick) }
	spec.Complete = e.until
	if !e.stalled.IsZero() {
		spec.Now, f.Now = e.stalled, e.stalled // nothing newer was read
		spec.Counted, _ = v.port.covered(spec.To, f.Now)
	}
	spec.Until = func(project string) time.Time { return v.until(project, &spec) }
	form := shape{cells, lines + v.list.above, v.port.span} // a line above that comes and goes changes no form
	spec.Kept, spec.Reform = v.kept, form != v.form
	if v.grouping() == "project" && v.scope.all() {
		spec.All = len(v.scope.list.Projects)
	}
	if e.unlisted || e.Unread > 0 {
		spec.Known = spec.To
	}
	if v.grouping() == "project" {
		spec.KnownOf = func(lane string) (since, until time.Time) { return v.knownOf(lane, &spec) }
	}
	v.chart, v.form = v.index.Chart(spec), form
	v.kept = v.chart.Forms()
	return v.chart
}

// bounds returns the time that is drawn in so many cells, and what of it is counted and shown.
func (v *timelineView) bounds(cells int, now time.Time) timeline.Spec {
	t := v.live.timeline()
	spec := v.port.spec(cells, now)
	spec.Counted, _ = v.port.covered(spec.To, now)
	n := t.Len()
	if !v.list.shown().Arranged() && n < t.Loaded() && n > 0 {
		spec.Since = t.PlacedAt(n - 1) // older rows wait for those of other projects
	}
	return spec
}

// knownOf returns since when and until when the lane of a project is complete. Operations before the spec's Since are
// not shown.
func (v *timelineView) knownOf(project string, spec *timeline.Spec) (since, until time.Time) {
	f := v.live.poller.Feed(project)
	since = spec.To
	if f.Loaded() {
		since = f.CompleteSince()
	}
	if since.Before(spec.Since) {
		since = spec.Since
	}
	return since, v.until(project, spec)
}

// until returns until when what a project's operations do is known.
func (v *timelineView) until(project string, spec *timeline.Spec) time.Time {
	f := v.live.poller.Feed(project)
	if f == nil {
		return spec.Now
	}
	asOf := v.session.Service(f.AsOf())
	if spec.Now.Sub(asOf) > v.list.rows.facts.KnownFor(project) {
		return asOf
	}
	return spec.Now
}

// row returns the operation as a row of the list, with the time of which it is known.
func (v *timelineView) row(t *timeline.Task) *row {
	r, loaded := v.list.row(t.Project, t.Op), v.live.timeline()
	if i, ok := loaded.Find(t.Project, t.Op.ID); ok {
		r.AsOf = loaded.AsOf(i)
	}
	return r
}

// Draw draws the timeline and a line about the selected operation. On a small screen, the lanes come before the head.
func (v *timelineView) Draw(f page.Frame) []string {
	const below, one, two = 1, 4, 6 // lines: below the lanes, and the least heights for one or two above
	head := 0
	switch {
	case f.Height >= two:
		head = 2
	case f.Height >= one:
		head = 1
	}
	v.labelWidth = v.widthOfLabels(f.Width)
	l := v.draft(max(1, f.Width-v.labelWidth), head, max(0, f.Height-head-below), f)
	zone := v.session.Times.In(f.Now).Format("MST")
	out := l.Draw(timeline.Style{
		Theme: f.Theme, Times: v.session.Times, Label: v.labelWidth,
		Axis: span(v.port.span) + " " + zone, Now: f.Tick, Name: v.name, Status: v.status,
		Text: func(t *timeline.Task) string { return v.text(t, f.Tick) },
	})
	out = append(out, style.Fit(v.selectionLine(f), f.Width))
	return out[:f.Height]
}

// widthOfLabels returns the cells left of the time: as many as the names of the lanes need, up to a part of the width.
func (v *timelineView) widthOfLabels(width int) int {
	const least, tenths, others = 16, 3, 9 // others: cells of a label besides the name
	return max(least, min(v.longest()+others, width*tenths/10))
}

// name returns what a lane is called: a branch or a compute of one of several projects with its project.
func (v *timelineView) name(lane string) string {
	if grouping := v.grouping(); grouping != "branch" && grouping != "endpoint" {
		return v.scope.name(lane)
	}
	project, book := v.index.Lanes[lane], v.list.rows.facts.Book
	called := book.Compute(project, lane)
	if called.Name == "" {
		called = book.Branch(project, lane)
	}
	name := called.Or(lane)
	if called.Gone {
		name = goneMark + " " + name
	}
	if v.scope.all() && called.Name != "" {
		name += " · " + v.scope.name(project)
	}
	return name
}

// longestName is the width of the longest of some names.
type longestName struct {
	cells int
	index *timeline.Index
	facts *query.Facts
}

// longest returns the width of the longest name of a lane, in cells.
func (v *timelineView) longest() int {
	index, facts := v.index, v.list.rows.facts
	if index != v.names.index || facts != v.names.facts {
		v.names = longestName{index: index, facts: facts}
		for lane := range v.index.Lanes {
			v.names.cells = max(v.names.cells, style.Width(v.name(lane)))
		}
	}
	return v.names.cells
}

func (v *timelineView) status(t *timeline.Task) (sign string, tone style.Tone) {
	state := style.StatusOf(t.Op)
	sign = state.Glyph
	switch k := t.Key(); {
	case v.list.shown().IsMarked(k):
		sign = "●"
	case v.list.display.watches[k]:
		sign = "◉"
	}
	return sign, state.Tone
}

func (v *timelineView) text(t *timeline.Task, now time.Time) string {
	text := t.Op.Action.Title() + style.Retries(t.Op)
	r := v.row(t)
	if r.Slow(now) {
		took, _ := r.Took(now)
		text = "!" + style.Took(took) + " " + text
	}
	return text
}

// selectionLine describes the selected operation, because its bar may be too short for a name, or out of view.
func (v *timelineView) selectionLine(f page.Frame) string {
	r, ok := v.list.selected()
	if !ok {
		return ""
	}
	state, times := style.StatusOf(r.Op), v.session.Times
	branch, branchID := r.Branch()
	compute, computeID := r.Compute()
	where := []string{r.Op.Action.Title(), v.scope.name(r.Project), compute.Or(computeID), branch.Or(branchID)}
	where = slices.DeleteFunc(where, func(part string) bool { return part == "" })
	when := times.Clock(r.Op.CreatedAt)
	took, tone := took(r, f.Tick)
	if took != style.None {
		when += "  " + f.Theme.Paint(tone, took)
	}
	left := " " + f.Theme.Paint(state.Tone, state.Text()+style.Retries(r.Op)) + "  " + strings.Join(where, " · ")
	if !v.chart.ShowsSelection() {
		left = " " + f.Theme.Paint(style.Waiting, strings.TrimSpace(v.chart.Side()+" not in view:")) + left
	}
	return style.Ends(left, f.Theme.Paint(style.Muted, when)+" ", f.Width)
}

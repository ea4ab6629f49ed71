package operations

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
	"pgtower/ui/timeline"
)

// timelineView is the feed drawn in time, in the place of the rows. What it shows and what is selected is the table's.
// Its end follows now as long as the table follows its top; else it stays where it is.
type timelineView struct {
	*state

	history *history
	open    bool // the timeline is shown, and not the rows
	by      string
	span    time.Duration
	to      time.Time      // where it ends, as it was last drawn
	order   map[string]int // the lanes as they were when it stopped to follow, or nil

	index  timeIndex
	shown  key // the operation that was selected in the last layout
	layout *timeline.Layout
	left   int // cells before the time
	looks  int // how often the user looked at another time
}

const (
	defaultSpan = 15 * time.Minute
	strides     = 16 // while it follows now, the timeline moves by such a part of its width
)

// groupings are what a lane can stand for. Without a choice, that is a project, and within one an endpoint.
var groupings = []string{"project", "branch", "endpoint", "action"}

func (v *timelineView) grouping() string {
	switch {
	case v.by != "":
		return v.by
	case v.all():
		return "project"
	}
	return "endpoint"
}

// lane is the one that an operation belongs to. One without an endpoint stands in the lane of its branch.
func (v *timelineView) lane() timeline.Grouping {
	or := func(id, none string) string {
		if id == "" {
			return none
		}
		return id
	}
	switch v.grouping() {
	case "action":
		return func(_ string, op *models.Operation) string { return op.Action.Title() }
	case "branch":
		return func(_ string, op *models.Operation) string { return or(op.BranchID, "no branch") }
	case "endpoint":
		return func(_ string, op *models.Operation) string { return or(op.EndpointID, or(op.BranchID, "no endpoint")) }
	}
	return func(project string, _ *models.Operation) string { return project }
}

func (v *timelineView) toggle() {
	v.open = !v.open
	v.looks++
	v.shown = key{} // what is selected then is in view
	v.table.Body = v.body()
	v.forget()
}

// body is what the table shows in the place of its rows.
func (v *timelineView) body() table.Body {
	if !v.open {
		return nil
	}
	return v
}

func (v *timelineView) group(by string) tea.Cmd {
	v.by = by
	v.forget()
	return nil
}

// forget drops the index, which is built anew once it is needed.
func (v *timelineView) forget() {
	v.index.forget()
	v.order, v.layout = nil, nil
}

// sync brings the index up to date: it follows the feed, or has the rows that a filter left.
func (v *timelineView) sync() {
	if v.table.Arranged() {
		rows, number := v.table.Rows()
		v.index.take(rows, number, v.lane())
	} else {
		v.index.observe(v.timeline(), v.lane())
	}
}

// following reports whether the timeline ends now.
func (v *timelineView) following() bool { return !v.table.Held() || v.to.IsZero() }

func (v *timelineView) selected() *timeline.Task {
	if r, ok := v.table.Selected(); ok && r.op != nil {
		if t, ok := timeline.Place(r.project, r.op); ok {
			return &t
		}
	}
	return nil
}

// lay lays the timeline out in so many cells and lines.
func (v *timelineView) lay(cells, head, lines int, now time.Time) *timeline.Layout {
	cell := max(time.Millisecond, v.span/time.Duration(max(1, cells)))
	stride := cell * time.Duration(1+cells/strides) // all that is seen moves: seldom, and by whole cells
	last := now.Truncate(stride).Add(stride)
	task := v.selected()
	if v.order == nil && v.layout != nil && !v.following() {
		v.order = v.layout.Order()
	}
	if v.to = earliest(v.to, last); v.following() {
		v.to, v.order = last, nil
	}
	e, t := v.extent(), v.timeline()
	view := timeline.View{
		Cells: cells, Head: head, Lines: lines, To: v.to, Cell: cell, Now: now, Known: e.Since, Selected: task, Order: v.order,
		Slow: func(t *timeline.Task) bool { return v.row(t.Project, t.Op).slow(now) },
	}
	if !e.at.IsZero() {
		view.Now = e.at // nothing is known of what happened since
	}
	if n := t.Len(); !v.table.Arranged() && n < t.Loaded() && n > 0 {
		view.Since = t.PlacedAt(n - 1) // older rows wait for those of other projects
	}
	was := v.shown
	if v.shown = (key{}); task != nil {
		v.shown = task.Key()
	}
	if v.shown != was && !v.following() && view.Beside() != "" {
		view.To = earliest(task.Start().Add(v.span/2), last)
		v.to = view.To
		v.looks++
	}
	if e.unknown || e.Unread > 0 {
		view.Known = v.to
	}
	if v.grouping() == "project" {
		view.KnownOf = func(lane string) (since, until time.Time) { return v.knownOf(lane, view.Since, view.Now) }
	}
	v.layout = v.index.Lay(view)
	return v.layout
}

// knownOf returns down to when and up to when nothing is missing in the lane of a project. What began before least is not
// shown.
func (v *timelineView) knownOf(project string, least, now time.Time) (since, until time.Time) {
	f := v.poller.Feed(project)
	since, until = v.to, now
	if f.Loaded() {
		since = f.CompleteSince()
	}
	if since.Before(least) {
		since = least
	}
	if asOf := v.session.Service(f.AsOf()); now.Sub(asOf) > v.poller.Options().Bound() {
		until = asOf
	}
	return since, until
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// Draw draws the timeline, and a line of what is selected. Of a few lines, the lanes have at least two.
func (v *timelineView) Draw(f page.Frame) []string {
	const below, one, two = 1, 4, 6 // lines, from which on there are so many above the lanes
	v.sync()
	head := 0
	switch {
	case f.Height >= two:
		head = 2
	case f.Height >= one:
		head = 1
	}
	v.left = v.labels(f.Width)
	l := v.lay(max(1, f.Width-v.left), head, max(0, f.Height-head-below), f.Tick)
	out := l.Draw(timeline.Look{
		Theme: f.Theme, Times: v.session.Times, Label: v.left, Axis: span(v.span) + " " + v.zone(f.Now), Now: f.Tick,
		Name: v.name, Status: v.status, Text: func(t *timeline.Task) string { return v.text(t, f.Tick) },
	})
	out = append(out, style.Fit(v.focus(f), f.Width))
	return out[:f.Height]
}

// labels returns how many cells stand before the time: as many as the names of the lanes need, up to a part of them all.
func (v *timelineView) labels(width int) int {
	const least, tenths, others = 16, 3, 9 // others are what a label has beside the name
	return max(least, min(v.index.longestName(v.names, v.name)+others, width*tenths/10))
}

func (v *timelineView) status(t *timeline.Task) (sign string, tone style.Tone) {
	is := styleOf(t.Op)
	sign, _, _ = strings.Cut(is.text, " ")
	switch k := t.Key(); {
	case v.table.IsMarked(k):
		sign = "●"
	case v.watched[k]:
		sign = "◉"
	}
	return sign, is.tone
}

func (v *timelineView) text(t *timeline.Task, now time.Time) string {
	text := t.Op.Action.Title() + timeline.Retried(t.Op)
	if r := v.row(t.Project, t.Op); r.slow(now) {
		took, _ := r.took(now)
		text = "!" + style.Took(took) + " " + text
	}
	return text
}

// focus is what is selected: its bar may have no room for a name, or is not in view.
func (v *timelineView) focus(f page.Frame) string {
	r, ok := v.table.Selected()
	if !ok || r.op == nil {
		return ""
	}
	is, times := styleOf(r.op), v.session.Times
	where := []string{r.op.Action.Title(), v.name(r.project), r.op.EndpointID, r.op.BranchID}
	where = slices.DeleteFunc(where, func(part string) bool { return part == "" })
	when := times.Clock(r.op.CreatedAt)
	if took, tone := took(r, f.Tick); took != style.None {
		when += "  " + f.Theme.Paint(tone, took)
	}
	left := " " + f.Theme.Paint(is.tone, is.text+timeline.Retried(r.op)) + "  " + strings.Join(where, " · ")
	if !v.layout.Shows() {
		left = " " + f.Theme.Paint(style.Waiting, strings.TrimSpace(v.layout.Beside()+" not in view:")) + left
	}
	return style.Ends(left, f.Theme.Paint(style.Muted, when)+" ", f.Width)
}

func (v *timelineView) zone(now time.Time) string {
	return v.session.Times.In(now).Format("MST")
}

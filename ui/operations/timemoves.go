package operations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
	"pgtower/ui/timeline"
)

// actions declares the actions of an open timeline, and those that move in it. While it is hidden or covered, their keys are
// those of other actions.
func (v *timelineView) actions(over *groups) (look, move action.Group) {
	off := func() bool { return !v.open || over.shown || v.list.table.Opened() }
	look = action.Group{Title: "Timeline", Actions: []*action.Action{
		{
			ID: "zoom-out", Title: "zoom out", Short: "out", Keys: []string{"("},
			Footer: action.Leading, Hidden: off, Run: action.DoWith(v.Zoom, false),
		},
		{
			ID: "zoom-in", Title: "zoom in", Short: "in", Keys: []string{")"},
			Footer: action.Leading, Hidden: off, Run: action.DoWith(v.Zoom, true),
		},
		{
			ID: "lanes", Title: "choose the lanes", Short: "lanes", Keys: []string{"T"},
			Footer: action.LowPriority, Hidden: off, Run: action.Do(v.chooseLanes),
			Arg: action.Choice(v.groupings, v.group),
		},
	}}
	move = action.Group{Title: "Move in time", Movement: true, Actions: []*action.Action{
		{
			ID: "earlier", Title: "earlier", Keys: []string{"left", "h"}, Label: "←/h", Hidden: off,
			Run: action.DoWith(v.walk, false),
		},
		{
			ID: "later", Title: "later", Keys: []string{"right", "l"}, Label: "→/l", Hidden: off,
			Run: action.DoWith(v.walk, true),
		},
	}}
	return look, move
}

func (v *timelineView) chooseLanes() {
	var items []*dialog.PickerItem
	for _, grouping := range v.groupings() {
		title := "a lane for each " + grouping
		if grouping == automatic {
			title = "automatic: by project, or endpoint within one"
		}
		items = append(items, &dialog.PickerItem{ID: grouping, Title: title, Choose: action.With(v.group, grouping)})
	}
	v.session.Open(dialog.NewPicker("Lanes", items, v.by))
}

// choose selects an operation without moving the timeline.
func (v *timelineView) choose(k key) { v.list.goTo(k, v.list.table.Opened()) }

// walk goes to the next or previous operation in time, and loads older ones if there is none.
func (v *timelineView) walk(later bool) {
	t := v.selected()
	if t == nil || !v.hold() {
		return
	}
	k, ok := v.index.Walk(v.chart, t, later)
	switch {
	case ok:
		v.choose(k)
	case !later:
		v.older()
	}
}

// Step goes to the next lane, or the previous one if step is negative.
func (v *timelineView) Step(step int) {
	t := v.selected()
	if t == nil || !v.hold() {
		return
	}
	k, ok := v.chart.StepLane(t, step > 0)
	if ok {
		v.choose(k)
	}
}

// hold stops following now, and reports whether the timeline was drawn with a selected operation.
func (v *timelineView) hold() bool {
	_, ok := v.list.table.Choose()
	v.stay()
	return ok && v.chart != nil
}

// Zoom shows more or less time, around the selected operation if it is in view.
func (v *timelineView) Zoom(closer bool) {
	var about time.Time
	t := v.selected()
	if t != nil && v.chart != nil && v.chart.Overlaps(t) {
		about = t.Start()
	}
	v.port.zoom(closer, about)
}

// Click selects an operation. A double click is Enter.
func (v *timelineView) Click(click page.Click) tea.Cmd {
	if v.chart == nil {
		return nil
	}
	k, ok := v.chart.At(click.X-v.labelWidth, click.Y-v.chart.Head)
	if !ok || !v.hold() {
		return nil
	}
	v.list.goTo(k, click.Double || v.list.table.Opened())
	return nil
}

// Drag pans with the mouse.
func (v *timelineView) Drag(drag page.Drag) {
	if v.hold() {
		v.port.pan(-time.Duration(drag.By) * v.chart.Cell)
	}
}

// Summary returns the line above the timeline, about the loaded operations of the span. If there is no room for all parts,
// the least important ones are left out.
func (v *timelineView) Summary(f page.Frame) []table.Part {
	l := v.chart
	var parts []table.Part
	var ranks []int // of the parts, the most important one has the lowest
	add := func(rank int, part table.Part) {
		parts, ranks = append(parts, part), append(ranks, rank)
	}
	bound, tone := "", style.Muted
	if v.incomplete(f.Now) || v.list.extent().behind() {
		bound, tone = "≥", style.Waiting
	}
	add(1, table.Part{Tone: style.Strong, Text: style.Cut(v.scope.title(), f.Width/2)})
	clock := v.list.extent().clock
	asOf := when(clock != "", " as of "+clock)
	add(0, table.Part{Tone: tone, Text: bound + style.Plural(l.Count, "operation") + asOf})
	if l.Failed > 0 {
		add(2, table.Part{Tone: style.Bad, Text: bound + count(l.Failed) + " failed", Gap: ", "})
	}
	if l.Unfinished > 0 {
		add(4, table.Part{Tone: style.Active, Text: count(l.Unfinished) + " running", Gap: ", "})
	}
	median, ok := l.Took.Median()
	if ok {
		p95, _ := l.Took.Quantile(0.95)
		add(6, table.Part{Tone: style.Muted, Text: "median " + style.Took(median)})
		add(7, table.Part{Tone: style.Muted, Text: "p95 " + style.Took(p95), Gap: " · "})
	}
	if v.index.Timeless > 0 {
		add(5, table.Part{Tone: style.Waiting, Text: withoutTime(v.index.Timeless)})
	}
	add(3, table.Part{Tone: style.Muted, Text: v.between(f.Now), Right: true})
	const edges = 2
	for len(parts) > 1 && edges+width(parts) > f.Width {
		least := slices.Index(ranks, slices.Max(ranks))
		parts, ranks = slices.Delete(parts, least, least+1), slices.Delete(ranks, least, least+1)
	}
	return parts
}

// between formats the time that is counted.
func (v *timelineView) between(now time.Time) string {
	if stalled := v.list.extent().stalled; !stalled.IsZero() {
		now = stalled
	}
	return v.port.between(v.chart.To, now, v.session.Times)
}

// incomplete reports whether operations may be missing in the time in view.
func (v *timelineView) incomplete(now time.Time) bool {
	e := v.list.extent()
	return !e.whole() && e.back(now) < v.reach(now)
}

// reach returns how far back the timeline needs operations, or 0 if it is not shown.
func (v *timelineView) reach(now time.Time) time.Duration {
	if !v.open {
		return 0
	}
	return v.port.reach(now)
}

// runs reports whether an operation in view is unfinished, so that its bar grows.
func (v *timelineView) runs() bool { return v.chart != nil && v.chart.Unfinished > 0 }

// picture describes the timeline in words.
func (v *timelineView) picture(f page.Frame) announce.Part {
	switch {
	case !v.open && v.port.moves == 0: // it was never open
		return announce.Part{}
	case !v.open:
		return announce.Part{Name: "timeline", Text: "List of operations."}
	case v.index == nil:
		return announce.Part{}
	}
	const cells, lines = 120, 12
	l, length := v.draft(cells, 0, lines, f), style.DurationWords(v.port.span)
	if !v.port.fixed {
		length = "the last " + length
	}
	sentences := []string{fmt.Sprintf("Timeline of %s, %s, a lane for each %s: %s, %s failed, at most %s at the same time.",
		length, v.between(f.Now), v.grouping(), style.Plural(l.Count, "operation"), count(l.Failed), count(l.Peak))}
	if v.incomplete(f.Now) {
		sentences = append(sentences, "Not all of this time is loaded: others may be missing.")
	}
	switch l.Side() {
	case timeline.Before:
		sentences = append(sentences, "The selected operation is before this time.")
	case timeline.After:
		sentences = append(sentences, "The selected operation is after this time.")
	}
	sentences = append(sentences, l.Say(v.session.Times, v.name, sayTask)...)
	key := fmt.Sprint(v.port.span, v.grouping(), v.port.moves)
	return announce.Part{Name: "timeline", Text: strings.Join(sentences, "\n"), Key: key}
}

// sayTask says what an operation does, and its status.
func sayTask(t *timeline.Task) string { return t.Op.Action.Title() + " " + style.StatusOf(t.Op).Word }

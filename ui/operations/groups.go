package operations

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// grouping is by what operations are grouped. It is kept when the groups are closed.
type grouping struct {
	by     incident.Dimension
	chosen bool // by the user: else it is actions when nothing failed
}

// group is a line of the groups.
type group struct {
	incident.Group

	label   string
	took    *feed.Durations // of what finished
	longest time.Duration
}

// quantile returns the duration that the fraction q of the finished operations does not exceed, or 0.
func (g *group) quantile(q float64) time.Duration {
	d, _ := g.took.Quantile(q)
	return min(d, g.longest)
}

// groups are the operations that the feed shows, by what they have in common. They read the list and change nothing.
type groups struct {
	table.Index[group]

	list    *list
	as      grouping
	window  time.Duration
	enter   *action.Action
	leave   func() tea.Cmd
	turn    func(incident.Dimension) tea.Cmd // groups by another dimension
	table   *table.Model[*group]
	counted bool // the operations were counted
	number  int  // of counts begun
}

// newTable makes the table of the dimension, without rows.
func (g *groups) newTable() {
	g.Index, g.counted = table.NewIndex[group](nil, nil), false
	g.table = table.New(table.Config[*group]{
		Source: g, Order: "failures", Session: g.list.session, Page: page.Operations, Enter: g.enter, Leave: g.leave,
		Fixed: true, Columns: g.columns(), Detail: g.record,
		Fields:   []query.Field[*group]{query.Text(g.as.by.String(), func(g *group) string { return g.label }).Visible()},
		Examples: []string{"storefront", "!check", "timeout or capacity"},
	})
}

// groupCounts is the result of a count.
type groupCounts struct {
	by  incident.Dimension
	all []group
}

// refresh counts the operations of the range on another goroutine: if there is a filter, after the table has been
// filtered.
func (g *groups) refresh() tea.Cmd {
	g.number++
	if !g.list.table.List().Settled() {
		return nil
	}
	number, as := g.number, g.as
	all, counted, span := g.list.places(), g.list.countedPlaces(), g.span()
	label := g.list.scope.labels()
	return page.Call(g.list.session, page.Operations, func(context.Context) (groupCounts, error) {
		finished := incident.FinishedOf(all)
		out := groupCounts{as.by, groupsOf(as.by, counted, finished, span, label)}
		if len(out.all) == 0 && !as.chosen && as.by == incident.Errors {
			out = groupCounts{incident.Actions, groupsOf(incident.Actions, counted, finished, span, label)}
		}
		return out, nil
	}, func(c groupCounts, _ error) tea.Cmd {
		if number != g.number {
			return nil
		}
		return g.show(c)
	})
}

func (g *groups) show(c groupCounts) tea.Cmd {
	if c.by != g.as.by {
		g.as.by = c.by
		g.newTable()
	}
	g.Index, g.counted = table.NewIndex(c.all, func(g *group) string { return g.Value }), true
	return g.table.Refresh()
}

// groupsOf groups operations, and collects how long they took.
func groupsOf(
	by incident.Dimension, of iter.Seq[incident.Operation], finished incident.Finished, span incident.Span,
	label func(incident.Dimension, string) string,
) (out []group) {
	at := map[string]int{}
	for _, one := range incident.Groups(by, of, finished, span) {
		at[one.Value] = len(out)
		out = append(out, group{Group: one, label: label(by, one.Value), took: &feed.Durations{}})
	}
	for o := range of {
		i, ok := at[by.Of(o)]
		took := o.Took(span.Now)
		if ok && o.Finished() && took.Known {
			out[i].took.Add(took.Value)
			out[i].longest = max(out[i].longest, took.Value)
		}
	}
	return out
}

// span is the time that the groups are about. Without a time that is complete, nothing is compared with the window.
func (g *groups) span() incident.Span {
	e, now := extentOf(g.list.live, g.list.scope), g.list.session.ServiceNow()
	since := e.Since
	if since.Before(e.Range) {
		since = e.Range // also where older operations are there: years of one project say nothing about today
	}
	if e.unlisted || e.Unread > 0 {
		since = now
	}
	return incident.Span{Since: since, Window: g.window, Now: now}
}

// labels returns what the screen calls a value of a dimension. Any goroutine may use it.
func (s *scope) labels() func(by incident.Dimension, value string) string {
	projects, orgs := s.names, map[string]string{}
	for _, org := range s.orgs.All() {
		orgs[org.ID] = org.Label()
	}
	return func(by incident.Dimension, value string) string { return labelOf(by, value, projects, orgs) }
}

// places returns all loaded operations of the scope.
func (l *list) places() iter.Seq[incident.Operation] { return l.placesOf(l.live.timeline().Rows()) }

// placesOf returns operations for groups. Any goroutine may read them.
func (l *list) placesOf(loaded feed.Rows) iter.Seq[incident.Operation] {
	facts := l.rows.facts
	return func(yield func(incident.Operation) bool) {
		for i := range loaded.Len() {
			one := query.Operation{Op: loaded.At(i), Project: loaded.ProjectAt(i), Facts: facts}
			if !yield(one.Place()) {
				return
			}
		}
	}
}

// countedPlaces returns the operations that views and groups count: those of the range that pass the filter.
func (l *list) countedPlaces() iter.Seq[incident.Operation] {
	if !l.table.List().Filtered() {
		return l.placesOf(l.rows.counted)
	}
	rows := l.table.List().Matching()
	return func(yield func(incident.Operation) bool) {
		for r := range rows {
			if r.Op != nil && !yield(r.Place()) {
				return
			}
		}
	}
}

func (g *groups) description(f page.Frame) table.Description[*group] {
	name, back := "Groups of "+g.list.scope.title(), f.Key("statistics")+": back to the feed."
	e := extentOf(g.list.live, g.list.scope)
	complete := e.completeFor(f.Now)
	none := "No operations: " + complete + "."
	switch {
	case !g.counted:
		none = "Counting the operations…"
	case g.as.by == incident.Errors:
		none = "Nothing failed: " + complete + "."
	case g.list.table.List().Filtered():
		none = "No operation matches the filter " + g.list.table.Query() + ": " + complete + "."
	}
	return table.Description[*group]{
		ID: [3]any{page.Operations, "groups", g.as.by}, Name: name + " by " + g.as.by.String(), Over: true,
		Summary: g.summary(f, complete), Empty: table.EmptyState{Title: none, Body: back},
		Note: table.Note{Tone: style.Muted, Announced: announce.Part{Name: "about"}, Text: aboutOver},
	}
}

const aboutOver = "Over: each project has finished the same action since it failed."

const titledFrom = 100 // the least width of the line above the groups with what they are of

// summary names the dimensions, the one in force as a tab, and what is grouped.
func (g *groups) summary(f page.Frame, complete string) []table.Part {
	var parts []table.Part
	if f.Width >= titledFrom {
		parts = append(parts, table.Part{Tone: style.Strong, Text: g.list.scope.title(), ScreenOnly: true})
	}
	for _, by := range g.list.scope.dimensions() {
		tone, text, gap := style.Muted, by.String(), "  "
		if by == g.as.by {
			tone, text = style.Selected, " "+text+" "
		}
		run := func() tea.Cmd { return g.turn(by) }
		parts = append(parts, table.Part{Tone: tone, Text: text, Gap: gap, ScreenOnly: true, Run: run})
	}
	hint := f.Key("group-by") + ": next"
	parts = append(parts, table.Part{Tone: style.Muted, Text: hint, ScreenOnly: true})
	filter := g.list.table.Query()
	if g.list.table.List().Filtered() {
		parts = append(parts, table.Part{Tone: style.Accent, Text: "/ " + filter, Announced: "filter: " + filter})
	}
	n := 0
	for _, one := range g.All {
		n += one.Count
	}
	said := style.Plural(n, "operation") + ", " + complete
	if g.as.by == incident.Errors {
		said = style.Plural(n, "failure") + ", " + complete
	}
	return append(parts, table.Part{Tone: style.Muted, Text: said})
}

// dimensions returns those that say something: organizations only where there are several.
func (s *scope) dimensions() (out []incident.Dimension) {
	for _, by := range incident.Dimensions() {
		if by != incident.Organizations || !s.oneOrg {
			out = append(out, by)
		}
	}
	return out
}

// filterFor returns the filter for a value of a dimension, or "" for one that a filter cannot have.
func filterFor(by incident.Dimension, value string) string {
	switch by {
	case incident.Errors:
		return query.Exactly("error_group", value)
	case incident.Projects:
		return query.Exactly("project_id", value)
	default:
		return query.Exactly(by.String(), value)
	}
}

// narrowed returns a filter that also has a condition.
func (l *list) narrowed(condition string) string {
	filter := l.table.Query()
	if mayHaveOr.MatchString(filter) {
		q, _ := query.Parse(filter, fields(l.live.timeline))
		filter = "(" + filter
		if q.Hint() == nil {
			filter += ")"
		}
	}
	// The last term may be unfinished, such as an open quote: it stays the last one.
	return strings.TrimSpace(condition + " " + filter)
}

// lastTitle is the title of the column of the window.
func (g *groups) lastTitle() string { return "LAST " + strings.ToUpper(style.Every(g.window)) }

// goesOn returns whether the failures of a group go on, as a cell.
func (g *group) goesOn() (string, style.Tone) {
	switch {
	case g.Failed == 0:
		return style.None, style.Muted
	case g.Open == 0:
		return "✓ over", style.Good
	case g.Projects == 1:
		return "✗ goes on", style.Bad
	}
	return fmt.Sprintf("✗ in %s of %s", count(g.Open), count(g.Projects)), style.Bad
}

// state returns the same in words.
func (g *group) state() (string, style.Tone) {
	cell, tone := g.goesOn()
	if g.Open == 0 || g.Projects == 1 {
		return cell, tone
	}
	return fmt.Sprintf("✗ goes on in %s of %s", count(g.Open), style.Plural(g.Projects, "project")), tone
}

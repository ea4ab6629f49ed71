package operations

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// group is a line of the groups.
type group struct {
	incident.Group

	label   string
	took    *feed.Durations // of what finished
	longest time.Duration
}

// quantile returns the duration that the fraction q of the finished operations does not exceed, or 0. The longest one is
// exact.
func (g *group) quantile(q float64) time.Duration {
	if q >= 1 {
		return g.longest
	}
	d, _ := g.took.Quantile(q)
	return d
}

// groups are the operations that the feed shows, by what they have in common, in place of its rows while they are shown.
// They read the list and change nothing.
type groups struct {
	session  *page.Session
	list     *list
	enter    *action.Action
	shown    bool
	by       incident.Dimension // kept when the groups are hidden
	chosen   bool               // by is the user's: else it is actions when nothing failed
	window   time.Duration
	page     *listpage.Page[group] // of the dimension
	counted  bool                  // the operations were counted
	counting bool                  // they are being counted
	stale    bool                  // since that began, something has changed
}

// show shows the groups, without counts before they are counted.
func (g *groups) show(window time.Duration) tea.Cmd {
	if !g.chosen {
		g.by = incident.Errors
	}
	g.shown, g.window = true, window
	g.newPage()
	return g.refresh()
}

func (g *groups) hide() tea.Cmd {
	g.shown = false
	return nil
}

// groupBy shows the groups of a dimension.
func (g *groups) groupBy(by incident.Dimension) tea.Cmd {
	g.by, g.chosen = by, true
	return g.show(g.window)
}

// next returns the dimension after that in force.
func (g *groups) next() incident.Dimension {
	all := g.list.scope.dimensions()
	return all[(slices.Index(all, g.by)+1)%len(all)]
}

func (g *groups) names() (out []string) {
	for _, by := range g.list.scope.dimensions() {
		out = append(out, by.String())
	}
	return out
}

func (g *groups) groupByName(name string) tea.Cmd {
	return g.groupBy(g.list.scope.dimensions()[slices.Index(g.names(), name)])
}

// newPage makes the page of the dimension, without rows.
func (g *groups) newPage() {
	fields := g.fields()
	g.counted = false
	g.page = listpage.New(listpage.Config[group]{
		ID: page.Operations, Title: "Groups", Session: g.session, Row: "group", Fields: fields, Filters: []string{g.by.String()},
		Key: func(g *group) string { return g.Value }, Describe: g.describe,
		Table: table.Config[*group]{
			Columns: g.columns(fields), Fixed: true, Order: "failures", Detail: g.record, Say: g.say,
			Enter: g.enter, Leave: g.hide,
			Examples: []string{"storefront", "!check", "timeout or capacity"},
		},
	})
}

// say returns a line in words.
func (g *groups) say(one *group, now time.Time) string {
	cell, _ := one.cell(now)
	_, announced, _ := one.state(now)
	return strings.Replace(g.page.SayCells(one, now), "now "+cell, "now "+announced, 1)
}

// filterOf returns the filter for the operations of a group, or "" if a filter cannot have its value.
func (g *groups) filterOf(one *group) string { return filterFor(g.by, one.Value) }

// noFilter reports whether the groups are shown, and none is selected that a filter can have.
func (g *groups) noFilter() bool {
	if !g.shown {
		return false
	}
	one, ok := g.page.List().Selected()
	return !ok || g.filterOf(one) == ""
}

// operationsOf returns the counted operations of a group.
func (g *groups) operationsOf(one *group) (out []incident.Operation) {
	for o := range g.list.countedIncidents() {
		if g.by.Of(o) == one.Value {
			out = append(out, o)
		}
	}
	return out
}

// groupCounts is the result of a count.
type groupCounts struct {
	by  incident.Dimension
	all []group
}

// refresh counts the operations of the range on another goroutine: if there is a filter, after the table has been
// filtered. What arrives during a count is counted after it: polls may come faster than a count takes.
func (g *groups) refresh() tea.Cmd {
	g.stale = true
	if g.counting || !g.shown || !g.list.shown().UpToDate() {
		return nil
	}
	g.counting, g.stale = true, false
	by, chosen, filter := g.by, g.chosen, g.list.table.Query()
	all, counted, span := g.list.incidents(), g.list.countedIncidents(), g.span()
	label := g.list.scope.labels()
	return page.Call(g.session, page.Operations, func(context.Context) (groupCounts, error) {
		pasts := incident.PastsOf(all)
		out := groupCounts{by, groupsOf(by, counted, pasts, span, label)}
		if len(out.all) == 0 && !chosen && by == incident.Errors {
			out = groupCounts{
				incident.Actions, groupsOf(incident.Actions, counted, pasts, span, label),
			}
		}
		return out, nil
	}, func(c groupCounts, _ error) tea.Cmd {
		var cmd tea.Cmd
		g.counting = false
		if by == g.by && filter == g.list.table.Query() {
			cmd = g.receive(c)
		}
		if g.stale {
			cmd = tea.Batch(cmd, g.refresh())
		}
		return cmd
	})
}

func (g *groups) receive(c groupCounts) tea.Cmd {
	if c.by != g.by {
		g.by = c.by
		g.newPage()
	}
	g.counted = true
	return g.page.Take(c.all, table.Reading{})
}

// groupsOf groups operations, and collects how long they took.
func groupsOf(
	by incident.Dimension, of iter.Seq[incident.Operation], pasts incident.Pasts, span incident.Span,
	label func(incident.Dimension, string) string,
) (out []group) {
	at := map[string]int{}
	for _, one := range incident.Groups(by, of, pasts, span) {
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
	e, now := g.list.extent(), g.list.live.shownAt()
	since := e.Since
	if since.Before(e.Range) {
		since = e.Range // also where older operations are there: years of one project say nothing about today
	}
	if e.unlisted || e.Unread > 0 {
		since = now
	}
	return incident.Span{Since: since, Window: g.window, Now: now, Projects: g.list.live.poller.CompleteSince()}
}

// describe completes what is around the groups, which lie over the list.
func (g *groups) describe(f page.Frame, d *table.Description[*group]) {
	name, back := "Groups of "+g.list.scope.title(), f.Key("statistics")+": back to the feed."
	complete := g.list.extent().completeFor(f.Now)
	none := "No operations: " + complete + "."
	switch {
	case !g.counted:
		none = "Counting the operations…"
	case g.by == incident.Errors:
		none = "Nothing failed: " + complete + "."
	case g.list.shown().Filtered():
		none = "No operation matches the filter " + g.list.table.Query() + ": " + complete + "."
	}
	d.ID, d.Name, d.Over = [3]any{page.Operations, "groups", g.by}, name+" by "+g.by.String(), true
	d.Summary, d.Empty = g.summary(f, complete), table.EmptyState{Title: none, Body: back}
	d.Note = table.Note{Tone: style.Muted, Announced: announce.Part{Name: "about"}, Text: aboutWorked}
}

const aboutWorked = "Worked since: the same action finished there after it had failed."

const nowWidth = 21 // of the column of what was seen since the failures

const titledFrom = 130 // the least width of the line above the groups with what they are of

// summary names the dimensions, the one in force as a tab, and what is grouped.
func (g *groups) summary(f page.Frame, complete string) []table.Part {
	var parts []table.Part
	if f.Width >= titledFrom {
		parts = append(parts, table.Part{
			Tone: style.Strong, Text: g.list.scope.title(), ScreenOnly: true,
		})
	}
	for _, by := range g.list.scope.dimensions() {
		tone, text := style.Muted, by.String()
		if by == g.by {
			tone, text = style.Selected, " "+text+" "
		}
		run := func() tea.Cmd { return g.groupBy(by) }
		parts = append(parts, table.Part{Tone: tone, Text: text, Gap: "  ", ScreenOnly: true, Run: run})
	}
	hint := f.Key("group-by") + ": next"
	parts = append(parts, table.Part{Tone: style.Muted, Text: hint, ScreenOnly: true})
	filter := g.list.table.Query()
	if g.list.shown().Filtered() {
		parts = append(parts, table.Part{
			Tone: style.Accent, Text: "/ " + filter, Announced: "filter: " + filter,
		})
	}
	if !g.counted {
		return append(parts, table.Part{Tone: style.Muted, Text: "counting…"})
	}
	n := 0
	for _, one := range g.page.Rows() {
		n += one.Count
	}
	counted := style.Plural(n, "operation")
	if g.by == incident.Errors {
		counted = style.Plural(n, "failure")
	}
	e, whole := g.list.extent(), counted+", "+complete
	texts := []string{whole, e.claim(counted)}
	if since := e.counted(); !since.IsZero() {
		texts = slices.Insert(texts, 1, e.claim(counted+" in "+span(f.Now.Sub(since).Round(time.Minute))))
	}
	// The end of the span is worth more than its beginning.
	room := f.Width - 2 - width(parts) - apart
	fits := slices.IndexFunc(texts, func(text string) bool { return f.Accessible || style.Width(text) <= room })
	if fits < 0 {
		fits = len(texts) - 1
	}
	return append(parts, table.Part{Tone: style.Muted, Text: texts[fits], Announced: whole})
}

// lastTitle is the title of the column of the window.
func (g *groups) lastTitle() string { return "LAST " + strings.ToUpper(style.Every(g.window)) }

// glyphs are how a state looks. Each is a glyph beside the word, and a tone.
var glyphs = map[incident.State]struct {
	glyph string
	tone  style.Tone
}{
	incident.Failing: {"✗", style.Bad}, incident.Worked: {"✓", style.Good}, incident.NotTried: {"?", style.Waiting},
	incident.TriedAgain: {"?", style.Waiting}, incident.Unknown: {"?", style.Waiting},
}

// cell returns the worst that was seen since the failures: of all projects, or with how many of them.
func (g *group) cell(now time.Time) (string, style.Tone) {
	if g.Failed == 0 {
		return style.None, style.Muted
	}
	lead := g.Lead()
	look, said := glyphs[lead], lead.String()
	if g.Projects == 1 || g.Uniform() && lead != incident.Failing {
		said += sinceIn(style.Age, now)(lead, g.Seen[lead].Since)
	} else {
		seen, all := count(g.Seen[lead].Projects), count(g.Projects)
		short := said + " in " + seen + "/" + all
		if said += " in " + seen + " of " + all; style.Width(look.glyph+" "+said) > nowWidth {
			said = short
		}
	}
	return look.glyph + " " + said, look.tone
}

// state returns what was seen since the failures in words, for each project.
func (g *group) state(now time.Time) (said, announced string, tone style.Tone) {
	if g.Failed == 0 {
		return style.None, "", style.Muted
	}
	look := glyphs[g.Lead()]
	return look.glyph + " " + g.Sentence(sinceIn(style.Age, now)), g.Sentence(sinceIn(ageWords, now)), look.tone
}

// ageWords formats an age in words, as precisely as [style.Age].
func ageWords(at, now time.Time) string {
	age, unit := max(0, now.Sub(at)), time.Second
	if age >= time.Minute {
		unit = time.Minute
	}
	if age >= time.Hour {
		unit = time.Hour
	}
	return style.DurationWords(age.Truncate(unit))
}

// sinceIn returns the time of a state as an age: " since 53m", " 2m ago".
func sinceIn(age func(at, now time.Time) string, now time.Time) func(incident.State, time.Time) string {
	return func(state incident.State, at time.Time) string {
		switch state {
		case incident.NotTried:
			return " since " + age(at, now)
		case incident.TriedAgain:
			return " " + age(at, now) + " ago"
		default:
			return ""
		}
	}
}

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
	trend   trend
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

// groups show the operations of the feed by what they have in common, in place of its rows. They read the list, and do not
// change it.
type groups struct {
	session  *page.Session
	list     *list
	enter    *action.Action
	shown    bool
	by       incident.Dimension // kept when the groups are hidden
	chosen   bool               // the user chose by; otherwise it becomes actions if nothing failed
	window   time.Duration
	length   time.Duration         // of the trends
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

func (g *groups) hidden() bool { return !g.shown }

func (g *groups) hide() tea.Cmd {
	g.shown = false
	return nil
}

// groupBy shows the groups of a dimension.
func (g *groups) groupBy(dimension incident.Dimension) tea.Cmd {
	g.by, g.chosen = dimension, true
	return g.show(g.window)
}

func (g *groups) groupByNext() tea.Cmd { return g.groupBy(g.next()) }

// next returns the dimension after that in force.
func (g *groups) next() incident.Dimension {
	dimensions := g.list.scope.dimensions()
	return dimensions[(slices.Index(dimensions, g.by)+1)%len(dimensions)]
}

func (g *groups) names() (out []string) {
	for _, dimension := range g.list.scope.dimensions() {
		out = append(out, dimension.String())
	}
	return out
}

func (g *groups) groupByName(name string) tea.Cmd {
	return g.groupBy(g.list.scope.dimensions()[slices.Index(g.names(), name)])
}

// newPage makes the page of the dimension, without rows.
func (g *groups) newPage() {
	fields := g.fields()
	g.counted, g.length = false, trendLength(g.list.extent(), g.list.live.shownAt())
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
func (g *groups) say(entry *group, now time.Time) string {
	cell, _ := entry.cell(now)
	_, announced, _ := entry.state(now)
	window := ", " + style.Every(g.window) + " "
	text := strings.Replace(g.page.SayCells(entry, now), window, ", last"+window[1:], 1)
	return strings.Replace(text, "now "+cell, "now "+announced, 1)
}

// filterOf returns the filter for the operations of a group, or "" if a filter cannot have its value.
func (g *groups) filterOf(entry *group) string { return filterFor(g.by, entry.Value) }

// noFilter reports whether the groups are shown, and none is selected that a filter can have.
func (g *groups) noFilter() bool {
	if !g.shown {
		return false
	}
	entry, ok := g.page.List().Selected()
	return !ok || g.filterOf(entry) == ""
}

// operationsOf returns the counted operations of a group.
func (g *groups) operationsOf(entry *group) (out []incident.Operation) {
	for o := range g.list.countedIncidents() {
		if g.by.Of(o) == entry.Value {
			out = append(out, o)
		}
	}
	return out
}

// groupCount counts operations by a dimension. Any goroutine may run it.
type groupCount struct {
	asked, by       incident.Dimension // by is that of the result, which may be another one
	chosen          bool               // the user chose it
	filter          string             // of the operations that are counted
	loaded, counted iter.Seq[incident.Operation]
	span            incident.Span
	length          time.Duration // of the trends
	label           func(incident.Dimension, string) string
	groups          []group // the result
}

// refresh counts the operations of the range on another goroutine: if there is a filter, after the table has been
// filtered. What arrives during a count is counted after it: polls may come faster than a count takes.
func (g *groups) refresh() tea.Cmd {
	g.stale = true
	if g.counting || !g.shown || !g.list.shown().UpToDate() {
		return nil
	}
	g.counting, g.stale = true, false
	count := &groupCount{
		asked: g.by, by: g.by, chosen: g.chosen, filter: g.list.table.Query(), loaded: g.list.incidents(),
		counted: g.list.countedIncidents(), span: g.span(), length: g.length, label: g.list.scope.labels(),
	}
	return page.Call(g.session, page.Operations, count.run, g.take)
}

// run counts. If nothing failed, it counts the actions, unless the user chose the errors.
func (c *groupCount) run(context.Context) (*groupCount, error) {
	pasts := incident.PastsOf(c.loaded)
	c.group(pasts)
	if len(c.groups) == 0 && !c.chosen && c.by == incident.Errors {
		c.by = incident.Actions
		c.group(pasts)
	}
	return c, nil
}

// take shows the result of a count, unless something else is shown since, and counts again if something has changed.
func (g *groups) take(c *groupCount, _ error) (cmd tea.Cmd) {
	g.counting = false
	if c.asked == g.by && c.filter == g.list.table.Query() {
		if c.by != g.by {
			g.by = c.by
			g.newPage()
		}
		g.counted = true
		cmd = g.page.Take(c.groups, table.Reading{})
	}
	if g.stale {
		cmd = tea.Batch(cmd, g.refresh())
	}
	return cmd
}

// group groups the operations, those with the most failures in the window first, and collects when they failed and how long
// they took.
func (c *groupCount) group(pasts incident.Pasts) {
	groups := incident.Groups(c.by, c.counted, pasts, c.span)
	slices.SortStableFunc(groups, func(a, b incident.Group) int { return b.Recent - a.Recent })
	places := map[string]int{}
	for _, entry := range groups {
		places[entry.Value] = len(c.groups)
		c.groups = append(c.groups, group{
			Group: entry, label: c.label(c.by, entry.Value), trend: newTrend(c.span, c.length), took: &feed.Durations{},
		})
	}
	for o := range c.counted {
		i, ok := places[c.by.Of(o)]
		if ok && !o.Gone {
			c.groups[i].add(o, c.span, c.length)
		}
	}
}

// add collects when an operation failed, or how long it took.
func (g *group) add(o incident.Operation, span incident.Span, length time.Duration) {
	if o.Status.Failed() {
		g.trend.add(o.EndedAt(), span, length)
	}
	took := o.Took(span.Now)
	if o.Finished() && took.Known {
		g.took.Add(took.Value)
		g.longest = max(g.longest, took.Value)
	}
}

// span returns the time of the groups. If no time is complete, nothing is compared with the window.
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

// describe adds the texts around the groups, which cover the list.
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
	d.Summary, d.Empty = g.summary(f), table.EmptyState{Title: none, Body: back}
	if entry, ok := g.page.List().Selected(); ok {
		// A screen reader explains a state when the groups are shown, and on request.
		d.Note = table.Note{Tone: style.Muted, Announced: announce.Part{Name: "about", Quiet: true}, Text: g.about(entry)}
	}
}

// about explains the state of a group that NOW shows, or returns "" if nothing failed.
func (g *groups) about(entry *group) string {
	if entry.Failed == 0 {
		return ""
	}
	switch entry.Lead() {
	case incident.Failing:
		return "Failing: failed in the last " + style.InUnits(g.window) + ", and none finished since."
	case incident.NotTried:
		return "Not tried: the same action has not begun there since it failed."
	case incident.TriedAgain:
		return "Tried again: the same action began there later, and none finished."
	case incident.Worked:
		return "Worked since: the same action finished there after it had failed."
	default:
		return "Unknown: what came after it was not read, or has no exact time."
	}
}

const nowWidth = 21 // of the column of the state since the failures

const titledFrom = 130 // the least width of the line above the groups with the title of the scope

// summary names the dimensions, the filter, and the number of operations with their time. Of these, the first give way first.
func (g *groups) summary(f page.Frame) []table.Part {
	texts, announced := []string{"counting…"}, ""
	if g.counted {
		texts, announced = g.counts(f)
	}
	forFilter := 0
	if filter := g.filterText(); filter != "" {
		forFilter = min(style.Width(filter), leastFilter) + len(tabGap)
	}
	const edges = 2
	room := f.Width - edges - len(tabGap)
	parts := g.tabs(f, room-forFilter-style.Width(texts[len(texts)-1]))
	room -= width(parts)
	fits := slices.IndexFunc(texts, func(text string) bool { return f.Accessible || style.Width(text) <= room-forFilter })
	if fits < 0 {
		fits = len(texts) - 1
	}
	parts = append(parts, g.filterPart(room-style.Width(texts[fits])-len(tabGap))...)
	return append(parts, table.Part{Tone: style.Muted, Text: texts[fits], Announced: announced, Gap: tabGap})
}

const (
	tabGap      = "  " // between the parts of the line above the groups
	leastFilter = 16   // the cells that a filter keeps there beside a long count
)

// tabs names as many dimensions as fit, with the one in force, and counts the others.
func (g *groups) tabs(f page.Frame, room int) (parts []table.Part) {
	dimensions := g.list.scope.dimensions()
	for n := len(dimensions); n > 0; n-- {
		parts = parts[:0]
		if f.Width >= titledFrom {
			parts = append(parts, table.Part{Tone: style.Strong, Text: g.list.scope.title(), ScreenOnly: true})
		}
		for i, dimension := range dimensions[:n] {
			if i == n-1 && !slices.Contains(dimensions[:n], g.by) {
				dimension = g.by
			}
			parts = append(parts, g.tab(dimension))
		}
		if others := len(dimensions) - n; others > 0 {
			parts = append(parts, table.Part{Tone: style.Muted, Text: "+" + count(others), Gap: tabGap, ScreenOnly: true})
		}
		if width(parts) <= room {
			break
		}
	}
	return parts
}

// tab names a dimension. A click shows it.
func (g *groups) tab(dimension incident.Dimension) table.Part {
	tone := style.Muted
	if dimension == g.by {
		tone = style.Selected
	}
	return table.Part{
		Tone: tone, Text: dimension.String(), Gap: tabGap, ScreenOnly: true, Run: action.With(g.groupBy, dimension),
	}
}

// total is the number of operations, or failures, in all groups.
func (g *groups) total() (n int) {
	for _, entry := range g.page.Rows() {
		n += entry.Count
	}
	return n
}

// counts returns texts about the counted operations and their time, the longest first, and the one that is announced. Where
// operations may be missing from that time, they say for how long none is, and the shorter ones that there may be more.
func (g *groups) counts(f page.Frame) (texts []string, announced string) {
	counted := style.Plural(g.total(), "operation")
	if g.by == incident.Errors {
		counted = style.Plural(g.total(), "failure")
	}
	e, now := g.list.extent(), f.Now
	if !e.until.IsZero() {
		now = e.until
	}
	window := counted
	if since := g.since(); !since.IsZero() {
		window += " in " + span(now.Sub(since).Round(time.Minute))
		if g.list.live.timeline().Untimed() > 0 {
			window += " or at unknown times"
		}
	}
	if !e.covers(g.list.rows.from) {
		texts = []string{counted + ", " + e.completeFor(f.Now)}
		if back := e.back(now); back > 0 {
			texts = append(texts, e.claim(counted+", complete for "+span(back)))
		}
		return append(texts, "≥"+window), texts[0]
	}
	announced = e.claim(window + ", complete")
	if e.limited() {
		return []string{announced, e.claim(window), when(e.behind(), "≥") + window}, announced
	}
	clock := g.session.Times.Clock(f.Now)
	return []string{window + ", complete to " + clock, window + " to " + clock, window}, announced
}

// since returns since when the operations are counted. If that is all of them, it is the start of the range or the time of the
// oldest one, whichever is earlier: the service has nothing older. It is zero if there is neither.
func (g *groups) since() time.Time {
	rows := g.list.rows
	since := rows.from
	if !since.IsZero() {
		return since
	}
	since = g.list.extent().Range
	earlier := func(began time.Time) {
		if !began.IsZero() && (since.IsZero() || began.Before(since)) {
			since = began
		}
	}
	others := func(entry group) bool { return entry.Failed < entry.Count }
	switch n := rows.counted.Len(); {
	case !slices.ContainsFunc(g.page.Rows(), others): // a filter, or errors
		for _, entry := range g.page.Rows() {
			earlier(entry.First)
		}
	case n > 0:
		earlier(rows.counted.PlacedAt(n - 1))
	}
	return since
}

// filterText returns the filter of the feed, whose operations are grouped, or "".
func (g *groups) filterText() string {
	if g.list.shown().Filtered() {
		return "/ " + g.list.table.Query()
	}
	return ""
}

// filterPart names the filter in so many cells.
func (g *groups) filterPart(cells int) []table.Part {
	text := g.filterText()
	if text == "" {
		return nil
	}
	return []table.Part{{
		Tone: style.Accent, Text: style.Cut(text, max(0, cells)), Announced: "filter: " + g.list.table.Query(), Gap: tabGap,
	}}
}

// glyphs are the glyphs and the tones of the states.
var glyphs = map[incident.State]struct {
	glyph string
	tone  style.Tone
}{
	incident.Failing: {"✗", style.Bad}, incident.Worked: {"✓", style.Good}, incident.NotTried: {"?", style.Waiting},
	incident.TriedAgain: {"?", style.Waiting}, incident.Unknown: {"?", style.Waiting},
}

// cell returns the worst state since the failures, with how many of the projects are in it unless all are.
func (g *group) cell(now time.Time) (string, style.Tone) {
	if g.Failed == 0 {
		return style.None, style.Muted
	}
	lead := g.Lead()
	look, words := glyphs[lead], lead.String()
	if g.Projects == 1 || g.Uniform() && lead != incident.Failing {
		words += sinceIn(style.Age, now)(lead, g.Seen[lead].Since)
	} else {
		seenIn, projects := count(g.Seen[lead].Projects), count(g.Projects)
		short := words + " in " + seenIn + "/" + projects
		if words += " in " + seenIn + " of " + projects; style.Width(look.glyph+" "+words) > nowWidth {
			words = short
		}
	}
	return look.glyph + " " + words, look.tone
}

// state returns the states since the failures in words.
func (g *group) state(now time.Time) (words, announced string, tone style.Tone) {
	if g.Failed == 0 {
		return style.None, "", style.Muted
	}
	look := glyphs[g.Lead()]
	return look.glyph + " " + g.Sentence(sinceIn(style.Age, now)), g.Sentence(sinceIn(ageWords, now)), look.tone
}

// ageWords formats an age in words, as precisely as [style.Age].
func ageWords(begin, now time.Time) string {
	age, unit := max(0, now.Sub(begin)), time.Second
	if age >= time.Minute {
		unit = time.Minute
	}
	if age >= time.Hour {
		unit = time.Hour
	}
	return style.DurationWords(age.Truncate(unit))
}

// sinceIn returns a function that writes the age of a state: " since 53m", " 2m ago".
func sinceIn(age func(begin, now time.Time) string, now time.Time) func(incident.State, time.Time) string {
	return func(state incident.State, begin time.Time) string { return since(state, age(begin, now)) }
}

func since(state incident.State, age string) string {
	switch state {
	case incident.NotTried:
		return " since " + age
	case incident.TriedAgain:
		return " " + age + " ago"
	default:
		return ""
	}
}

package projects

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/models/record"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// health returns a project's health when it was last read. It is safe on any goroutine, for filters and orders.
func (p *Page) health(id string) feed.ProjectHealth {
	stored, _ := p.fleet.Load(id)
	h, _ := stored.(feed.ProjectHealth)
	return h
}

func (p *Page) setHealth(health page.ProjectHealth) tea.Cmd {
	for id, h := range health {
		p.window = h.Window
		p.fleet.Store(id, h)
	}
	p.recount()
	return p.Refresh()
}

// state is what the [conditions] of a project are about.
type state struct {
	feed.ProjectHealth

	overQuota bool
}

// state is as safe as [Page.health].
func (p *Page) state(project *models.Project, now time.Time) state {
	return state{p.health(project.ID), project.OverQuota(now)}
}

// conditions are the possible states of a project; the first one that holds counts. The first [filtered] ones are words of
// the filter, and are counted in the summary.
var conditions = [...]struct {
	name   string
	text   string // a glyph and a word; each alone, or the tone, identifies it
	tone   style.Tone
	window bool // it is about what ended in the window
}{
	{"unreadable", "✗ unreadable", style.Bad, false},
	{"over-quota", "✗ over quota", style.Bad, false},
	{"failing", "✗ failing", style.Bad, true},
	{"failed", "✗ failed", style.Bad, true},
	{"slow", "! slow", style.Waiting, true},
	{"running", "◐ running", style.Active, false},
	{"unread", "◌ not read yet", style.Muted, false},
	{"incomplete", "◌ incomplete", style.Muted, false},
	{"ok", "✓ ok", style.Good, false},
}

const filtered = 7

// holding returns which of the [conditions] hold, in their order. The last one always does.
func (s state) holding() [len(conditions)]bool {
	return [...]bool{
		s.Err != nil, s.overQuota, s.Failing, s.Failed > 0, s.OftenSlow(), s.Running > 0, s.Read.IsZero(), !s.Whole, true,
	}
}

// condition returns the index of the condition.
func (s state) condition() int {
	holds := s.holding()
	return slices.Index(holds[:], true)
}

// text returns the condition with a glyph, and the number of failures if the project has failed.
func (s state) text() string {
	c := conditions[s.condition()]
	if failures := counts[failedCount]; c.name == failures.name {
		return c.text + " " + failures.text(s.ProjectHealth)
	}
	return c.text
}

// word returns the word of a condition.
func word(condition int) string {
	_, word, _ := strings.Cut(conditions[condition].text, " ")
	return word
}

// recount counts the projects by condition, each id once.
func (p *Page) recount() {
	p.counts, p.newest = [filtered]int{}, time.Time{}
	now := p.session.ServiceNow()
	for i := range p.rows.All {
		project := &p.rows.All[i]
		if p.rows.Key(project).ID != project.ID {
			continue
		}
		s := p.state(project, now)
		if s.Read.After(p.newest) {
			p.newest = s.Read
		}
		holds := s.holding()
		for condition := range p.counts {
			if holds[condition] {
				p.counts[condition]++
			}
		}
	}
}

// healthSummary returns the number of projects in each condition, and as of when it is unless projects are being read. A click on a
// number filters by it.
func (p *Page) healthSummary() []table.Part {
	var parts []table.Part
	if age := p.session.ServiceNow().Sub(p.newest); !p.newest.IsZero() && age > 2*p.options.Feed.Interval { // nothing is read
		parts = append(parts, table.Part{Tone: style.Waiting, Text: "as of " + p.session.Times.Clock(p.newest)})
	}
	named := p.window == 0
	for i, n := range p.counts {
		filter := "is:" + conditions[i].name
		if p.Query() == filter {
			filter = ""
		}
		if n == 0 {
			continue
		}
		text := style.Count(n) + " " + word(i)
		if conditions[i].window && !named {
			named, text = true, style.InUnits(p.window)+": "+text
		}
		parts = append(parts, table.Part{Tone: conditions[i].tone, Text: text, Run: action.With(p.SetQuery, filter)})
	}
	return parts
}

// counts are the columns with numbers of a project's operations.
var counts = [...]count{
	{"running", 4, style.Active, false, func(h feed.ProjectHealth) int { return h.Running }},
	failedCount: {"failed", 1, style.Bad, true, func(h feed.ProjectHealth) int { return h.Failed }},
	{"slow", 5, style.Waiting, true, func(h feed.ProjectHealth) int { return h.Slow }},
}

const failedCount = 1 // the index of the failures

type count struct {
	name     string
	priority int // of the column
	tone     style.Tone
	ended    bool // counts ended operations, of which some may not be loaded
	of       func(feed.ProjectHealth) int
}

// number returns the count of a project. known reports whether the project was read.
func (c *count) number(h feed.ProjectHealth) (n int64, known bool) {
	return int64(c.of(h)), !h.Read.IsZero()
}

func (c *count) cell(h feed.ProjectHealth) (string, style.Tone) {
	if c.of(h) == 0 {
		return c.text(h), style.Muted
	}
	return c.text(h), c.tone
}

func (c *count) text(h feed.ProjectHealth) string {
	n := style.Count(c.of(h))
	switch {
	case h.Read.IsZero():
		return style.None
	case c.ended && !h.Whole:
		return n + "+"
	}
	return n
}

// fields returns the fields of the page's filter: [query.Projects], and the health of projects.
func (p *Page) fields() []query.Field[*models.Project] {
	var words []query.Word[*models.Project]
	for i, c := range conditions[:filtered] {
		words = append(words, query.Is(c.name, func(project *models.Project, now time.Time) bool {
			return p.state(project, now).holding()[i]
		}))
	}
	words = append(words, query.Is("maintenance", maintenance))
	fields := append(query.Projects(p.isPinned, style.Value, words...),
		query.TextAt("health", func(project *models.Project, now time.Time) string {
			return word(p.state(project, now).condition())
		}).Visible(),
		query.Duration("read", p.sinceRead))
	fields = append(fields, noteFields()...)
	for _, c := range counts {
		fields = append(fields, query.Of(p.healthFields(), style.Value, c.name)...)
	}
	return fields
}

// sinceRead returns for how long a project has not been read. known reports whether it was read at all.
func (p *Page) sinceRead(project *models.Project, now time.Time) (age time.Duration, known bool) {
	read := p.health(project.ID).Read
	return now.Sub(read), !read.IsZero()
}

// healthFields returns the numbers and times of a project's health, for columns and filters.
func (p *Page) healthFields() []record.Field[*models.Project] {
	changed := func(project *models.Project) time.Time { return p.health(project.ID).Changed }
	read := func(project *models.Project) time.Time { return p.health(project.ID).Read }
	fields := []record.Field[*models.Project]{
		{Name: "changed", Title: "CHANGED", Width: 7, Priority: 7, Get: record.Moments(changed)},
		{Name: "read", Title: "READ", Width: 4, Priority: 6, Get: record.Moments(read)},
	}
	for _, c := range counts {
		fields = append(fields, record.Field[*models.Project]{
			Name: c.name, Title: strings.ToUpper(c.name), Width: len(c.name), Priority: c.priority, Filter: c.name,
			Get: record.Counts(record.Number, func(project *models.Project) (int64, bool) {
				return c.number(p.health(project.ID))
			}),
		})
	}
	return fields
}

func (p *Page) healthColumns() []table.Column[*models.Project] {
	columns := []table.Column[*models.Project]{
		{Title: "HEALTH", Width: 14, Cell: p.healthCell, Compare: p.compareHealth},
		{
			Title: "TREND", Width: narrowTrend, Grow: 4, Priority: 3, Compare: p.compareEnded,
			Drawn: true, Cell: p.trendCell, Tones: p.trendTone, Shorten: fitTrend,
		},
	}
	fields := p.healthFields()
	for _, c := range counts {
		column := table.ColumnOf(p.session, fields, c.name)
		column.Cell = func(project *models.Project, _ time.Time) (string, style.Tone) {
			return c.cell(p.health(project.ID))
		}
		columns = append(columns, column)
	}
	changed, read := table.ColumnOf(p.session, fields, "changed"), table.ColumnOf(p.session, fields, "read")
	read.Moment, read.Cell = "", p.readCell
	return append(columns, changed, read)
}

func (p *Page) healthCell(project *models.Project, now time.Time) (string, style.Tone) {
	s := p.state(project, now)
	return s.text(), conditions[s.condition()].tone
}

// compareHealth orders projects by their health, the worst first.
func (p *Page) compareHealth(first, second *models.Project, now time.Time) int {
	a, b := p.state(first, now), p.state(second, now)
	return cmp.Or(a.condition()-b.condition(), b.Failed-a.Failed, b.Slow-a.Slow)
}

func (p *Page) compareEnded(a, b *models.Project, _ time.Time) int {
	return p.health(a.ID).Ended - p.health(b.ID).Ended
}

// readCell returns the age of the last read. It does not count the first seconds: each poll would repaint all ages.
func (p *Page) readCell(project *models.Project, now time.Time) (string, style.Tone) {
	read := p.health(project.ID).Read
	if !read.IsZero() && now.Sub(read) < 10*time.Second {
		return "<10s", style.Muted
	}
	return style.Age(read, now), style.Muted
}

// trendTone returns the tone of a cell of a trend.
func (p *Page) trendTone(project *models.Project, _ rune, index, cells int) style.Tone {
	h := p.health(project.ID)
	switch {
	case h.Read.IsZero() || !h.Whole:
		return style.Muted
	case h.TrendFailed(trendParts(index, cells)):
		return style.Bad
	}
	return style.Accent
}

// trendCell draws what ended in the window, dotted if some of it is not loaded.
func (p *Page) trendCell(project *models.Project, _ time.Time) (string, style.Tone) {
	h := p.health(project.ID)
	switch {
	case h.Read.IsZero():
		return style.None, style.Muted
	case !h.Whole:
		return strings.Repeat("┄", feed.TrendParts), style.Muted
	}
	return style.Spark(h.Trend[:]), style.Accent
}

// narrowTrend is the width of a trend where there is little room.
const narrowTrend = 8

// trendParts returns which parts of a trend, one or more, one of the cells stands for.
func trendParts(index, cells int) (from, end int) {
	from = index * feed.TrendParts / cells
	return from, max(from+1, (index+1)*feed.TrendParts/cells)
}

// fitTrend draws a trend in fewer cells, each of which stands for several parts, or in more.
func fitTrend(trend string, cells int) string {
	const heights = " ▁▂▃▄▅▆▇█"
	bars := []rune(trend)
	switch {
	case len(bars) != feed.TrendParts || cells <= 0:
		return style.Cut(trend, cells)
	case bars[0] == '┄':
		return strings.Repeat("┄", cells)
	}
	sums := make([]int, cells)
	for i := range sums {
		from, end := trendParts(i, cells)
		for _, bar := range bars[from:end] {
			sums[i] += utf8.RuneCountInString(heights[:strings.IndexRune(heights, bar)])
		}
	}
	return style.Spark(sums)
}

// showHealth puts the health at the start of a project's details.
func (p *Page) showHealth(r *table.Record, s state, now time.Time) {
	h, c, times := s.ProjectHealth, s.condition(), p.session.Times
	r.State, r.AnnouncedState, r.Tone = s.text(), word(c), conditions[c].tone
	if h.Err != nil {
		r.Error = h.Err.Error()
	}
	if h.Read.IsZero() {
		return
	}
	var fields []table.Field
	window := " in " + style.DurationWords(h.Window)
	if !h.Whole {
		window += ", not all loaded"
	}
	for _, c := range counts {
		value := c.text(h)
		if c.ended {
			value += window
		}
		fields = append(fields, table.Field{Label: c.name, Value: value})
	}
	fields = append(fields,
		table.Field{Label: "changed", Value: times.Stamp(h.Changed, now)},
		table.Field{Label: "read", Value: times.At(h.Read)})
	r.Fields = append(fields, r.Fields...)
}

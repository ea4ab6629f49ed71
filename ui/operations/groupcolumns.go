package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/record"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// fields returns the fields of a group, in the order of the details.
func (g *groups) fields() []record.Field[*group] {
	width := 26
	if g.by == incident.Errors {
		width = 40 // the beginnings of many errors are alike
	}
	return []record.Field[*group]{
		{
			Name: "group", Unseen: true, Get: record.Words(func(g *group) string { return g.label }),
			Title: strings.ToUpper(g.by.String()), Width: width, Least: 16, Grow: 1, Filter: g.by.String(), Searched: 1,
		},
		numberField("failed", "FAILED", 0, func(g *group) int { return g.Failed }),
		numberField("last_"+style.Every(g.window), strings.ToUpper(style.Every(g.window)), 0, func(g *group) int { return g.Recent }),
		{Name: "before", Absent: true, Get: record.Words(g.beforeWords)},
		numberField("projects", "PROJECTS", 3, func(g *group) int { return g.Projects }),
		momentField("first_failure", "", func(g *group) time.Time { return g.First }),
		momentField("last_failure", "LAST", func(g *group) time.Time { return g.Last }),
		numberField("operations", "COUNT", 2, func(g *group) int { return g.Count }),
		numberField("unfinished", "", 0, func(g *group) int { return g.Unfinished }),
		{Name: "id", Absent: true, Get: record.Words(g.idOf)},
		tookField("median_ms", 0.5), tookField("p95_ms", 0.95), tookField("max_ms", 1),
	}
}

// numberField returns a number of each group.
func numberField(name, title string, priority int, get func(*group) int) record.Field[*group] {
	return record.Field[*group]{
		Name: name, Title: title, Width: max(6, len(title)), Priority: priority, Plain: true, Zero: style.None,
		Get: record.Counts(record.Number, func(g *group) (int64, bool) { return int64(get(g)), true }),
	}
}

// momentField returns a time of each group.
func momentField(name, title string, get func(*group) time.Time) record.Field[*group] {
	return record.Field[*group]{
		Name: name, Title: title, Width: 5, Priority: 5, Plain: true, Absent: true, Get: record.Moments(get),
	}
}

// tookField returns how long the fraction q of the operations took at most, for exports.
func tookField(name string, q float64) record.Field[*group] {
	return record.Field[*group]{Name: name, Unseen: true, Get: record.Counts(record.Number, func(g *group) (int64, bool) {
		return g.quantile(q).Milliseconds(), g.took.Count() > 0
	})}
}

// beforeWords returns how many failures there were before, on average, or "".
func (g *groups) beforeWords(entry *group) string {
	if !entry.Before.Known {
		return ""
	}
	return averaged(entry.Before.Value) + " on average in " + style.InUnits(g.window)
}

// idOf returns the id of the project, organization or branch of a group, or "".
func (g *groups) idOf(entry *group) string {
	if g.by == incident.Projects || g.by == incident.Organizations || g.by == incident.Branches {
		return entry.Value
	}
	return ""
}

// columns returns the columns of the dimension. The failures of the window come first, as the groups are ordered by them.
func (g *groups) columns(fields []record.Field[*group]) []table.Column[*group] {
	named := func(names ...string) []table.Column[*group] { return table.Columns(g.session, fields, names...) }
	failures := g.by == incident.Errors
	out := named("group", fields[2].Name, "failed")
	out[1].Wants = g.recentWidth
	if !failures {
		out = append(append(out, named("operations")...), rateColumn())
	}
	out = append(out, table.Column[*group]{
		Title: "NOW", Width: nowWidth, Cell: (*group).cell,
		Compare: func(a, b *group, _ time.Time) int { return incident.Worse(&a.Group, &b.Group) },
	})
	if g.by != incident.Projects {
		out = append(out, named("projects")...)
	}
	out = append(append(out, g.trendColumn()), named("last_failure")...)
	out[len(out)-1].Right = true
	if !failures {
		out = append(out, tookColumn("MEDIAN", 6, 0.5), tookColumn("P95", 7, 0.95), tookColumn("MAX", 8, 1))
	}
	return out
}

// recentWidth returns the cells of the failures in the window: few, so that the error has more.
func (g *groups) recentWidth() (cells, least int) {
	const few = 3
	cells = max(few, len(style.Every(g.window)))
	for _, entry := range g.page.Rows() {
		cells = max(cells, len(count(entry.Recent)))
	}
	return cells, cells
}

// trendColumn draws when the failures were.
func (g *groups) trendColumn() table.Column[*group] {
	return table.Column[*group]{
		Title: strings.ToUpper(span(g.length)), Width: trendParts, Priority: 4, Drawn: true, Cell: (*group).trendCell,
	}
}

func rateColumn() table.Column[*group] {
	return table.Column[*group]{
		Title: "RATE", Width: 6, Right: true, Priority: 2, Cell: (*group).rateCell,
		Compare: func(a, b *group, _ time.Time) int { return cmp.Compare(a.Rate(), b.Rate()) },
	}
}

func (g *group) trendCell(time.Time) (string, style.Tone) { return g.trend.draw(), style.Bad }

func (g *group) rateCell(time.Time) (string, style.Tone) {
	if g.Failed == 0 {
		return style.None, style.Muted
	}
	return fmt.Sprintf("%.1f%%", 100*g.Rate()), style.Plain
}

func averaged(n float64) string {
	if n > 0 && n < 0.05 {
		return "<0.1"
	}
	return fmt.Sprintf("%.1f", n)
}

func tookColumn(title string, priority int, q float64) table.Column[*group] {
	return table.Column[*group]{
		Title: title, Width: 7, Right: true, Priority: priority,
		Cell:    func(g *group, _ time.Time) (string, style.Tone) { return g.tookCell(q) },
		Compare: func(a, b *group, _ time.Time) int { return cmp.Compare(a.quantile(q), b.quantile(q)) },
	}
}

func (g *group) tookCell(q float64) (string, style.Tone) {
	if g.took.Count() == 0 {
		return style.None, style.Muted
	}
	return style.Took(g.quantile(q)), style.Plain
}

// record returns the details of a group.
func (g *groups) record(entry *group, now time.Time) table.Record {
	state, announced, tone := entry.state(now)
	out := table.Record{
		Title: entry.label, Tone: tone, State: state, AnnouncedState: announced,
		Fields: table.Details(g.session.Times, g.fields(), entry, now),
	}
	if g.by == incident.Actions {
		out.About = models.Action(entry.Value).Meaning()
	}
	if g.by != incident.Errors {
		out.Chart = func(th *style.Theme, width int) []string { return histogram(th, entry.took, width) }
	}
	return out
}

const bins = 12

func histogram(th *style.Theme, d *feed.Durations, width int) []string {
	histogram := d.Histogram(bins)
	if len(histogram) == 0 {
		return []string{th.Paint(style.Muted, "No operation of this kind has finished yet.")}
	}
	peak := slices.MaxFunc(histogram, func(a, b feed.Bin) int { return cmp.Compare(a.Count, b.Count) }).Count
	const label = 8
	lines := []string{th.Paint(style.Muted, "how long they took")}
	for _, b := range histogram {
		number := " " + count(b.Count)
		bar := style.Bar(b.Count, peak, width-label-style.Width(number)-2)
		from := style.Ends("", style.Took(b.From), label) + " ▕"
		lines = append(lines, th.Paint(style.Muted, from)+th.Paint(style.Accent, bar)+number)
	}
	return lines
}

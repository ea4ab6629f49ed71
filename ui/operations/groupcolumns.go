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
	"pgtower/ui/style"
	"pgtower/ui/table"
)

func numberColumn(title string, priority int, of func(*group) int) table.Column[*group] {
	return table.Column[*group]{
		Title: title, Width: max(6, len(title)), Right: true, Priority: priority,
		Cell:    func(g *group, _ time.Time) (string, style.Tone) { return counted0(of(g)) },
		Compare: func(a, b *group, _ time.Time) int { return cmp.Compare(of(a), of(b)) },
	}
}

func (g *groups) momentColumn(title string, priority int, of func(*group) time.Time) table.Column[*group] {
	return table.Column[*group]{
		Title: title, Moment: title, Width: 5, Right: true, Priority: priority,
		Cell: func(one *group, now time.Time) (string, style.Tone) {
			if of(one).IsZero() {
				return style.None, style.Muted
			}
			return g.session.Times.Cell(of(one), now), style.Plain
		},
		Compare: func(a, b *group, _ time.Time) int { return of(a).Compare(of(b)) },
	}
}

func (g *groups) columns() []table.Column[*group] {
	failures := g.by == incident.Errors
	out := []table.Column[*group]{
		{
			Title: strings.ToUpper(g.by.String()), Width: 26, Least: 16, Grow: 1,
			Cell:    func(g *group, _ time.Time) (string, style.Tone) { return g.label, style.Plain },
			Compare: func(a, b *group, _ time.Time) int { return cmp.Compare(a.label, b.label) },
		},
		numberColumn("FAILED", 0, func(g *group) int { return g.Failed }),
	}
	projects := 2
	if !failures {
		projects = 3
		out = append(out, numberColumn("COUNT", 2, func(g *group) int { return g.Count }), rateColumn())
	}
	if g.by != incident.Projects {
		out = append(out, numberColumn("PROJECTS", projects, func(g *group) int { return g.Projects }))
	}
	out = append(out,
		g.momentColumn("FIRST", 2, func(g *group) time.Time { return g.First }),
		g.momentColumn("LAST", 1, func(g *group) time.Time { return g.Last }),
		table.Column[*group]{
			Title: "NOW", Width: nowWidth,
			Cell:    func(g *group, now time.Time) (string, style.Tone) { return g.cell(now) },
			Compare: func(a, b *group, _ time.Time) int { return incident.Worse(&a.Group, &b.Group) },
		},
		numberColumn(g.lastTitle(), 1, func(g *group) int { return g.Recent }),
		beforeColumn(),
	)
	if !failures {
		out = append(out, tookColumn("MEDIAN", 5, 0.5), tookColumn("P95", 6, 0.95), tookColumn("MAX", 7, 1))
	}
	return out
}

// counted0 formats a number, muted for none.
func counted0(n int) (string, style.Tone) {
	if n == 0 {
		return style.None, style.Muted
	}
	return count(n), style.Plain
}

func rateColumn() table.Column[*group] {
	return table.Column[*group]{
		Title: "RATE", Width: 6, Right: true, Priority: 2,
		Cell: func(g *group, _ time.Time) (string, style.Tone) {
			if g.Failed == 0 {
				return style.None, style.Muted
			}
			return fmt.Sprintf("%.1f%%", 100*g.Rate()), style.Plain
		},
		Compare: func(a, b *group, _ time.Time) int { return cmp.Compare(a.Rate(), b.Rate()) },
	}
}

// beforeColumn is the average number of failures in a time as long as the window, before it.
func beforeColumn() table.Column[*group] {
	return table.Column[*group]{
		Title: "BEFORE", Width: 6, Right: true, Priority: 3,
		Cell: func(g *group, _ time.Time) (string, style.Tone) {
			if !g.Before.Known || g.Failed == 0 {
				return style.None, style.Muted
			}
			return "ø " + averaged(g.Before.Value), style.Muted
		},
		Compare: func(a, b *group, _ time.Time) int {
			return cmp.Compare(a.Before.Value, b.Before.Value)
		},
	}
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
		Cell: func(g *group, _ time.Time) (string, style.Tone) {
			if g.took.Count() == 0 {
				return style.None, style.Muted
			}
			return style.Took(g.quantile(q)), style.Plain
		},
		Compare: func(a, b *group, _ time.Time) int { return cmp.Compare(a.quantile(q), b.quantile(q)) },
	}
}

// record has all that is known of a group.
func (g *groups) record(one *group, now time.Time) table.Record {
	times, before := g.session.Times, ""
	if one.Before.Known {
		before = averaged(one.Before.Value) + " on average in " + style.InUnits(g.window)
	}
	stamp := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return times.Stamp(t, now)
	}
	state, announced, tone := one.state(now)
	out := table.Record{
		Title: one.label, Tone: tone, State: state, AnnouncedState: announced,
		Fields: []table.Field{
			{Label: "failed", Value: count(one.Failed)},
			{Label: "last " + style.Every(g.window), Value: count(one.Recent)},
			{Label: "before", Value: before},
			{Label: "projects", Value: count(one.Projects)},
			{Label: "first failure", Value: stamp(one.First)},
			{Label: "last failure", Value: stamp(one.Last)},
			{Label: "operations", Value: count(one.Count)},
			{Label: "unfinished", Value: count(one.Unfinished)},
		},
	}
	switch g.by {
	case incident.Actions:
		out.About = models.Action(one.Value).Meaning()
	case incident.Projects, incident.Organizations:
		out.Fields = append(out.Fields, table.Field{Label: "id", Value: one.Value})
	default:
	}
	if g.by != incident.Errors {
		out.Chart = func(th *style.Theme, width int) []string { return histogram(th, one.took, width) }
	}
	out.Fields = slices.DeleteFunc(out.Fields, func(f table.Field) bool { return f.Value == "" })
	return out
}

const bins = 12

func histogram(th *style.Theme, d *feed.Durations, width int) []string {
	all := d.Histogram(bins)
	if len(all) == 0 {
		return []string{th.Paint(style.Muted, "No operation of this kind has finished yet.")}
	}
	most := slices.MaxFunc(all, func(a, b feed.Bin) int { return cmp.Compare(a.Count, b.Count) }).Count
	const label = 8
	lines := []string{th.Paint(style.Muted, "how long they took")}
	for _, b := range all {
		number := " " + count(b.Count)
		bar := style.Bar(b.Count, most, width-label-style.Width(number)-2)
		from := style.Ends("", style.Took(b.From), label) + " ▕"
		lines = append(lines, th.Paint(style.Muted, from)+th.Paint(style.Accent, bar)+number)
	}
	return lines
}

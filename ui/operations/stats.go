package operations

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// bins is how many bars a histogram has at most.
const bins = 12

// statsRows are the statistics of each action.
type statsRows struct{ all []feed.ActionStats }

// Len is the number of actions.
func (r *statsRows) Len() int { return len(r.all) }

// Row returns the statistics of an action.
func (r *statsRows) Row(i int) feed.ActionStats { return r.all[i] }

// Key names a row by its action.
func (*statsRows) Key(s feed.ActionStats) models.Action { return s.Action }

// Find returns where an action is.
func (r *statsRows) Find(a models.Action) (int, bool) {
	for i := range r.all {
		if r.all[i].Action == a {
			return i, true
		}
	}
	return 0, false
}

func closeStatsKey() action.Action {
	return action.New("esc", "back to the feed", "esc", "h", "left", "backspace").Named("back")
}

// toggleStats shows the statistics in the place of the rows, or the rows again.
func (p *Page) toggleStats() tea.Cmd {
	if p.stats != nil {
		p.stats = nil
		return nil
	}
	p.stats = p.newStats(&statsRows{all: p.timeline.Actions()})
	return nil
}

func (p *Page) refreshStats() tea.Cmd {
	p.stats.Source.(*statsRows).all = p.timeline.Actions()
	return p.stats.Refresh()
}

// statsInput gives a key to the statistics; leaving them leads back to the rows.
func (p *Page) statsInput(k tea.KeyPressMsg) tea.Cmd {
	cmd, handled := p.stats.Update(k)
	if !handled && closeStatsKey().Pressed(k) {
		p.stats = nil
	}
	return cmd
}

func (p *Page) newStats(source *statsRows) *table.Model[feed.ActionStats, models.Action] {
	number := func(title string, of func(feed.ActionStats) int) table.Column[feed.ActionStats] {
		return table.Column[feed.ActionStats]{
			Title: title, Width: max(7, len(title)+1), Right: true,
			Cell:    func(s feed.ActionStats, _ time.Time) (string, style.Tone) { return count(of(s)), style.Plain },
			Compare: func(a, b feed.ActionStats, _ time.Time) int { return cmp.Compare(of(a), of(b)) },
		}
	}
	lasting := func(title string, of func(*feed.Durations) (time.Duration, bool)) table.Column[feed.ActionStats] {
		return table.Column[feed.ActionStats]{
			Title: title, Width: 7, Right: true, Priority: 1,
			Cell: func(s feed.ActionStats, _ time.Time) (string, style.Tone) {
				if d, ok := of(s.Durations); ok {
					return style.Took(d), style.Plain
				}
				return style.None, style.Muted
			},
		}
	}
	return table.New(table.Config[feed.ActionStats, models.Action]{
		Source: source, Natural: "count", PaneFrom: paneFrom, Session: p.session, Page: page.Operations,
		Columns: []table.Column[feed.ActionStats]{
			{
				Title: "ACTION", Width: 20, Grow: 1, Head: true,
				Cell:    func(s feed.ActionStats, _ time.Time) (string, style.Tone) { return s.Action.Title(), style.Plain },
				Compare: func(a, b feed.ActionStats, _ time.Time) int { return cmp.Compare(a.Action, b.Action) },
			},
			number("COUNT", func(s feed.ActionStats) int { return s.Count }),
			number("FAILED", func(s feed.ActionStats) int { return s.Failed }),
			{
				Title: "RATE", Width: 6, Right: true, Priority: 2, Cell: rateCell,
				Compare: func(a, b feed.ActionStats, _ time.Time) int { return cmp.Compare(rate(a), rate(b)) },
			},
			lasting("MEDIAN", (*feed.Durations).Median),
			lasting("P95", func(d *feed.Durations) (time.Duration, bool) { return d.Quantile(0.95) }),
			lasting("MAX", (*feed.Durations).Max),
		},
		Fields: []query.Field[feed.ActionStats]{
			query.Text("action", func(s feed.ActionStats) string { return string(s.Action) }).Visible(),
		},
		Detail: statsRecord,
	})
}

// rate is the part of the ended operations that failed.
func rate(s feed.ActionStats) float64 {
	if ended := s.Count - s.Unfinished; ended > 0 {
		return float64(s.Failed) / float64(ended)
	}
	return 0
}

func rateCell(s feed.ActionStats, _ time.Time) (string, style.Tone) {
	if s.Failed == 0 {
		return style.None, style.Muted
	}
	return fmt.Sprintf("%.1f%%", 100*rate(s)), style.Bad
}

// statsRecord is what is known of an action, with a histogram of its durations.
func statsRecord(s feed.ActionStats, _ time.Time) table.Record {
	return table.Record{
		Title: s.Action.Title(),
		About: s.Action.Meaning(),
		Chart: func(th *style.Theme, width int) []string { return histogram(th, s.Durations, width) },
		Fields: []table.Field{
			{Label: "count", Value: count(s.Count)},
			{Label: "failed", Value: count(s.Failed)},
			{Label: "unfinished", Value: count(s.Unfinished)},
		},
	}
}

// histogram draws how often which durations occur, a line for each range.
func histogram(th *style.Theme, d *feed.Durations, width int) []string {
	all := d.Histogram(bins)
	if len(all) == 0 {
		return []string{th.Paint(style.Muted, "No operation of this kind has finished yet.")}
	}
	most := 0
	for _, b := range all {
		most = max(most, b.Count)
	}
	const label = 8
	lines := []string{th.Paint(style.Muted, "how long they took")}
	for _, b := range all {
		number := " " + count(b.Count)
		bar := style.Bar(b.Count, most, width-label-style.Width(number)-2)
		from := style.FitRight(style.Took(b.From), label) + " ▕"
		lines = append(lines, th.Paint(style.Muted, from)+th.Paint(style.Accent, bar)+number)
	}
	return lines
}

func (p *Page) viewStats(f page.Frame) []string {
	return p.stats.View(f, table.Parts[feed.ActionStats]{
		Strip: f.Theme.Paint(style.Strong, " Statistics of "+p.scopeName()) +
			f.Theme.Paint(style.Muted, "   "+count(p.timeline.Loaded())+" operations loaded"),
		Empty: noStatistics(f),
		Notes: p.stats.Foot(f, f.Theme.Paint(style.Muted, " "+aboutStatistics(f))),
	})
}

func aboutStatistics(f page.Frame) string {
	return "Durations are those of operations that finished. " + backToFeed(f)
}

func noStatistics(f page.Frame) table.Words {
	return table.Words{Title: "No operations are loaded yet.", Body: backToFeed(f)}
}

func backToFeed(f page.Frame) string { return f.Keys.Label(statsKey()) + " leads back to the feed." }

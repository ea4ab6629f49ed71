package operations

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/browse"
	"pgtower/ui/chart"
	"pgtower/ui/detail"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/rowlist"
	"pgtower/ui/text"
	"pgtower/ui/theme"
	"pgtower/ui/when"
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

func closeStatsKey() keys.Action {
	return keys.New("esc", "back to the feed", "esc", "h", "left", "backspace").Named("back")
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

func (p *Page) newStats(source *statsRows) *browse.Model[feed.ActionStats, models.Action] {
	number := func(title string, of func(feed.ActionStats) int) rowlist.Column[feed.ActionStats] {
		return rowlist.Column[feed.ActionStats]{
			Title: title, Width: max(7, len(title)+1), Right: true,
			Cell:    func(s feed.ActionStats, _ time.Time) (string, theme.Tone) { return count(of(s)), theme.Plain },
			Compare: func(a, b feed.ActionStats, _ time.Time) int { return cmp.Compare(of(a), of(b)) },
		}
	}
	lasting := func(title string, of func(*feed.Durations) (time.Duration, bool)) rowlist.Column[feed.ActionStats] {
		return rowlist.Column[feed.ActionStats]{
			Title: title, Width: 7, Right: true, Priority: 1,
			Cell: func(s feed.ActionStats, _ time.Time) (string, theme.Tone) {
				if d, ok := of(s.Durations); ok {
					return when.Took(d), theme.Plain
				}
				return when.None, theme.Muted
			},
		}
	}
	return browse.New(browse.Config[feed.ActionStats, models.Action]{
		Source: source, Natural: "count", PaneFrom: paneFrom, Session: p.session, Page: page.Operations,
		Columns: []rowlist.Column[feed.ActionStats]{
			{
				Title: "ACTION", Width: 20, Grow: 1, Head: true,
				Cell:    func(s feed.ActionStats, _ time.Time) (string, theme.Tone) { return s.Action.Title(), theme.Plain },
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

func rateCell(s feed.ActionStats, _ time.Time) (string, theme.Tone) {
	if s.Failed == 0 {
		return when.None, theme.Muted
	}
	return fmt.Sprintf("%.1f%%", 100*rate(s)), theme.Bad
}

// statsRecord is what is known of an action, with a histogram of its durations.
func statsRecord(s feed.ActionStats, _ time.Time) detail.Record {
	return detail.Record{
		Title: s.Action.Title(),
		About: s.Action.Meaning(),
		Chart: func(th *theme.Theme, width int) []string { return histogram(th, s.Durations, width) },
		Fields: []detail.Field{
			{Label: "count", Value: count(s.Count)},
			{Label: "failed", Value: count(s.Failed)},
			{Label: "unfinished", Value: count(s.Unfinished)},
		},
	}
}

// histogram draws how often which durations occur, a line for each range.
func histogram(th *theme.Theme, d *feed.Durations, width int) []string {
	all := d.Histogram(bins)
	if len(all) == 0 {
		return []string{th.Paint(theme.Muted, "No operation of this kind has finished yet.")}
	}
	most := 0
	for _, b := range all {
		most = max(most, b.Count)
	}
	const label = 8
	lines := []string{th.Paint(theme.Muted, "how long they took")}
	for _, b := range all {
		number := " " + count(b.Count)
		bar := chart.Bar(b.Count, most, width-label-text.Width(number)-2)
		from := text.FitRight(when.Took(b.From), label) + " ▕"
		lines = append(lines, th.Paint(theme.Muted, from)+th.Paint(theme.Accent, bar)+number)
	}
	return lines
}

func (p *Page) viewStats(f page.Frame) []string {
	return p.stats.View(f, browse.Parts[feed.ActionStats]{
		Strip: f.Theme.Paint(theme.Strong, " Statistics of "+p.scopeName()) +
			f.Theme.Paint(theme.Muted, "   "+count(p.timeline.Loaded())+" operations loaded"),
		Empty: noStatistics(f),
		Notes: p.stats.Foot(f, f.Theme.Paint(theme.Muted, " "+aboutStatistics(f))),
	})
}

func aboutStatistics(f page.Frame) string {
	return "Durations are those of operations that finished. " + backToFeed(f)
}

func noStatistics(f page.Frame) detail.Words {
	return detail.Words{Title: "No operations are loaded yet.", Body: backToFeed(f)}
}

func backToFeed(f page.Frame) string { return f.Keys.Label(statsKey()) + " leads back to the feed." }

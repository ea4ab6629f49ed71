package operations

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// bins is how many bars a histogram has at most.
const bins = 12

// actionRows are the statistics of each action.
type actionRows struct{ all []feed.ActionStats }

// Len is the number of actions.
func (r *actionRows) Len() int { return len(r.all) }

// Row returns the statistics of an action.
func (r *actionRows) Row(i int) feed.ActionStats { return r.all[i] }

// Key names a row by its action.
func (*actionRows) Key(s feed.ActionStats) models.Action { return s.Action }

// Find returns where an action is.
func (r *actionRows) Find(a models.Action) (int, bool) {
	for i := range r.all {
		if r.all[i].Action == a {
			return i, true
		}
	}
	return 0, false
}

// statistics are those of each action, of the operations that are loaded.
type statistics struct {
	rows  *actionRows
	table *table.Model[feed.ActionStats, models.Action]
}

// newStatistics shows the statistics of the operations. leave leads back to them.
func newStatistics(s *state, leave func()) *statistics {
	rows := &actionRows{all: s.timeline().Actions()}
	return &statistics{rows, table.New(table.Config[feed.ActionStats, models.Action]{
		Source: rows, Order: "count", PaneFrom: paneFrom, Session: s.session, Page: page.Operations, Leave: action.Do(leave),
		Columns: statisticsColumns(), Detail: statisticsRecord,
		Fields: []query.Field[feed.ActionStats]{
			query.Text("action", func(s feed.ActionStats) string { return string(s.Action) }).Visible(),
		},
	})}
}

// refresh takes in that operations came or changed.
func (s *statistics) refresh(t *feed.Timeline) tea.Cmd {
	s.rows.all = t.Actions()
	return s.table.Refresh()
}

func (s *statistics) description(f page.Frame, of *state) table.Description[feed.ActionStats] {
	name, back := "Statistics of "+of.title(), f.Key("statistics")+" leads back to the feed."
	return table.Description[feed.ActionStats]{
		ID: [2]any{page.Operations, "statistics"}, Name: name, Over: true,
		Summary: []table.Part{
			{Tone: style.Strong, Text: name, Unsaid: true},
			{Tone: style.Muted, Text: count(of.timeline().Loaded()) + " operations loaded", Unsaid: true},
		},
		Empty: table.EmptyState{Title: "No operations are loaded yet.", Body: back},
		Note: table.Note{
			Tone: style.Muted, Text: "Durations are those of operations that finished. " + back, Said: announce.Part{Name: "about"},
		},
	}
}

func statisticsColumns() []table.Column[feed.ActionStats] {
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
	return []table.Column[feed.ActionStats]{
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
	}
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

// statisticsRecord is what is known of an action, with a histogram of its durations.
func statisticsRecord(s feed.ActionStats, _ time.Time) table.Record {
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

package operations

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const bins = 12

type stats = feed.ActionStats

type statistics struct {
	table.Index[stats]

	list    *list
	table   *table.Model[*stats]
	counted bool // the operations were counted
	number  int  // of counts begun
}

// newStatistics makes statistics of the operations that the feed shows, without counts before [statistics.refresh].
// enter is the action of Enter on a line.
func newStatistics(of *list, enter *action.Action, leave func() tea.Cmd) *statistics {
	s := &statistics{list: of}
	s.table = table.New(table.Config[*stats]{
		Source: s, Order: "count", Session: of.session, Page: page.Operations, Enter: enter, Leave: leave,
		Fixed:   true,
		Columns: statisticsColumns(), Detail: statisticsRecord,
		Fields:   []query.Field[*stats]{query.Text("action", func(s *stats) string { return string(s.Action) }).Visible()},
		Examples: []string{"start", "!check", "start or suspend"},
	})
	return s
}

func (s *statistics) extent() extent { return extentOf(s.list.live, s.list.scope) }

// refresh counts the operations of the range on another goroutine: if there is a filter, after the table has been
// filtered.
func (s *statistics) refresh() tea.Cmd {
	s.number++
	rows := s.list.table
	if !rows.Settled() {
		return nil
	}
	number, counted := s.number, s.list.inRange()
	if rows.Filtered() {
		counted = operationsSince(rows.Matching(), s.extent().counted())
	}
	return page.Call(s.list.session, page.Operations, func(context.Context) ([]stats, error) {
		return feed.StatsOf(counted), nil
	}, func(all []stats, _ error) tea.Cmd {
		if number != s.number {
			return nil
		}
		return s.show(all)
	})
}

func (s *statistics) show(all []stats) tea.Cmd {
	s.Index, s.counted = table.NewIndex(all, func(s *stats) string { return string(s.Action) }), true
	return s.table.Refresh()
}

// inRange returns the loaded operations that views and statistics count.
func (l *list) inRange() iter.Seq[*models.Operation] {
	loaded, from := l.live.timeline().Rows(), extentOf(l.live, l.scope).counted()
	return func(yield func(*models.Operation) bool) {
		for i := range loaded.Len() {
			if loaded.PlacedAt(i).Before(from) || !yield(loaded.At(i)) {
				return
			}
		}
	}
}

// operationsSince returns the operations of rows that began at a time or later.
func operationsSince(rows iter.Seq[*row], from time.Time) iter.Seq[*models.Operation] {
	return func(yield func(*models.Operation) bool) {
		for r := range rows {
			if r.Op != nil && !r.Op.CreatedAt.Before(from) && !yield(r.Op) {
				return
			}
		}
	}
}

func (s *statistics) description(f page.Frame) table.Description[*stats] {
	name, back := "Statistics of "+s.list.scope.title(), f.Key("statistics")+": back to the feed."
	n, complete := 0, s.extent().completeFor(f.Now)
	for _, action := range s.All {
		n += action.Count
	}
	counted, none, filter := style.Plural(n, "operation")+", "+complete, "No operations: "+complete+".", ""
	if s.list.table.Filtered() {
		filter = "/ " + s.list.table.Query()
		none = "No operation matches the filter " + s.list.table.Query() + ": " + complete + "."
	}
	if !s.counted {
		none = "Counting the operations…"
	}
	return table.Description[*stats]{
		ID: [2]any{page.Operations, "statistics"}, Name: name, Over: true,
		Summary: []table.Part{
			{Tone: style.Strong, Text: name, ScreenOnly: true},
			{Tone: style.Accent, Text: filter, Announced: "filter: " + s.list.table.Query(), ScreenOnly: filter == ""},
			{Tone: style.Muted, Text: counted},
		},
		Empty: table.EmptyState{Title: none, Body: back},
		Note: table.Note{
			Tone: style.Muted, Announced: announce.Part{Name: "about"},
			Text: "Durations of finished operations only. " + back,
		},
	}
}

func statisticsColumns() []table.Column[*stats] {
	number := func(title string, of func(*stats) int) table.Column[*stats] {
		return table.Column[*stats]{
			Title: title, Width: 7, Right: true,
			Cell:    func(s *stats, _ time.Time) (string, style.Tone) { return count(of(s)), style.Plain },
			Compare: func(a, b *stats, _ time.Time) int { return cmp.Compare(of(a), of(b)) },
		}
	}
	lasting := func(title string, of func(*stats) time.Duration) table.Column[*stats] {
		return table.Column[*stats]{
			Title: title, Width: 7, Right: true, Priority: 1,
			Cell: func(s *stats, _ time.Time) (string, style.Tone) {
				if s.Durations.Count() == 0 {
					return style.None, style.Muted
				}
				return style.Took(of(s)), style.Plain
			},
		}
	}
	quantile := func(q float64) func(*stats) time.Duration {
		return func(s *stats) time.Duration { return s.Quantile(q) }
	}
	return []table.Column[*stats]{
		{
			Title: "ACTION", Width: 20, Grow: 1,
			Cell:    func(s *stats, _ time.Time) (string, style.Tone) { return s.Action.Title(), style.Plain },
			Compare: func(a, b *stats, _ time.Time) int { return cmp.Compare(a.Action, b.Action) },
		},
		number("COUNT", func(s *stats) int { return s.Count }),
		number("FAILED", func(s *stats) int { return s.Failed }),
		{
			Title: "RATE", Width: 6, Right: true, Priority: 2,
			Cell: func(s *stats, _ time.Time) (string, style.Tone) {
				if s.Failed == 0 {
					return style.None, style.Muted
				}
				return fmt.Sprintf("%.1f%%", 100*rate(s)), style.Bad
			},
			Compare: func(a, b *stats, _ time.Time) int { return cmp.Compare(rate(a), rate(b)) },
		},
		lasting("MEDIAN", quantile(0.5)), lasting("P95", quantile(0.95)),
		lasting("MAX", func(s *stats) time.Duration { return s.Longest }),
	}
}

func rate(s *stats) float64 { return float64(s.Failed) / float64(max(1, s.Count-s.Unfinished)) }

func statisticsRecord(s *stats, _ time.Time) table.Record {
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

package operations

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// paneFrom is the width from which the detail stands beside the rows.
const paneFrom = 110

// The columns whose cells tell that something happened, by their place in the table.
const (
	columnStatus = iota
	columnAction
	columnProject
	columnBranch
	columnEndpoint
)

func (p *Page) newTable() *table.Model[row, key] {
	branch := func(o *models.Operation) string { return o.BranchID }
	endpoint := func(o *models.Operation) string { return o.EndpointID }
	of := func(text func(*models.Operation) string) func(row) string {
		return func(r row) string {
			if r.op == nil {
				return ""
			}
			return text(r.op)
		}
	}
	columns := []table.Column[row]{
		columnStatus: {
			Title: "STATUS", Width: statusWidth, Head: true, Cell: p.statusCell,
			Compare: byText(of(func(o *models.Operation) string { return string(o.Status) })),
		},
		columnAction: {
			Title: "ACTION", Width: 18, Grow: 2, Head: true, Cell: p.actionCell,
			Compare: byText(of(func(o *models.Operation) string { return string(o.Action) })),
		},
		columnProject: {
			Title: "PROJECT", Width: 12, Grow: 2, Priority: 1, Head: true, Hidden: !p.all(),
			Cell: func(r row, _ time.Time) (string, style.Tone) { return p.name(r.project), style.Plain },
			// The names that the screen shows may change while rows are sorted.
			Compare: byText(func(r row) string { return p.facts.Load().name(r.project) }),
		},
		columnBranch:   {Title: "BRANCH", Width: 16, Grow: 3, Priority: 4, Cell: textCell(branch), Compare: byText(of(branch))},
		columnEndpoint: {Title: "ENDPOINT", Width: 16, Grow: 3, Priority: 5, Cell: textCell(endpoint), Compare: byText(of(endpoint))},
		{Title: "AGE", Moment: "CREATED", Width: 5, Right: true, Cell: p.ageCell, Compare: byDuration(age)},
		{Title: "TOOK", Width: 7, Right: true, Priority: 2, Cell: p.tookCell, Compare: byDuration(func(r row, now time.Time) models.Opt[time.Duration] { return p.facts.Load().took(r, now) })},
	}
	return table.New(table.Config[row, key]{
		Source: p.rows, Columns: columns, Natural: "time", Fields: p.fields(), Say: p.say,
		Detail: p.record, PaneFrom: paneFrom, Follow: true,
		Session: p.session, Page: page.Operations, Behind: p.behind,
	})
}

// do runs work of a table off the UI's goroutine.
func (p *Page) do(f func(context.Context) tea.Msg) tea.Cmd { return p.session.Do(page.Operations, f) }

func to(msg tea.Msg) tea.Msg { return page.To{Page: page.Operations, Msg: msg} }

// age is how long ago an operation began. That is no less than it took, whatever the clocks
// say, and no less in the seconds that are shown of it.
func age(r row, now time.Time) models.Opt[time.Duration] {
	if r.op == nil || r.op.CreatedAt.IsZero() {
		return models.Opt[time.Duration]{}
	}
	since := now.Sub(r.op.CreatedAt)
	if took := r.op.Took(now); r.op.Done() && took.Known {
		since = max(since, (took.Value + time.Second - 1).Truncate(time.Second))
	}
	return models.Opt[time.Duration]{Value: since, Known: true}
}

// changedCells marks the cells that a change is seen in. Times change by themselves and
// are left out.
func (p *Page) changedCells(project string, r feed.Revision) table.Change {
	before, after := row{op: r.Before, project: project}, row{op: r.After, project: project}
	var m table.Change
	now := p.session.ServiceNow()
	for i, c := range p.table.Columns[:columnEndpoint+1] {
		was, _ := c.Cell(before, now)
		is, _ := c.Cell(after, now)
		if was != is {
			m |= 1 << i
		}
	}
	return m
}

// look is how a status appears: a glyph, a word and a tone, each enough on its own.
type look struct {
	glyph, word string
	tone        style.Tone
}

func lookOf(o *models.Operation) look {
	if o.Gone {
		return look{"⊘", "gone", style.Muted}
	}
	word := string(o.Status)
	switch o.Status {
	case models.StatusScheduling:
		return look{"◌", word, style.Waiting}
	case models.StatusRunning:
		return look{"◐", word, style.Active}
	case models.StatusFinished:
		return look{"✓", word, style.Good}
	case models.StatusFailed, models.StatusError:
		return look{"✗", word, style.Bad}
	case models.StatusCancelling:
		return look{"◍", word, style.Waiting}
	case models.StatusCancelled, models.StatusSkipped:
		return look{"⊘", word, style.Muted}
	}
	if word == "" {
		word = "no status"
	}
	return look{"?", word, style.Plain}
}

func (p *Page) statusCell(r row, _ time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "┄ missing", style.Waiting
	}
	l := lookOf(r.op)
	if p.watch[key{project: r.project, id: r.op.ID}] {
		// In place of the glyph it has room whatever follows, and the word says the status.
		l.glyph = "◉"
	}
	s := p.texts.status(l)
	if r.op.FailuresCount > 0 {
		s = withRetries(s, r.op.FailuresCount)
	}
	return s, l.tone
}

// statusWidth has room for the longest status.
const statusWidth = 13

// withRetries adds how often an operation failed on its way. The number is never cut: a part
// of it would be another one. The word is, where both have no room.
func withRetries(status string, n int64) string {
	count := " ×99+"
	if n < 100 {
		count = fmt.Sprintf(" ×%d", n)
	}
	return style.Cut(status, statusWidth-style.Width(count)) + count
}

func (p *Page) actionCell(r row, _ time.Time) (string, style.Tone) {
	if r.gap != nil {
		if r.gap.Broken {
			return "history stops here", style.Waiting
		}
		return "operations are missing", style.Waiting
	}
	if r.op.Damage != "" {
		return "⚠ " + p.texts.action(r.op.Action), style.Bad
	}
	return p.texts.action(r.op.Action), style.Plain
}

func textCell(of func(*models.Operation) string) func(row, time.Time) (string, style.Tone) {
	return func(r row, _ time.Time) (string, style.Tone) {
		if r.gap != nil {
			return "┄", style.Waiting
		}
		if s := of(r.op); s != "" {
			return s, style.Muted
		}
		return style.None, style.Muted
	}
}

func (p *Page) ageCell(r row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	if age := age(r, now); age.Known {
		now = r.op.CreatedAt.Add(age.Value)
	}
	return p.session.Times.Cell(r.op.CreatedAt, now), style.Plain
}

// tookCell is how long the operation took or has lasted, with a mark if that is slow. What was
// not asked about for long lasts at least as long as is known.
func (p *Page) tookCell(r row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	facts := p.facts.Load()
	took, tone := facts.took(r, now), style.Plain
	if !took.Known || r.op.Status == models.StatusScheduling {
		return style.None, style.Muted
	}
	s := style.Took(took.Value)
	if facts.unasked(r, now) > 0 {
		return "≥" + style.Lasting(took.Value), style.Muted
	}
	if !r.op.Done() {
		s, tone = style.Lasting(took.Value)+"…", style.Active
	}
	if facts.slow(r, now) {
		return "!" + s, style.Waiting
	}
	return s, tone
}

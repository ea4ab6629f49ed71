package operations

import (
	"fmt"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// paneFrom is the width from which the detail stands beside the rows.
const paneFrom = 110

// The columns whose cells show that something happened, by their place in the table.
const (
	columnStatus = iota
	columnAction
	columnProject
	columnBranch
	columnEndpoint
)

// cells are how operations appear: in the columns of the table, in their details, in words.
type cells struct {
	*state

	watched      map[key]bool
	statusLabels labels[statusStyle]
	actionLabels labels[models.Action]
}

func newCells(s *state, watched map[key]bool) *cells {
	return &cells{s, watched, labels[statusStyle]{}, labels[models.Action]{}}
}

// labels are texts that stand in many rows, made once and not for each row of each frame.
type labels[K comparable] map[K]string

// maxLabels is how many are kept: a service has a few dozen actions, not thousands.
const maxLabels = 256

func (l labels[K]) of(k K, text func(K) string) string {
	t, ok := l[k]
	if !ok {
		if t = text(k); len(l) < maxLabels {
			l[k] = t
		}
	}
	return t
}

// columns are those of the table. What orders rows works off the UI's goroutine.
func (c *cells) columns() []table.Column[row] {
	status, action, branch, endpoint := text(statusOf), text(actionOf), text(branchOf), text(endpointOf)
	took := func(r row, now time.Time) models.Opt[time.Duration] { return c.snapshot.Load().took(r, now) }
	return []table.Column[row]{
		columnStatus: {Title: "STATUS", Width: statusWidth, Head: true, Cell: c.status, Compare: byText(status)},
		columnAction: {Title: "ACTION", Width: 18, Grow: 2, Head: true, Cell: c.action, Compare: byText(action)},
		columnProject: {
			Title: "PROJECT", Width: 12, Grow: 2, Priority: 1, Head: true, Hidden: !c.all(),
			Cell:    func(r row, _ time.Time) (string, style.Tone) { return c.name(r.project), style.Plain },
			Compare: byText(func(r row) string { return c.snapshot.Load().name(r.project) }),
		},
		columnBranch: {Title: "BRANCH", Width: 16, Grow: 3, Priority: 4, Cell: textCell(branch), Compare: byText(branch)},
		columnEndpoint: {
			Title: "ENDPOINT", Width: 16, Grow: 3, Priority: 5, Cell: textCell(endpoint), Compare: byText(endpoint),
		},
		{Title: "AGE", Moment: "CREATED", Width: 5, Right: true, Cell: c.age, Compare: byDuration(age)},
		{Title: "TOOK", Width: 7, Right: true, Priority: 2, Cell: c.took, Compare: byDuration(took)},
	}
}

func statusOf(o *models.Operation) string   { return string(o.Status) }
func actionOf(o *models.Operation) string   { return string(o.Action) }
func branchOf(o *models.Operation) string   { return o.BranchID }
func endpointOf(o *models.Operation) string { return o.EndpointID }

// text is a text of a row, empty for a row that is no operation.
func text(of func(*models.Operation) string) func(row) string {
	return func(r row) string {
		if r.op == nil {
			return ""
		}
		return of(r.op)
	}
}

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

// changed marks the cells that a change is seen in. Times change by themselves and are left
// out.
func (c *cells) changed(project string, r feed.Revision) table.Change {
	before, after := row{op: r.Before, project: project}, row{op: r.After, project: project}
	var m table.Change
	now := c.session.ServiceNow()
	for i, column := range c.columns()[:columnEndpoint+1] {
		was, _ := column.Cell(before, now)
		is, _ := column.Cell(after, now)
		if was != is {
			m |= 1 << i
		}
	}
	return m
}

// statusStyle is how a status appears: a glyph, a word and a tone, each enough on its own.
type statusStyle struct {
	glyph, word string
	tone        style.Tone
}

func (s statusStyle) text() string { return s.glyph + " " + s.word }

func styleOf(o *models.Operation) statusStyle {
	if o.Gone {
		return statusStyle{"⊘", "gone", style.Muted}
	}
	word := string(o.Status)
	switch o.Status {
	case models.StatusScheduling:
		return statusStyle{"◌", word, style.Waiting}
	case models.StatusRunning:
		return statusStyle{"◐", word, style.Active}
	case models.StatusFinished:
		return statusStyle{"✓", word, style.Good}
	case models.StatusFailed, models.StatusError:
		return statusStyle{"✗", word, style.Bad}
	case models.StatusCancelling:
		return statusStyle{"◍", word, style.Waiting}
	case models.StatusCancelled, models.StatusSkipped:
		return statusStyle{"⊘", word, style.Muted}
	}
	if word == "" {
		word = "no status"
	}
	return statusStyle{"?", word, style.Plain}
}

func (c *cells) status(r row, _ time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "┄ missing", style.Waiting
	}
	l := styleOf(r.op)
	if c.watched[r.key()] {
		// In place of the glyph it has room whatever follows, and the word says the status.
		l.glyph = "◉"
	}
	s := c.statusLabels.of(l, statusStyle.text)
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

func (c *cells) action(r row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return c.missing(r, now).cell, style.Waiting
	}
	title := c.actionLabels.of(r.op.Action, models.Action.Title)
	if r.op.Damage != "" {
		return "⚠ " + title, style.Bad
	}
	return title, style.Plain
}

func textCell(of func(row) string) func(row, time.Time) (string, style.Tone) {
	return func(r row, _ time.Time) (string, style.Tone) {
		if r.gap != nil {
			return "┄", style.Waiting
		}
		if s := of(r); s != "" {
			return s, style.Muted
		}
		return style.None, style.Muted
	}
}

func (c *cells) age(r row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	if age := age(r, now); age.Known {
		now = r.op.CreatedAt.Add(age.Value)
	}
	return c.session.Times.Cell(r.op.CreatedAt, now), style.Plain
}

// took is how long the operation took or has lasted, with a mark if that is slow. What was
// not asked about for long lasts at least as long as is known.
func (c *cells) took(r row, now time.Time) (string, style.Tone) {
	if r.gap != nil {
		return "", style.Plain
	}
	known := c.snapshot.Load()
	took, tone := known.took(r, now), style.Plain
	if !took.Known || r.op.Status == models.StatusScheduling {
		return style.None, style.Muted
	}
	s := style.Took(took.Value)
	if known.unasked(r, now) > 0 {
		return "≥" + style.Lasting(took.Value), style.Muted
	}
	if !r.op.Done() {
		s, tone = style.Lasting(took.Value)+"…", style.Active
	}
	if known.slow(r, now) {
		return "!" + s, style.Waiting
	}
	return s, tone
}

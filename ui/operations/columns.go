package operations

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const newsColumns = 6 // the first columns: a change of their cells marks a row

func (l *list) columns() []table.Column[*row] {
	s, d := l.scope, l.display
	one := func() bool { return !s.all() }
	return []table.Column[*row]{
		{
			Title: "STATUS", Width: style.StatusWidth, Least: 10, Cell: d.status,
			Shorten: style.ShortenStatus,
			Compare: byText(text(statusOf)),
		},
		{
			Title: "ACTION", Width: 18, Full: 22, Least: 9, Grow: 2, Cell: actionCell,
			Compare: byText(text(actionOf)),
		},
		{
			Title: "PROJECT", Width: 12, Full: 16, Least: 8, Grow: 2, Priority: 1, Hidden: one,
			Compare: byText((*row).Name),
			Cell:    func(r *row, _ time.Time) (string, style.Tone) { return r.Name(), style.Plain },
		},
		{
			Title: "ORGANIZATION", Width: 12, Least: 9, Priority: 3, Compare: byText((*row).Org),
			Hidden: func() bool { return s.oneOrg || !s.all() },
			Cell:   func(r *row, _ time.Time) (string, style.Tone) { return r.Org(), style.Muted },
		},
		textColumn("BRANCH", 22, 4, text(branchOf)),
		textColumn("ENDPOINT", 24, 5, text(endpointOf)),
		{
			Title: "AGE", Moment: "CREATED", Width: 5, Least: 4, Right: true, Cell: d.age,
			Compare: byDuration((*row).Age),
		},
		{Title: "TOOK", Width: 7, Right: true, Priority: 2, Cell: took, Compare: byDuration((*row).Took)},
		{
			Title: "CREATED", Clock: true, Width: style.MomentWidth, Priority: 6, Extra: true,
			Cell: d.created,
			Compare: byOperation(func(a, b *models.Operation) int {
				return a.CreatedAt.Compare(b.CreatedAt)
			}),
		},
		{
			Title: "RETRIES", Width: 8, Right: true, Priority: 7, Extra: true, Cell: retries,
			Compare: byOperation(func(a, b *models.Operation) int {
				return cmp.Compare(a.FailuresCount, b.FailuresCount)
			}),
		},
		{
			Title: errorColumn, Width: 20, Full: 44, Led: 40, Least: 16, Grow: 12, Priority: 8,
			Extra: true, Hidden: l.noErrors(),
			Compare: byText(text(errorOf)),
			Cell: func(r *row, _ time.Time) (string, style.Tone) {
				return text(errorOf)(r), style.Plain
			},
		},
	}
}

const errorColumn = "ERROR"

// lead returns the column that the view of failures begins with.
func (l *list) lead() string {
	if strings.HasPrefix(l.table.Query(), query.FailedQuery) {
		return strings.ToLower(errorColumn)
	}
	return ""
}

// noErrors returns a function that reports whether no row shown has an error.
func (l *list) noErrors() func() bool {
	number, none := -1, false // which rows were searched, and the result
	return func() bool {
		rows, shown := l.table.List().Rows()
		switch {
		case !l.live.errors:
			return true
		case !l.table.List().Arranged():
			return false
		case shown != number:
			number, none = shown, !slices.ContainsFunc(rows, (*row).failedWithReason)
		}
		return none
	}
}

func (r *row) failedWithReason() bool { return r.Op != nil && r.Op.Error != "" }

func retries(r *row, _ time.Time) (string, style.Tone) {
	switch {
	case r.gap != nil:
		return "", style.Plain
	case r.Op.FailuresCount == 0:
		return style.None, style.Muted
	}
	return count(int(r.Op.FailuresCount)), style.Waiting
}

func fields(timeline func() *feed.Timeline) []query.Field[*row] {
	return query.Operations(func(r *row) *query.Operation { return &r.Operation }, timeline)
}

func statusOf(o *models.Operation) string   { return string(o.Status) }
func actionOf(o *models.Operation) string   { return string(o.Action) }
func branchOf(o *models.Operation) string   { return o.BranchID }
func endpointOf(o *models.Operation) string { return o.EndpointID }
func errorOf(o *models.Operation) string    { return o.Error }

func text(of func(*models.Operation) string) func(*row) string {
	return func(r *row) string {
		if r.Op == nil {
			return ""
		}
		return of(r.Op)
	}
}

func byText(of func(*row) string) func(a, b *row, now time.Time) int {
	return func(a, b *row, _ time.Time) int {
		return cmp.Or(gapsLast(a, b), strings.Compare(of(a), of(b)))
	}
}

func byOperation(compare func(a, b *models.Operation) int) func(a, b *row, now time.Time) int {
	return func(a, b *row, _ time.Time) int {
		if order := gapsLast(a, b); order != 0 || a.Op == nil || b.Op == nil {
			return order
		}
		return compare(a.Op, b.Op)
	}
}

func byDuration(of func(*row, time.Time) (time.Duration, bool)) func(a, b *row, now time.Time) int {
	return func(a, b *row, now time.Time) int {
		x, xKnown := of(a, now)
		y, yKnown := of(b, now)
		return cmp.Or(gapsLast(a, b), number(yKnown)-number(xKnown), cmp.Compare(x, y))
	}
}

func gapsLast(a, b *row) int { return number(a.gap != nil) - number(b.gap != nil) }

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

func actionCell(r *row, _ time.Time) (string, style.Tone) {
	switch {
	case r.gap != nil && r.gap.Broken:
		return "history stops here", style.Waiting
	case r.gap != nil:
		return "operations are missing", style.Waiting
	case r.Op.Damage != "":
		return "⚠ " + r.Op.Action.Title(), style.Bad
	}
	return r.Op.Action.Title(), style.Plain
}

func textColumn(title string, full, priority int, of func(*row) string) table.Column[*row] {
	return table.Column[*row]{
		Title: title, Width: 16, Full: full, Grow: 3, Priority: priority, Compare: byText(of),
		Cell: func(r *row, _ time.Time) (string, style.Tone) {
			switch s := of(r); {
			case r.gap != nil:
				return "┄", style.Waiting
			case s != "":
				return s, style.Muted
			}
			return style.None, style.Muted
		},
	}
}

// took formats how long the operation took or has run, with a mark if it is slow.
func took(r *row, now time.Time) (string, style.Tone) {
	took, ok := r.Took(now)
	switch {
	case r.gap != nil:
		return "", style.Plain
	case !ok:
		return style.None, style.Muted
	case r.Unasked(now) > 0:
		return "≥" + style.Elapsed(took), style.Muted
	}
	s, tone := style.Took(took), style.Plain
	if !r.Op.Done() {
		s, tone = style.Elapsed(took)+"…", style.Active
	}
	if r.Slow(now) {
		return "!" + s, style.Waiting
	}
	return s, tone
}

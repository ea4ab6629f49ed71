package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models/feed"
	"pgtower/models/naming"
	"pgtower/models/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

const newsColumns = 6 // the first columns: a change of their cells marks a row

func (l *list) columns() []table.Column[*row] {
	s, d := l.scope, l.display
	status, action, project := l.column("status"), l.column("action"), l.column("project")
	status.Width, status.Cell, status.Shorten = style.StatusWidth, d.status, style.ShortenStatus
	action.Cell = actionCell
	project.Hidden = s.single
	organization, created := l.column("organization"), l.column("created_at")
	organization.Many = "organizations"
	organization.Hidden = func() bool { return s.oneOrg || s.single() }
	created.Moment, created.Clock, created.Width, created.Cell = "", true, style.MomentWidth, d.created
	failures, reason := l.column("failures_count"), l.column("error")
	failures.Cell, reason.Cell = retries, errorCell
	reason.Led, reason.Hidden, reason.Behind = 40, l.noErrors(), attempts
	status.Replaced = l.allFailed
	action.Many, action.BesideLed = "actions", l.needs(actionMost, (*row).title)
	project.Many, project.BesideLed = "projects", l.needs(projectMost, (*row).Name)
	branch, endpoint := l.nameColumn("branch", (*query.Operation).Branch), l.nameColumn("endpoint", (*query.Operation).Compute)
	branch.Many, endpoint.Many = "branches", "endpoints"
	branch.LedPriority = 4 // beside an error it comes behind how long the operation took
	return []table.Column[*row]{
		status, action, project, organization, branch, endpoint,
		{
			Title: "AGE", Moment: "CREATED", Width: 5, Least: 4, Right: true, Cell: d.age,
			Compare: byDuration((*row).Age),
		},
		{
			Title: "TOOK", Width: 7, Full: len("1m05s of ~48s"), Right: true, Priority: 2, Cell: d.took, Shorten: style.ShortenExpected,
			Compare: byDuration((*row).Took),
		},
		created, failures, reason,
	}
}

// column returns the column of a field. Gaps come last in its order.
func (l *list) column(name string) table.Column[*row] {
	c := table.ColumnOf(l.session, l.fields, name)
	compare := c.Compare
	c.Compare = func(a, b *row, now time.Time) int { return cmp.Or(gapsLast(a, b), compare(a, b, now)) }
	return c
}

// nameColumn returns the column of the names of branches or computes.
func (l *list) nameColumn(field string, name func(*query.Operation) (naming.Name, string)) table.Column[*row] {
	c := l.column(field)
	c.Shorten = style.CutMiddle
	c.Cell = func(r *row, _ time.Time) (string, style.Tone) { return nameCell(r, name) }
	c.Beside = func(r *row) string { return besideName(r, name) }
	return c
}

func nameCell(r *row, name func(*query.Operation) (naming.Name, string)) (string, style.Tone) {
	called, id := name(&r.Operation)
	switch {
	case r.gap != nil:
		return "┄", style.Waiting
	case id == "":
		return style.None, style.Muted
	case called.Gone:
		return goneMark + " " + called.Or(id), style.Muted
	case called.Name == "":
		return id, style.Muted
	}
	return called.Name, style.Plain
}

func besideName(r *row, name func(*query.Operation) (naming.Name, string)) string {
	called, _ := name(&r.Operation)
	called.Gone = false // its mark says so
	return called.About()
}

// goneMark marks what is no longer listed.
const goneMark = "⊘"

const errorColumn = "ERROR"

// lead returns the column that the view of failures begins with.
func (l *list) lead() string {
	if strings.HasPrefix(l.table.Query(), query.FailedQuery) {
		return strings.ToLower(errorColumn)
	}
	return ""
}

// noErrors returns a function that reports whether no row shown has an error. It searches the rows of a version once.
func (l *list) noErrors() func() bool {
	searched, none := -1, false
	return func() bool {
		rows, version := l.table.List().Rows()
		arranged := l.live.errors && l.table.List().Arranged()
		if arranged && version != searched {
			searched, none = version, !slices.ContainsFunc(rows, (*row).failedWithReason)
		}
		return !l.live.errors || arranged && none
	}
}

// The most cells of the actions and projects beside the errors.
const actionMost, projectMost = 28, 16

// allFailed reports whether the view has failures only: the status then says no more than the error. Columns that the
// user chose stay.
func (l *list) allFailed() bool {
	return l.lead() != "" && !mayHaveOr.MatchString(l.table.Query()) && len(l.table.Chosen()) == 0
}

// needs returns a function that returns how many cells the first lines need for a text, up to limit. It measures once for each
// filter, so that nothing moves while the user reads.
func (l *list) needs(limit int, text func(*row) string) func() int {
	measured, cells := -1, leastNeed
	return func() int {
		list := l.table.List()
		if filter := list.FilterNumber(); filter != measured && list.Len() > 0 { // that of the rows, which may follow a new query late
			measured, cells = filter, max(leastNeed, min(limit, widest(list.Lines(firstLines), text)))
		}
		return cells
	}
}

// widest returns the cells of the longest text of some lines. A fold of different texts shows their number.
func widest(lines [][]*row, text func(*row) string) (cells int) {
	for _, rows := range lines {
		differs := func(r *row) bool { return text(r) != text(rows[0]) }
		if rows[0].Op != nil && !slices.ContainsFunc(rows, differs) {
			cells = max(cells, style.Width(text(rows[0])))
		}
	}
	return cells
}

// leastNeed is the least width of a column beside the errors: the number of a fold, such as "9 projects". A long name below the
// firstLines lines does not shorten the errors in view.
const leastNeed, firstLines = 10, 20

// attempts returns how often an operation failed, to stand behind its error.
func attempts(r *row) string {
	if r.Op == nil {
		return ""
	}
	return style.Retries(r.Op)
}

// foldErrors folds adjacent rows with the same error in the view of failures.
func (l *list) foldErrors() *table.Fold[*row] {
	return &table.Fold[*row]{When: l.folds, By: (*row).failure, Say: l.sayFold}
}

func (l *list) folds() bool { return l.lead() != "" && !l.sorted() }

// failure returns the error of a row that failed, or "".
func (r *row) failure() string {
	if r.Op == nil || !r.Op.Status.Failed() {
		return ""
	}
	return r.Op.Error
}

// sayFold describes folded rows, the newest first: when the oldest and the newest began, and their error.
func (l *list) sayFold(rows []*row) string {
	const layout = "15:04"
	newest, oldest := rows[0].Op, rows[len(rows)-1].Op
	from, until := l.session.Times.In(oldest.CreatedAt), l.session.Times.In(newest.CreatedAt)
	return fmt.Sprintf("%s to %s: %s", from.Format(layout), until.Format(layout), newest.Error)
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

func errorCell(r *row, _ time.Time) (string, style.Tone) {
	if r.Op == nil {
		return "", style.Plain
	}
	return r.Op.Error, style.Plain
}

func operationOf(r *row) *query.Operation { return &r.Operation }

func fields(timeline func() *feed.Timeline) []query.Field[*row] {
	return query.Operations(operationOf, timeline)
}

func byDuration(length func(*row, time.Time) (time.Duration, bool)) func(a, b *row, now time.Time) int {
	return func(a, b *row, now time.Time) int {
		x, xKnown := length(a, now)
		y, yKnown := length(b, now)
		return cmp.Or(gapsLast(a, b), number(yKnown)-number(xKnown), cmp.Compare(x, y))
	}
}

func gapsLast(a, b *row) int { return number(a.gap != nil) - number(b.gap != nil) }

func number(condition bool) int {
	if condition {
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
		return "⚠ " + r.title(), style.Bad
	}
	return r.title(), style.Plain
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
